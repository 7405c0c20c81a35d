import { createApi } from "../../src/api/create-api.ts";
import { defaultSettings } from "../../src/api/context.ts";
import { createRegistrySigner } from "../../src/api/signatures.ts";
import { systemClock } from "../../src/clock.ts";
import { connectDirectory } from "../../src/database/connect.ts";
import { silentLog } from "../../src/log.ts";
import { wireBot } from "../../src/start/wire-bot.ts";
import {
  botFid,
  drawer,
  registryKey,
  ruleThreads,
  silentRooms,
  usualSurroundings,
} from "../support/world.ts";

/** Both halves on a directory, in this process alone, without any worker. */
export async function openBulkSite(directory: string) {
  const database = await connectDirectory(directory);
  const [clock, log] = [systemClock, silentLog];
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
      hubCallsForPast: 20,
      hubRetention: 3 * 86_400,
      protocolChannels: false,
      linkLists: { named: [], everySeconds: 3600 },
      history: { seconds: 30 * 86_400, events: 1_000_000 },
    },
    wake: async () => {},
    rooms: silentRooms,
    ruleThreads,
    drawer,
  });
  return { database, bot };
}
