import { afterAll, describe, expect, test } from "vitest";
import { createServerDatabase } from "../support/database.ts";
import { startTestDiscord } from "../support/discord.ts";
import { makeDataDirectory, runProgram } from "../support/program.ts";
import { hasServer } from "../support/services.ts";

const token = "the.token.of.this.test";
const keys = {
  REGISTRY_KEY: "ab".repeat(32),
  BOT_CUSTODY_KEY: "cd".repeat(32),
  BOT_APP_KEY: "ef".repeat(32),
  OPERATOR_TOKEN: "an-operator-token-of-enough-characters",
};

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
