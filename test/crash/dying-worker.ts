/** Runs a worker that begins, says so, and never ends. */
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../src/clock.ts";
import { connectDirectory } from "../../src/database/connect.ts";
import { silentLog } from "../../src/log.ts";
import { openQueues } from "../../src/queue/queues.ts";
import { startWorkers } from "../../src/queue/start-workers.ts";
import type { Worker } from "../../src/queue/worker.ts";

const worker: Worker<undefined> = {
  name: "dying",
  run: async () => {
    process.stdout.write("began\n");
    await sleep(3_600_000);
  },
};
const database = await connectDirectory(process.argv[2] ?? "");
const queues = await openQueues([worker.name], { database, log: silentLog });
await startWorkers(queues, [worker], undefined, { log: silentLog, clock: systemClock });
await queues.wake(worker.name, "left behind");
