import { getPriority, platform, setPriority } from "node:os";

/** Niceness of background work. */
const behind = 5;

/**
 * Lowers the calling thread's priority; when processors are scarce, the process's other threads get three times as
 * much. Only Linux can do this for one thread. Where the system refuses, the thread keeps its priority: the process may
 * have been started with a lower one, and sandboxes forbid the call.
 */
export function runBehind(): void {
  if (platform() !== "linux") return;
  try {
    if (getPriority() < behind) setPriority(behind);
  } catch {
    // Runs at normal priority.
  }
}
