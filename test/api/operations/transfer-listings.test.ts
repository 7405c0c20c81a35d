import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApi, type Api } from "../../../src/api/create-api.ts";
import { createTestContext, type TestContext } from "../../support/world.ts";
import { custodyOf, signTransfer, type SignedTransfer, type TransferInput } from "../../support/signing.ts";

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

const sign = (transfer: Omit<SignedTransfer, "timestamp"> & { timestamp?: number }) =>
  signTransfer({ timestamp: now(), ...transfer });
const post = async (input: TransferInput | Promise<TransferInput>) =>
  (await registry().create(await input)).transfer;
/** Registers a name and lets a second pass, so that the next claim is later. */
async function register(name: string, fid: number) {
  const transfer = await post(sign({ name, from: 0, to: fid }));
  context.clock.advance(1);
  return transfer;
}
const ids = async (input: Parameters<ReturnType<typeof registry>["list"]>[0]) =>
  (await registry().list(input)).transfers.map((transfer) => transfer.id);

describe("GET /transfers", () => {
  beforeEach(async () => {
    await register("alice", 1); // 1
    await register("bob", 2); // 2
    await post(sign({ name: "alice", from: 1, to: 3, timestamp: now() + 100 })); // 3
    await post(sign({ name: "carol", from: 0, to: 1 })); // 4, timestamp before 3's
  });

  it.each([
    [{}, [1, 2, 3, 4]],
    [{ from_id: 1 }, [2, 3, 4]],
    [{ fromId: "2" }, [3, 4]],
    [{ name: "alice" }, [1, 3]],
    [{ fname: "bo\0b" }, [2]],
    [{ fid: 1 }, [1, 3, 4]],
    [{ fid: "3", name: "alice" }, [3]],
    [{ fid: 0, from_id: "", name: "", from_ts: "x" }, [1, 2, 3, 4]],
    [{ fid: 77 }, []],
  ])("%o gives %o", async (input, expected) => {
    expect(await ids(input)).toEqual(expected);
  });

  it("orders by time, then by id, after from_ts", async () => {
    const { timestamp } = (await registry().list({})).transfers[0] ?? { timestamp: 0 };
    expect(await ids({ from_ts: timestamp })).toEqual([2, 4, 3]);
    expect(await ids({ from_ts: timestamp - 1, fid: 1 })).toEqual([1, 4, 3]);
  });

  it("gives 100 a page", async () => {
    const row = { owner: "0x", from_fid: 0, to_fid: 5, user_signature: "0x", server_signature: "0x" };
    const rows = Array.from({ length: 150 }, (_, n) => ({
      ...row,
      id: 10 + n,
      timestamp: n,
      username: `n${n}`,
    }));
    await context.database.query.insertInto("network.transfers").values(rows).execute();
    expect(await ids({})).toHaveLength(100);
    expect((await ids({ from_id: 105 }))[0]).toBe(106);
  });
});

describe("GET /transfers/current", () => {
  it("looks by fid first, else by name, else for the latest of all", async () => {
    await expect(registry().current({})).rejects.toThrow("No transfer found");
    await register("alice", 1);
    await register("bob", 2);
    const current = async (input: object) => (await registry().current(input)).transfer.username;
    expect(await current({ fid: "1", name: "bob" })).toBe("alice");
    expect(await current({ fname: "alice" })).toBe("alice");
    expect(await current({ fid: "", name: "alice" })).toBe("alice");
    expect(await current({})).toBe("bob");
  });

  it.each(["x", " ", "1,5"])("refuses fid %s", async (fid) => {
    await expect(registry().current({ fid })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("finds nothing for an unknown name or fid", async () => {
    await expect(registry().current({ name: "x" })).rejects.toMatchObject({
      code: "not_found",
      message: "No transfer found",
    });
    await expect(registry().current({ fid: 0 })).rejects.toMatchObject({
      code: "not_found",
      message: "Could not resolve current name",
    });
  });
});

describe("the registry itself", () => {
  it("tells its time and that it answers", async () => {
    expect(await api.network().registryInfo.currentTime({})).toEqual({ currentTime: now() });
    expect(await api.network().registryInfo.health({})).toEqual({ status: "ok" });
  });
});
