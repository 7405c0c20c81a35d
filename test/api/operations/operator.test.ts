import { beforeEach, describe, expect, it } from "vitest";
import type { Tx } from "../../../src/database/database.ts";
import type { Operator } from "../../../src/contract/index.ts";
import { useTestNetwork } from "../../support/test-cases.ts";

const net = await useTestNetwork();

const owner = 1;
const member = 3;
beforeEach(async () => {
  await net.context.database.truncate();
  for (const fid of [owner, member]) await net.seed.account(fid);
  await net.seed.channel("memes", { owner, members: [member] });
});

const cast = async (input: Omit<Parameters<Operator["cast"]>[0], "text">) =>
  (await net.api.operator.cast({ text: "gm", ...input })).hash;
const lockNothing = (tx: Tx) => tx.selectFrom("network.stream_heads").selectAll().execute();

describe("removeCast", () => {
  it("of one cast by many at once succeeds once", async () => {
    const hash = await cast({ fid: member });
    // Connections are open before the race, so that no removal has it to itself.
    await Promise.all(
      Array.from({ length: 8 }, () => net.context.database.transaction((tx) => lockNothing(tx))),
    );
    const removals = Array.from({ length: 8 }, () => net.api.operator.removeCast({ hash }));
    const results = await Promise.allSettled(removals);
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  });
});
