import { createApi } from "../../src/api/create-api.ts";
import { defaultSettings } from "../../src/api/context.ts";
import { createRegistrySigner } from "../../src/api/signatures.ts";
import { systemClock } from "../../src/clock.ts";
import { connectDirectory, connectServer } from "../../src/database/connect.ts";
import { silentLog } from "../../src/log.ts";
import { takeOver } from "../../src/start/take-over.ts";
import { wireBot } from "../../src/start/wire-bot.ts";
import {
  botFid,
  drawer,
  registryKey,
  ruleThreads,
  silentRooms,
  usualSurroundings,
} from "../support/world.ts";

/** Where the rows and jobs of killed processes are. */
export interface BulkPlace {
  /** A directory of the embedded engine, or the address of a server. */
  database: string;
  /** Without it jobs are in the database. */
  redis?: { REDIS_URL: string };
  /** Separates what shares one Redis. */
  prefix: string;
}

/** Both halves as a start of the program makes them, without any worker. Their clock goes so many milliseconds ahead. */
export async function openBulkSite({ database: where }: BulkPlace, ahead = 0) {
  const isServer = where.startsWith("postgres");
  const database = isServer ? connectServer(where) : await connectDirectory(where);
  await takeOver(database);
  const [clock, log] = [{ ...systemClock, now: () => systemClock.now() + ahead }, silentLog];
  const registry = createRegistrySigner(registryKey, defaultSettings.nameDomain);
  const api = createApi({ database, clock, log, settings: defaultSettings, registry });
  const bot = wireBot({
    database,
    clock,
    log,
    ...usualSurroundings,
    network: api.network(botFid),
    botFid,
    settings: {
      channelGuilds: () => new Map(),
      linkBase: "https://castle.test",
      hubShard: undefined,
      hubSeconds: 1,
      hubCallsForPast: 20,
      hubRetention: 3 * 86_400,
      linkLists: { named: [], everySeconds: 3600 },
      webhookHosts: [],
      history: { seconds: 30 * 86_400, events: 1_000_000 },
    },
    wake: async () => {},
    rooms: silentRooms,
    ruleThreads,
    drawer,
  });
  return { database, bot };
}
