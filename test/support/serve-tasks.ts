import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { parseConfig } from "../../src/config.ts";
import { silentLog } from "../../src/log.ts";
import { createHealth, type Health } from "../../src/start/health.ts";
import { serveHealth } from "../../src/start/serve-health.ts";

/** A running instance that serves these tasks of the operator's commands, the settings to reach it, and an empty folder. */
export async function serveTasks(offer: (health: Health) => void) {
  const folder = await mkdtemp(join(tmpdir(), "castellan-tasks-"));
  const token = "s".repeat(32);
  const health = createHealth();
  health.operatorToken = token;
  offer(health);
  const served = await serveHealth(parseConfig({ PORT: "0" }), health, {
    isReady: () => true,
    log: silentLog,
  });
  return {
    folder,
    config: parseConfig({ PORT: new URL(served.origin).port, OPERATOR_TOKEN: token, DATA_DIR: folder }),
    close: async () => {
      await served.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** A command's output. */
export async function said(run: (out: PassThrough) => Promise<unknown>): Promise<string> {
  const out = new PassThrough({ encoding: "utf8" });
  await run(out);
  return String(out.read());
}
