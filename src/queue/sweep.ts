import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { QueueHandle } from "./backend.ts";
import { addJob } from "./queues.ts";
import { noAnswer, noteAlive, notTaken, type RunRecord } from "./rest-after-failure.ts";
import type { IdWorker } from "./worker.ts";

/** Milliseconds between two sweeps. */
export const sweepEvery = 5_000;
/** Ids of one worker that are added in a sweep. */
const maxIds = 200;

export interface SweepOptions<Context> {
  swept: readonly { worker: IdWorker<Context>; queue: QueueHandle; record: RunRecord }[];
  context: Context;
  database: Pick<Database, "query">;
  log: Log;
}

/**
 * Looks now, and every few seconds, which ids have something due, and adds their jobs: those that were lost, as when a process
 * died between a commit and the job, and those whose time has come. By a timer of this process and one statement for all
 * workers; a job that is there already is not added.
 */
export function sweepDue<Context>(options: SweepOptions<Context>): { stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const sweep = async () => {
    await addDue(options).catch((err: unknown) => options.log.debug({ err }, "a sweep failed"));
    if (!isOver) timer = setTimeout(() => void sweep(), sweepEvery).unref();
  };
  void sweep();
  return {
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

async function addDue<Context>(options: SweepOptions<Context>): Promise<void> {
  // What the database does not tell is no worker's fault.
  const due = await findDue(options).catch((err: unknown) => {
    options.log.debug({ err }, "what is due could not be read");
    return [];
  });
  const sweeping = options.swept.map(async ({ worker: { name }, queue, record }) => {
    const ids = due.filter((one) => one.name === name);
    if (ids.length === 0) return noteAlive(record);
    record.obstacle = noAnswer;
    await Promise.all(ids.map(({ id }) => addJob(queue, id)));
    record.obstacle = notTaken;
    await noteProgress(queue, record);
  });
  await Promise.all(sweeping);
}

async function findDue<Context>({
  swept,
  context,
  database,
}: SweepOptions<Context>): Promise<{ name: string; id: string }[]> {
  const each = swept.map(
    ({ worker }) =>
      sql`select ${worker.name}::text as name, id::text from (${worker.findDue(context, maxIds)}) as due`,
  );
  const all = sql<{ name: string; id: string }>`${sql.join(each, sql` union all `)}`;
  return (await all.execute(database.query)).rows;
}

/** Whoever of all processes works on one of the ids, or ended since the last look, shows that the queue is served. */
async function noteProgress(queue: QueueHandle, record: RunRecord): Promise<void> {
  const { active = 0, delayed = 0 } = await queue.getJobCounts("active", "delayed");
  const [last] = await queue.getCompleted(0, 0);
  if (active + delayed > 0 || last?.finishedOn !== record.lastSeen) noteAlive(record);
  if (last?.finishedOn !== undefined) record.lastSeen = last.finishedOn;
}
