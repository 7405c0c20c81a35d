import { createLog } from "../log.ts";
import { findRemoved, type Config } from "../config.ts";
import { readVersion } from "../package-folder.ts";
import { isNewDatabase } from "../start/open-database.ts";
import type { Role } from "../start/role.ts";
import { requireStartable, start } from "../start/start.ts";
import { runUntilSignal } from "./run-until-signal.ts";

/** Runs a role until SIGTERM or SIGINT, or until it cannot continue. */
export async function runRole(role: Role, config: Config): Promise<void> {
  await requireStartable(role, config);
  const build = { role, version: await readVersion() };
  const log = createLog(config.LOG_LEVEL, build);
  for (const removed of findRemoved()) log.warn(removed);
  await runUntilSignal(log, async ({ signal, giveUp }) => {
    if (isNewDatabase(config)) {
      process.stdout.write(
        `castellan: creating a database in ${config.DATA_DIR}; the first start takes a few seconds\n`,
      );
    }
    const running = await start(role, config, log, { onFatal: giveUp, signal, version: build.version });
    process.stdout.write(`castellan ready: ${[role, ...running.addresses].join(", ")}\n`);
    return running;
  });
}
