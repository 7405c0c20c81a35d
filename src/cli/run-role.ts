import { createLog } from "../log.ts";
import type { Config } from "../config.ts";
import { isNewDatabase } from "../start/open-database.ts";
import { requireStartable, start, type Role } from "../start/start.ts";
import { untilAsked } from "./until-asked.ts";

/** Runs a role until SIGTERM or SIGINT, or until it cannot go on. */
export async function runRole(role: Role, config: Config): Promise<void> {
  await requireStartable(role, config);
  const log = createLog(config.LOG_LEVEL);
  const ending = untilAsked(log);
  if (isNewDatabase(config)) {
    process.stdout.write(
      `castellan: making a database in ${config.DATA_DIR}; the first start takes some seconds\n`,
    );
  }
  const running = await start(role, config, log, { onFatal: ending.giveUp, signal: ending.signal }).catch(
    (error: unknown) => {
      // What it was asked, or why it gave up, counts; not what failed because of it.
      if (ending.signal.aborted) return undefined;
      throw error;
    },
  );
  if (!running) return ending.within(Promise.resolve());
  process.stdout.write(`castellan ready: ${[role, ...running.addresses].join(", ")}\n`);
  await ending.asked;
  await ending.within(running.close());
}
