// @ts-nocheck
import { mkdirSync } from "node:fs";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { createLog } from "../log.ts";
import { startSandbox } from "../sandbox/start-sandbox.ts";
import { sandboxPeople } from "../sandbox/world.ts";
import { sandboxToken } from "../start/sandbox.ts";
import { untilAsked } from "./until-asked.ts";

/** Runs only the local Discord: a bot logs in with the token and the address that it prints. */
export async function runSandbox(config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL);
  const ending = untilAsked(log);
  mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const token = config.DISCORD_TOKEN ?? sandboxToken;
  const discord = await startSandbox({
    directory: config.DATA_DIR,
    host: config.HOST,
    port: config.SANDBOX_PORT,
    token,
    people: sandboxPeople,
    clock: systemClock,
    log,
  });
  process.stdout.write(
    `castellan ready: sandbox ${discord.origin}\nA bot joins with DISCORD_API=${discord.api} DISCORD_TOKEN=${token}\n`,
  );
  await ending.asked;
  await ending.within(discord.stop());
}
