import { asAppError } from "../../errors.ts";
import type { Settings } from "../../settings-file.ts";
import { openSetupFolder, type SetupFolder } from "../../start/setup-folder.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** A setup's input and output. Without an environment, this process's is used. */
export interface SetupPlace {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  out: NodeJS.WritableStream & { isTTY?: boolean };
  environment?: Settings;
  /** The working folder, which may have a `.env`. */
  folder?: string;
}

/** The exit code after Ctrl-C. */
const wasLeft = 130;

interface SetupSession {
  folder: SetupFolder;
  /** Undefined if standard input is not a terminal. Then nothing is asked. */
  terminal: Terminal | undefined;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/**
 * Runs an interactive command that can be interrupted and continued later. Returns the exit code. `whenLeft` is
 * printed after Ctrl-C.
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

/** Ctrl-C, either typed at a terminal or sent to the process as a signal. */
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
