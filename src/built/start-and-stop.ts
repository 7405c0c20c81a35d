import { createLog } from "../log.ts";
import { parseConfig } from "../config.ts";
import { start } from "../start/start.ts";

/** Starts everything on a new data directory with the sample network, and stops it again; nobody else sees of it. */
export async function startAndStop(directory: string): Promise<void> {
  const config = parseConfig({
    DATA_DIR: directory,
    PORT: "0",
    SANDBOX_PORT: "0",
    CONSOLE_PORT: "0",
    SANDBOX_TRAFFIC: "off",
  });
  const failed = new AbortController();
  const running = await start("start", config, createLog("error"), {
    onFatal: (error) => failed.abort(error),
    signal: failed.signal,
  });
  await running.close();
}
