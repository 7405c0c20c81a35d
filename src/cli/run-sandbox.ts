import { systemClock } from "../clock.ts";
import { secretsOf, type Config } from "../config.ts";
import { createLog, hideInLog } from "../log.ts";
import { readVersion } from "../package-folder.ts";
import { startSandbox } from "../sandbox/start-sandbox.ts";
import { sandboxPeople } from "../sandbox/sample/sample-server.ts";
import { loadKeys, sandboxSecrets } from "../start/keys.ts";
import { runUntilSignal } from "./run-until-signal.ts";

/**
 * Runs only the local Discord. A bot logs in with DISCORD_TOKEN if that is set (it is never printed), otherwise with
 * the printed token, which is useless elsewhere.
 */
export async function runSandbox(config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL, { role: "sandbox", version: await readVersion() });
  const { token, pageSecret } = sandboxSecrets(loadKeys(config.DATA_DIR));
  hideInLog(log, [...secretsOf(config), token, pageSecret]);
  await runUntilSignal(log, async () => {
    const { discord, address } = await startSandbox({
      directory: config.DATA_DIR,
      host: config.SANDBOX_HOST,
      port: config.SANDBOX_PORT,
      token: config.DISCORD_TOKEN ?? token,
      pageSecret,
      people: sandboxPeople,
      clock: systemClock,
      log,
    });
    process.stdout.write(
      `castellan ready: sandbox ${address}\nA bot joins with DISCORD_API=${discord.api} DISCORD_TOKEN=${config.DISCORD_TOKEN ? "as set" : token}\n`,
    );
    return { close: () => discord.stop() };
  });
}
