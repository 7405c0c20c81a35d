import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { QueueHandle } from "./backend.ts";
import { addJob } from "./queues.ts";
import { noAnswer, noteAlive, notTaken, type RunRecord } from "./rest-after-failure.ts";
import type { IdWorker } from "./worker.ts";

/** Milliseconds between sweeps. */
export const sweepEvery = 5_000;
/** Maximum ids of one worker per sweep. */
const maxIds = 200;

export interface SweepOptions<Context> {
  swept: readonly { worker: IdWorker<Context>; queue: QueueHandle; record: RunRecord }[];
  context: Context;
  database: Pick<Database, "query">;
  log: Log;
}

/**
 * Finds due ids now and every few seconds, and adds their jobs: those that were lost, for example when a process died
 * between commit and job, and those whose time has come. Uses this process's own timer and one statement for all
 * workers; existing jobs are not added again.
 */
export function sweepDue<Context>(options: SweepOptions<Context>): { stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let isFailing = false;
  /** Logged once for each outage, because nothing else reports it. A failing database is no worker's fault. */
  const findDueOrNone = async () => {
    try {
      const due = await findDue(options);
      isFailing = false;
      return due;
    } catch (err) {
      options.log[isFailing ? "debug" : "warn"]({ err }, "could not read which ids are due");
      isFailing = true;
      return [];
    }
  };
  const sweep = async () => {
    const adding = findDueOrNone().then((due) => addDue(options, due));
    await adding.catch((err: unknown) => options.log.debug({ err }, "a sweep failed"));
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

interface DueId {
  /** The worker. */
  name: string;
  id: string;
}

async function addDue<Context>({ swept }: SweepOptions<Context>, due: readonly DueId[]): Promise<void> {
  const sweeping = swept.map(async ({ worker: { name }, queue, record }) => {
    const ids = due.filter((one) => one.name === name);
    if (ids.length === 0) return noteAlive(record);
    record.obstacle = noAnswer;
    await Promise.all(ids.map(({ id }) => addJob(queue, id)));
    record.obstacle = notTaken;
    await noteProgress(queue, record);
  });
  await Promise.all(sweeping);
}

async function findDue<Context>({ swept, context, database }: SweepOptions<Context>): Promise<DueId[]> {
  const each = swept.map(
    ({ worker }) =>
      sql`select ${worker.name}::text as name, id::text from (${worker.findDue(context, maxIds)}) as due`,
  );
  const all = sql<DueId>`${sql.join(each, sql` union all `)}`;
  return (await all.execute(database.query)).rows;
}

/** A job of any process, running or ended since the last check, shows that the queue is served. */
async function noteProgress(queue: QueueHandle, record: RunRecord): Promise<void> {
  const { active = 0, delayed = 0 } = await queue.getJobCounts("active", "delayed");
  const [last] = await queue.getCompleted(0, 0);
  if (active + delayed > 0 || last?.finishedOn !== record.lastSeen) noteAlive(record);
  if (last?.finishedOn !== undefined) record.lastSeen = last.finishedOn;
}
