import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Tx } from "../../../src/database/database.ts";
import type { Operator } from "../../../src/contract/index.ts";
import { createTestNetwork, type TestNetwork } from "../../support/world.ts";

let net: TestNetwork;
beforeAll(async () => {
  net = await createTestNetwork();
});
afterAll(() => net.context.database.close());

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

describe("deleteChannel", () => {
  it("leaves not_found everywhere, and its casts in no channel", async () => {
    const hash = await cast({ fid: member, channelId: "memes" });
    await net.as(owner).moderatedCasts.moderate({ castHash: hash, action: "hide" });
    await net.seed.follow(member, "memes");
    await net.api.operator.deleteChannel({ id: "memes" });
    const channelId = "memes";
    const calls = [
      net.public.channels.get({ channelId }),
      net.public.channels.followers({ channelId }),
      net.public.channelMembers.list({ channelId }),
      net.public.channelBans.list({ channelId }),
      net.public.moderatedCasts.list({ channelId }),
      net.as(owner).pinnedCasts.unpin({ channelId }),
      net.api.operator.notifications({ channelId }),
      net.api.operator.deleteChannel({ id: channelId }),
    ];
    const results = await Promise.allSettled(calls);
    for (const result of results) expect(result).toMatchObject({ reason: { code: "not_found" } });
    expect((await net.public.moderatedCasts.list({})).result.moderationActions).toEqual([]);
    expect((await net.public.channelFollows.ofUser({ fid: member })).result.channels).toEqual([]);
    expect(await net.api.operator.readCast({ hash })).not.toHaveProperty("channelId");
    await expect(
      net.as(owner).moderatedCasts.moderate({ castHash: hash, action: "unhide" }),
    ).rejects.toMatchObject({
      code: "cast_not_in_channel",
    });
  });
});
