/**
 * A process that goes on with what it finds, by the workers that the program has for it, and says again and again how many cases
 * are done; at last that the bulk has ended. Arguments: where (as JSON), the bulk's id, and how far its clock goes ahead, in
 * milliseconds: so it is over what those before it held.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { readBulk } from "../../src/moderation/bulks/bulk.ts";
import { silentLog } from "../../src/log.ts";
import { openQueues } from "../../src/queue/queues.ts";
import { startWorkers } from "../../src/queue/start-workers.ts";
import { idWorkers, workers } from "../../workers/index.ts";
import { openBulkSite } from "./bulk-site.ts";

const Place = z.object({
  database: z.string(),
  redis: z.object({ REDIS_URL: z.string() }).exactOptional(),
  prefix: z.string(),
});

const [where = "", bulkId, ahead] = process.argv.slice(2);
const place = Place.parse(JSON.parse(where));
const { database, bot } = await openBulkSite(place, Number(ahead));
const names = new Set<string>([
  "run-bulks",
  "settle-cases",
  "resolve-echoes",
  "poll-records",
  "poll-listings",
]);
const own = [...workers, ...idWorkers].filter(({ name }) => names.has(name));
const queues = await openQueues([...names], { ...place, database, log: silentLog });
const running = await startWorkers(queues, own, bot, {
  log: silentLog,
  clock: bot.clock,
  // A job of one that died is taken over in seconds, not in a quarter of a minute.
  takeover: { lockDuration: 2_000, stalledInterval: 1_000 },
});
for (let isOpen = true; isOpen; await sleep(15)) {
  const { done } = await database.query
    .selectFrom("castellan.cases")
    .select((cases) => cases.fn.countAll<number>().as("done"))
    .where("bulk_id", "=", Number(bulkId))
    .where("state", "!=", "requested")
    .executeTakeFirstOrThrow();
  process.stdout.write(`${done}\n`);
  isOpen = (await readBulk(database.query, Number(bulkId))).endedAtMs === null;
}
await running.close();
await queues.close();
await database.close();
process.stdout.write("ended\n");
process.exit(0);
