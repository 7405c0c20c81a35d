import { afterAll, describe, expect, test } from "vitest";
import { createServerDatabase } from "../support/database.ts";
import { startTestDiscord } from "../support/discord.ts";
import { makeDataDirectory, runProgram } from "../support/program.ts";
import { hasServer } from "../support/services.ts";
import { custodyOf, keyOf, makeToken, signTransfer } from "../support/signing.ts";

const token = "the.token.of.this.test";
const keys = {
  REGISTRY_KEY: "ab".repeat(32),
  BOT_CUSTODY_KEY: "cd".repeat(32),
  BOT_APP_KEY: "ef".repeat(32),
  OPERATOR_TOKEN: "an-operator-token-of-enough-characters",
};

/** What one of two processes was told holds at the other, and a signed request that comes again there does nothing. */
async function expectOneNetwork(first: string, second: string): Promise<void> {
  const fid = 7;
  const post = async (url: string, body: unknown, bearer?: string) => {
    const headers = {
      "content-type": "application/json",
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  };
  const accounts = [
    { fid, custodyAddress: custodyOf(fid).address, appKeys: [await keyOf(fid)] },
    { fid: 8, custodyAddress: custodyOf(8).address },
  ];
  expect(await post(`${first}/operator/network`, { accounts }, keys.OPERATOR_TOKEN)).toMatchObject({
    status: 200,
  });
  const now = Math.floor(Date.now() / 1000);
  const token = await makeToken(fid, now + 300);
  const block = (network: string) => post(`${network}/fc/blocked-users`, { blockFid: 8 }, token);
  expect([await block(second), await block(first)]).toMatchObject([{ status: 200 }, { status: 200 }]);
  const blocked = async (network: string) => (await fetch(`${network}/fc/blocked-users`)).json();
  expect(await blocked(first)).toMatchObject({ result: { blockedUsers: [{ blockedFid: 8 }] } });
  expect(await blocked(second)).toEqual(await blocked(first));

  const transfer = await signTransfer({ name: "alice", from: 0, to: fid, timestamp: now });
  const registered = await post(`${first}/transfers`, transfer);
  expect(registered).toMatchObject({ status: 200, body: { transfer: { username: "alice", to: fid } } });
  expect(await post(`${second}/transfers`, transfer)).toEqual(registered);
  const listed = await fetch(`${second}/transfers?name=alice`);
  expect(await listed.json()).toMatchObject({ transfers: [{ username: "alice", to: fid }] });
}

describe.runIf(hasServer)("several processes on one database", { timeout: 180_000 }, () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  test("take the keys from the settings; one without keys makes none, and says what it needs", async () => {
    const [database, discord, home] = await Promise.all([
      createServerDatabase(),
      startTestDiscord({ token }),
      makeDataDirectory(),
    ]);
    closing.push(database.drop, discord.stop, home.remove);
    const shared = { DATABASE_URL: database.url, NETWORK: "empty", DATA_DIR: `${home.directory}/none` };
    const begin = async () => {
      const program = runProgram(["api"], { ...shared, ...keys });
      closing.push(() => program.end());
      return (await program.ready).network;
    };
    const first = await begin();
    const second = await begin();
    const signerOf = async (network: string) => (await fetch(`${network}/signer`)).json();
    expect(await signerOf(second)).toEqual(await signerOf(first));
    await expectOneNetwork(first, second);

    const bot = { ...shared, DISCORD_TOKEN: token, DISCORD_API: discord.api };
    for (const role of ["bot", "worker"]) {
      const program = runProgram([role], bot);
      expect(await program.exit).toBe(1);
      expect(program.output()).toContain("keys.json is missing, but the database is in use");
      expect(program.output()).toContain("REGISTRY_KEY, BOT_CUSTODY_KEY, BOT_APP_KEY, OPERATOR_TOKEN");
    }
    const worker = runProgram(["worker"], { ...bot, ...keys });
    await worker.ready;
    expect(await worker.end()).toBe(0);
  });
});
