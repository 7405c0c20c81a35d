import { beforeEach, describe, expect, it } from "vitest";
import { createApi } from "../../../src/api/create-api.ts";
import { custodyOf, signTransfer, type SignedTransfer } from "../../support/signing.ts";
import { useTestContext } from "../../support/test-cases.ts";

const registry = () => api.network().transfers;
const now = () => Math.floor(context.clock.now() / 1000);

const context = await useTestContext();
const api = createApi(context);
beforeEach(async () => {
  await context.database.truncate();
  const accounts = [1, 2, 3].map((fid) => ({ fid, custody_address: custodyOf(fid).address }));
  await context.database.query.insertInto("network.accounts").values(accounts).execute();
});

const sign = (transfer: Omit<SignedTransfer, "timestamp">) => signTransfer({ timestamp: now(), ...transfer });

describe("registrations", () => {
  describe.each(["one process", "two processes"])("asked at once of %s", (processes) => {
    it.each([
      ["the same name for three users", ["alice", "alice", "alice"], [1, 2, 3]],
      ["three names for the same user", ["alice", "bob", "carol"], [1, 1, 1]],
    ])("lets one win of %s", async (_what, names, fids) => {
      const inputs = await Promise.all(names.map((name, at) => sign({ name, from: 0, to: fids[at] ?? 0 })));
      const other = createApi({ ...context, registry: { ...context.registry } });
      const results = await Promise.allSettled(
        inputs.map(async (input, at) => {
          const asked = processes === "two processes" && at > 0 ? other : api;
          await asked.network().transfers.create(input);
        }),
      );
      expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
      expect((await registry().list({})).transfers).toHaveLength(1);
    });
  });
});
