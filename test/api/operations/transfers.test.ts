import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApi, type Api } from "../../../src/api/create-api.ts";
import { createTestContext, type TestContext } from "../../support/world.ts";
import { custodyOf, signTransfer, type SignedTransfer, type TransferInput } from "../../support/signing.ts";
import { recordStatements } from "../../support/database.ts";

let context: TestContext;
let api: Api;
const registry = () => api.network().transfers;
const now = () => Math.floor(context.clock.now() / 1000);

beforeAll(async () => {
  context = await createTestContext();
  api = createApi(context);
});
afterAll(() => context.database.close());
beforeEach(async () => {
  await context.database.truncate();
  const accounts = [1, 2, 3].map((fid) => ({ fid, custody_address: custodyOf(fid).address }));
  await context.database.query.insertInto("network.accounts").values(accounts).execute();
});

const sign = (transfer: Omit<SignedTransfer, "timestamp">) => signTransfer({ timestamp: now(), ...transfer });
const post = (input: TransferInput) => registry().create(input);

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

  it("writes each of many registrations asked at once on the first attempt", async () => {
    const inputs = await Promise.all([1, 2, 3].map((fid) => sign({ name: `n${fid}`, from: 0, to: fid })));
    const statements = await recordStatements(() => Promise.all(inputs.map((input) => post(input))));
    expect(statements.filter(({ text }) => text.includes("insert into network.transfers"))).toHaveLength(3);
    expect((await registry().list({})).transfers).toHaveLength(3);
  });
});
