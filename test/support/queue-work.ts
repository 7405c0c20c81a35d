import { sql } from "kysely";
import { systemClock } from "../../src/clock.ts";
import type { AppError } from "../../src/errors.ts";
import { silentLog } from "../../src/log.ts";
import { openQueues } from "../../src/queue/queues.ts";
import type { RedisSettings } from "../../src/queue/redis-client.ts";
import { startWorkers } from "../../src/queue/start-workers.ts";
import type { IdWorker } from "../../src/queue/worker.ts";
import type { TestDatabase } from "./database.ts";

/** Rooms with units of work in rows, as a worker of the program finds them, and what was done of it. */
export interface QueueWork {
  /** Units that were done, each as "room unit". */
  done: string[];
  /** How often a periodic worker ran. */
  ticks: () => number;
  /** Why a process would have ended. */
  fatal: AppError[];
  /** A process of its own, which runs the workers. */
  start(): Promise<{ wake: (room: string) => Promise<void>; close: () => Promise<void> }>;
  /** Adds units to a room. */
  add(room: string, units: number): Promise<void>;
}

/** A unit is claimed by compare-and-set on its row, as all work of the program is claimed. */
export async function createQueueWork(database: TestDatabase, redis: RedisSettings): Promise<QueueWork> {
  await sql`create table if not exists public.room (id text primary key, units int, done int)`.execute(
    database.query,
  );
  const done: string[] = [];
  const fatal: AppError[] = [];
  let ticks = 0;
  const rooms: IdWorker<void> = {
    name: "rooms",
    concurrency: 2,
    findDue: (_, most) => sql`select id from public.room where done < units limit ${most}`,
    async run(_, id) {
      const { rows } = await sql<{ done: number; units: number }>`
        update public.room set done = done + 1 where id = ${id} and done < units returning done, units
      `.execute(database.query);
      const [row] = rows;
      if (!row) return undefined;
      done.push(`${id} ${row.done}`);
      return row.done < row.units ? 0 : undefined;
    },
  };
  const tick = { name: "tick", every: 200, run: async () => void (ticks += 1) };
  return {
    done,
    ticks: () => ticks,
    fatal,
    async start() {
      const queues = await openQueues(["rooms", "tick"], { database, log: silentLog, redis });
      const running = await startWorkers(queues, [rooms, tick], undefined, {
        log: silentLog,
        clock: systemClock,
        onFatal: (error) => fatal.push(error),
        takeover: { lockDuration: 2_000, stalledInterval: 500 },
      });
      return {
        wake: (room) => queues.wake("rooms", room),
        async close() {
          await running.close();
          await queues.close();
        },
      };
    },
    async add(room, units) {
      await sql`
        insert into public.room values (${room}, ${units}, 0)
        on conflict (id) do update set units = public.room.units + ${units}
      `.execute(database.query);
    },
  };
}
