/**
 * A process that works on a backlog with the program's own workers, and reports when each post was sent and how Discord
 * responded. Arguments: the location of rows and jobs, and the address of the local Discord (as JSON).
 */
import { z } from "zod";
import { systemClock } from "../src/clock.ts";
import { createRooms } from "../src/discord/rooms.ts";
import type { Rooms } from "../src/feed/rooms.ts";
import { silentLog } from "../src/log.ts";
import { openQueues } from "../src/queue/queues.ts";
import { startWorkers } from "../src/queue/start-workers.ts";
import { wireBot } from "../src/start/wire-bot.ts";
import { openBulkSite } from "../test/crash/bulk-site.ts";
import { testToken } from "../test/support/discord.ts";
import { idWorkers, workers } from "../workers/index.ts";

export type BacklogNews =
  | { kind: "ready" }
  | { kind: "refused" }
  /** Milliseconds since 1970. */
  | { kind: "posted"; roomId: string; begun: number; ended: number };

const Arguments = z.object({
  database: z.string(),
  redis: z.object({ REDIS_URL: z.string() }).exactOptional(),
  prefix: z.string(),
  api: z.string(),
  names: z.array(z.string()),
});

const tell = (news: BacklogNews) => process.send?.(news);
const { api, names, ...place } = Arguments.parse(JSON.parse(process.argv[2] ?? ""));
const { database, bot } = await openBulkSite(place);
const refusals: NonNullable<Parameters<typeof createRooms>[0]["refusals"]> = {
  watch: (makeRequest) => async (url, init) => {
    const response = await makeRequest(url, init);
    if (response.status === 429) tell({ kind: "refused" });
    return response;
  },
  reserve: () => 0,
};
const rooms = createRooms({ token: testToken, api, onRefused: () => {}, refusals });
const post: Rooms["post"] = async (roomId, message) => {
  const begun = Date.now();
  const id = await rooms.post(roomId, message);
  tell({ kind: "posted", roomId, begun, ended: Date.now() });
  return id;
};
const own = idWorkers.filter(({ name }) => names.includes(name));
const all = [...workers, ...idWorkers].map(({ name }) => name);
const queues = await openQueues(all, { ...place, database, log: silentLog });
const context = wireBot({ ...bot, wake: queues.wake, rooms: { ...rooms, post } });
await startWorkers(queues, own, context, { log: silentLog, clock: systemClock });
process.once("disconnect", () => process.exit());
tell({ kind: "ready" });
