import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApi, type Api } from "../../../src/api/create-api.ts";
import { contract } from "../../../src/contract/index.ts";
import { recordStatements } from "../../support/database.ts";
import { createTestContext, type TestContext } from "../../support/world.ts";

const { list } = contract.transfers;

let context: TestContext;
let api: Api;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.database.close());
beforeEach(async () => {
  await context.database.truncate();
  api = createApi(context);
});

/** Names of several bytes a letter cannot be registered, but the length of JSON is one of bytes. */
async function register(from: number, until: number): Promise<void> {
  const rows = Array.from({ length: until - from + 1 }, (_, index) => ({
    id: from + index,
    timestamp: 1_700_000_000 + index,
    username: from + index === 150 ? "späte" : `name-${from + index}`,
    owner: `0x${(from + index).toString(16).padStart(40, "0")}`,
    from_fid: 0,
    to_fid: from + index,
    user_signature: "0x",
    server_signature: "0x",
  }));
  await context.database.query.insertInto("network.transfers").values(rows).execute();
}

const cached = async (input: object) => (await api.callCached(list, input))?.bytes.toString();
const stored = (input: object) => api.callText(list, input);

describe("a page of transfers from the cache", () => {
  it("is what the database says, wherever it begins", async () => {
    await register(1, 350);
    for (let from = 0; from <= 200; from += 1) {
      expect(await cached({ from_id: from })).toBe(await stored({ from_id: from }));
    }
    expect(await cached({})).toBe(await stored({}));
  });

  it("is asked of the database once for each hundred", async () => {
    await register(1, 350);
    const statements = await recordStatements(async () => {
      for (let from = 0; from <= 200; from += 1) await cached({ fromId: from });
    });
    expect(statements.length).toBe(3);
  });

  it("is none where it may grow, or is asked by more than a position", async () => {
    await register(1, 250);
    for (const from_id of [101, 150, 200, 201, 250, 1000]) expect(await cached({ from_id })).toBeUndefined();
    for (const filter of [
      { name: "name-7" },
      { fid: 7 },
      { from_ts: 7 },
      { from_id: -1 },
      { from_id: 0.5 },
    ]) {
      expect(await cached(filter)).toBeUndefined();
    }
    await register(251, 300);
    expect(await cached({ from_id: 150 })).toBe(await stored({ from_id: 150 }));
  });

  it("is none where an id is missing", async () => {
    await register(1, 42);
    await register(44, 220);
    expect([await cached({}), await cached({ from_id: 50 })]).toEqual([undefined, undefined]);
    expect(await cached({ from_id: 100 })).toBe(await stored({ from_id: 100 }));
  });
});
