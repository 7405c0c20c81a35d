import { withTimeout } from "../async.ts";

export interface Part {
  close(): Promise<void>;
}

/** What is open so far, to be closed in the opposite order: at the end, and when a later part does not open. */
export interface OpenedParts {
  keep: <T extends Part>(part: T) => T;
  /** What opens after that is closed at once. The first failure is thrown when everything was closed. */
  close: () => Promise<void>;
}

export function createOpenedParts(): OpenedParts {
  const opened: Part[] = [];
  let closed = false;
  return {
    keep(part) {
      if (closed) part.close().catch(() => {});
      else opened.push(part);
      return part;
    },
    async close() {
      closed = true;
      const failures: unknown[] = [];
      for (let part = opened.pop(); part; part = opened.pop()) {
        await part.close().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Opens parts with `open`; when that fails, closes what it kept, but waits for that no longer than `patience` ms. */
export async function openAll<T>(open: (parts: OpenedParts) => Promise<T>, patience = 3_000): Promise<T> {
  const parts = createOpenedParts();
  try {
    return await open(parts);
  } catch (error) {
    const closed = parts.close().catch(() => {});
    await withTimeout(closed, patience, () => {});
    throw error;
  }
}
