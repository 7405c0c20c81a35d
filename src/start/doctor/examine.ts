import type { BotContext } from "../../bot-context.ts";
import { readPrivateKey } from "../../client/token.ts";
import type { Config } from "../../config.ts";
import type { Refusals } from "../../discord/count-refusals.ts";
import type { Log } from "../../log.ts";
import { checkBotProcesses } from "./check-bot-processes.ts";
import { checkChannels } from "./check-channels.ts";
import { checkConnections } from "./check-connections.ts";
import { checkConsole } from "./check-console.ts";
import { checkDiscord, checkRooms } from "./check-discord.ts";
import { checkHubs } from "./check-hubs.ts";
import { checkKeyCalls } from "./check-key-calls.ts";
import { checkKey, publicKeyOf } from "./check-key.ts";
import { checkClock, checkDatabase, checkDisk, checkSecretFiles, checkVersions } from "./check-machine.ts";
import { checkRedis } from "./check-redis.ts";
import { checkLinkLists } from "./check-link-lists.ts";
import { checkClientApi, checkRegistry } from "./check-services.ts";
import { createDiscordReader } from "./discord-rest.ts";
import { ok, unknown, type Finding } from "./finding.ts";
import { createProbe } from "./probe.ts";

export interface Examined {
  config: Config;
  log: Log;
  /** The installation's data, if available; without it channels and rooms are unknown. */
  data: Pick<BotContext, "database" | "network" | "botFid"> | undefined;
  /** Counts the calls that Discord refuses. */
  refusals?: Pick<Refusals, "watch"> | undefined;
  /** Whether a person asked, so that the key can be tested with a call. Otherwise the record of the bot's calls is enough. */
  triesKey?: boolean;
  signal?: AbortSignal;
}

/** Checks everything that Castellan needs, once, and changes nothing. A failure in one part does not hide the others. */
export async function examine({
  config,
  log,
  data,
  refusals,
  triesKey = true,
  signal,
}: Examined): Promise<Finding[]> {
  const probe = createProbe(signal && { signal });
  const discord =
    config.DISCORD_TOKEN === undefined
      ? undefined
      : createDiscordReader({ token: config.DISCORD_TOKEN, api: config.DISCORD_API, refusals });
  const live = config.NETWORK === "live";
  const run = (part: string, check: () => Promise<Finding | Finding[]>) => guard(log, part, check);

  // First, because their answers give the time, which tokens need.
  const services = live
    ? await Promise.all([
        run("Client API", () => checkClientApi(config, probe)),
        run("Registry", () => checkRegistry(config, probe)),
        run("Hub", () => checkHubs(config, probe)),
      ])
    : [];
  const signer = {
    fid: config.BOT_FID,
    privateKey: Buffer.from(config.BOT_APP_KEY ?? "", "hex"),
  };
  const findings = await Promise.all([
    run("Versions", async () => checkVersions()),
    run("Settings", async () => checkSecretFiles(config)),
    run("Disk", () => checkDisk(config)),
    run("Console", async () => checkConsole(config)),
    ...(data ? [run("Database", () => checkDatabase(data.database))] : []),
    ...(config.REDIS_URL === undefined ? [] : [run("Redis", () => checkRedis(config, data))]),
    ...(data?.database.engine === "server"
      ? [
          run("Connections", () => checkConnections(data.database, config)),
          run("Bot processes", () => checkBotProcesses(data.database)),
        ]
      : []),
    ...(live ? [] : [run("Network", async () => ok("Network", `embedded (NETWORK=${config.NETWORK})`))]),
    ...services.map(async (found) => found),
    ...(live
      ? [
          run("Key", () => checkKey(config, signer, probe)),
          run("Key", async () =>
            checkKeyCalls(config, await publicKeyOf(readPrivateKey(signer.privateKey)), data, triesKey),
          ),
          run("Clock", async () => checkClock(probe.skews)),
        ]
      : []),
    discord
      ? run("Discord", () => checkDiscord(config, discord))
      : run("Discord", async () => ok("Discord", "replaced by the sandbox: DISCORD_TOKEN is not set")),
    ...(data ? [run("Link lists", () => checkLinkLists(data.database, config.LINK_LISTS))] : []),
    ...(data ? [run("Channels", () => checkChannels(data))] : []),
    ...(data && discord ? [run("Rooms", () => checkRooms(data.database, discord))] : []),
  ]);
  return findings.flat();
}

async function guard(log: Log, part: string, check: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await check()].flat();
  } catch (err) {
    log.error({ err, part }, "doctor could not check a part");
    return [unknown(part, "could not be checked; the log has the cause.")];
  }
}
