import { sql } from "kysely";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { networkChanged } from "../../src/api/network-file/apply-import.ts";
import { addBotAccount } from "../../src/start/bot-account.ts";
import { parseConfig } from "../../src/config.ts";
import { createTestNetwork } from "../support/world.ts";

const net = await createTestNetwork();
const { database } = net.context;
afterAll(() => database.close());

const botFid = 9001;
const key = (digit: string) => `0x${digit.repeat(64)}` as const;
const keys = {
  registryKey: key("7"),
  botCustodyKey: key("5"),
  botAppKey: "3".repeat(64),
  operatorToken: "0".repeat(32),
};
const imported = vi.spyOn(net.api.operator, "importNetwork");

async function add(settings: Record<string, string> = {}): Promise<number> {
  const config = parseConfig({ BOT_FID: String(botFid), ...settings });
  await addBotAccount(net.api, { config, keys, database });
  return imported.mock.calls.length;
}

beforeEach(async () => {
  await database.truncate();
  imported.mockClear();
});

test("an account that is complete is left alone", async () => {
  expect(await add()).toBe(1);
  expect((await net.public.transfers.current({ name: "castellan" })).transfer.to).toBe(botFid);
  expect(await add()).toBe(1);
});

test("an account that another process adds at the same moment is complete", async () => {
  const { importNetwork } = net.api.operator;
  imported.mockImplementationOnce(async (...input) => {
    await importNetwork(...input);
    throw networkChanged();
  });
  await add();
  expect((await net.public.transfers.current({ name: "castellan" })).transfer.to).toBe(botFid);
  imported.mockClear();
  expect(await add()).toBe(0);
});

test("another failure is not tried again", async () => {
  imported.mockRejectedValueOnce(new Error("the disk is full"));
  await expect(add()).rejects.toThrow("the disk is full");
  expect(imported).toHaveBeenCalledOnce();
});

test.each([
  ["its application key", sql`delete from network.app_keys`],
  ["its place on the allowlist", sql`delete from network.bot_allowlist`],
])("%s is added where it is missing", async (_, removal) => {
  await add();
  await removal.execute(database.query);
  expect(await add()).toBe(2);
  expect(await add()).toBe(2);
});

test("a new application key is added to those it has", async () => {
  await add();
  expect(await add({ BOT_APP_KEY: "4".repeat(64) })).toBe(2);
  const { rows } = await sql<{ count: number }>`select count(*)::int from network.app_keys`.execute(
    database.query,
  );
  expect(rows).toEqual([{ count: 2 }]);
});
