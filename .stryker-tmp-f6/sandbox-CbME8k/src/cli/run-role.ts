// @ts-nocheck
import { createLog } from "../log.ts";
import type { Config } from "../config.ts";
import { start, type Role, type Running } from "../start/start.ts";
import { untilAsked } from "./until-asked.ts";

/** Runs a role until SIGTERM or SIGINT, or until it cannot go on. */
export async function runRole(role: Role, config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL);
  const ending = untilAsked(log);
  const running: Running = await start(role, config, log, ending.giveUp);
  process.stdout.write(`castellan ready: ${[role, ...running.addresses].join(", ")}\n`);
  await ending.asked;
  await ending.within(running.close());
}
