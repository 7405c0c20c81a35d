import { createChat, type Chat } from "../support/bot-in-discord.ts";
import { createServerDatabase } from "../support/database.ts";
import { startTestDiscord, type TestDiscord } from "../support/discord.ts";
import { makeDataDirectory, makeFilledDirectory, runProgram, type Program } from "../support/program.ts";
import { hasServer, startRedis } from "../support/services.ts";
import { secretOf } from "../support/signing.ts";
import { startLiveProcess, type LiveProcess } from "./live-process.ts";

/**
 * Castellan as it is run on the live network, every part a process of its own but the local Discord: one `castellan start`
 * on the embedded database; where the tests have servers, `api`, `bot` and two workers on PostgreSQL and Redis.
 */
export interface LiveSite extends Chat {
  live: LiveProcess;
  /** Of every part. */
  settings: Record<string, string>;
  discord: TestDiscord;
  /** Settles when all of Castellan is up. */
  start(): Promise<void>;
  /** Ends all of Castellan as a crash would. */
  kill(): Promise<void>;
  /** Ends all of it as an operator does; gives the exit codes. */
  end(): Promise<number[]>;
  /** All that Castellan has written, since its first start. */
  log(): string;
  /** Stops whatever there is. */
  close(): Promise<void>;
}

export const botFid = 9001;

const token = "the.token.of.a.live.site";
const roles = hasServer ? ["api", "bot", "worker", "worker"] : ["start"];

export async function openLiveSite(): Promise<LiveSite> {
  const [live, discord, storage] = await Promise.all([
    startLiveProcess(),
    startTestDiscord({ token }),
    openStorage(),
  ]);
  await live.controls.addPerson(botFid, { name: "castellan" });
  const settings = {
    NETWORK: "live",
    BOT_FID: String(botFid),
    BOT_APP_KEY: secretOf(botFid).toString("hex"),
    CLIENT_API_URL: live.urls.client,
    REGISTRY_URL: live.urls.registry,
    HUB_URL: live.urls.hub,
    DISCORD_TOKEN: token,
    DISCORD_API: discord.api,
    ...storage.settings,
  };
  const ended: string[] = [];
  let running: Program[] = [];

  async function endAll<Result>(end: (program: Program) => Promise<Result>): Promise<Result[]> {
    const ending = running;
    running = [];
    const results = await Promise.all(ending.map(end));
    ended.push(...ending.map((program) => program.output()));
    return results;
  }

  const kill = async () => {
    await endAll((program) => {
      program.child.kill("SIGKILL");
      return program.exit;
    });
  };
  return {
    ...createChat(discord),
    settings,
    live,
    discord,
    async start() {
      running = roles.map((role) => runProgram([role], settings));
      await Promise.all(running.map(({ ready }) => ready));
    },
    kill,
    end: () => endAll((program) => program.end()),
    log: () => [...ended, ...running.map((program) => program.output())].join("\n"),
    async close() {
      await kill();
      await Promise.all([live.stop(), discord.stop(), storage.close()]);
    },
  };
}

interface Storage {
  settings: Record<string, string>;
  close(): Promise<unknown>;
}

async function openStorage(): Promise<Storage> {
  if (!hasServer) {
    const { directory, remove } = await makeFilledDirectory();
    return { settings: { DATA_DIR: directory }, close: remove };
  }
  const [home, database, redis] = await Promise.all([
    makeDataDirectory(),
    createServerDatabase(),
    startRedis(),
  ]);
  const settings = { DATA_DIR: home.directory, DATABASE_URL: database.url, REDIS_URL: redis.url };
  const close = async () => {
    await Promise.all([database.drop(), redis.kill()]);
    await home.remove();
  };
  return { settings, close };
}
