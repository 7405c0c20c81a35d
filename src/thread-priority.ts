import { getPriority, platform, setPriority } from "node:os";

/** Niceness of what runs behind all else. */
const behind = 5;

/**
 * Puts the calling thread behind the others of the process where processors are short: they get three times as much. Only Linux
 * sets this for a thread alone. A system that refuses runs it as before: nobody is allowed to lower what the process was
 * started with, and sandboxes forbid the call as such.
 */
export function runBehind(): void {
  if (platform() !== "linux") return;
  try {
    if (getPriority() < behind) setPriority(behind);
  } catch {
    // It only takes its turn as everything else does.
  }
}
