import { asAppError } from "../../errors.ts";
import type { Settings } from "../../settings-file.ts";
import { openSetupFolder, type SetupFolder } from "../../start/setup-folder.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** Where a setup reads and writes; the environment is this process's where there is none. */
export interface SetupPlace {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  out: NodeJS.WritableStream & { isTTY?: boolean };
  environment?: Settings;
}

/** The exit code of what was left with Ctrl-C. */
const wasLeft = 130;

interface SetupSession {
  folder: SetupFolder;
  /** Undefined where nobody sits at one: then nothing is asked. */
  terminal: Terminal | undefined;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/**
 * Runs what asks people and goes on, the next time, from where it was left; gives the exit code. `whenLeft` is said after
 * Ctrl-C.
 */
export async function holdSetupSession(
  { input, out }: SetupPlace,
  options: { dataDirectory: string; purpose: Parameters<typeof openSetupFolder>[1]; whenLeft: string },
  run: (session: SetupSession) => Promise<void>,
): Promise<number> {
  const folder = await openSetupFolder(options.dataDirectory, options.purpose);
  const terminal = input.isTTY && out.isTTY ? openTerminal(input, out) : undefined;
  const interrupted = listenForInterrupt(terminal);
  try {
    await run({ folder, terminal, signal: interrupted.signal });
    return 0;
  } catch (error) {
    if (!interrupted.signal.aborted || !asAppError(error)) throw error;
    out.write(`\nLeft. ${options.whenLeft}\n`);
    return wasLeft;
  } finally {
    interrupted.stop();
    terminal?.close();
    await folder.close();
  }
}

/** Ctrl-C, typed at a terminal whose lines are read, or sent to the process. */
function listenForInterrupt(terminal: Terminal | undefined): {
  signal: AbortSignal;
  stop: () => void;
} {
  const controller = new AbortController();
  const leave = () => controller.abort();
  terminal?.signal.addEventListener("abort", leave);
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, leave);
  return {
    signal: controller.signal,
    stop() {
      for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, leave);
    },
  };
}
