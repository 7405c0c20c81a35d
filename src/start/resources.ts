import { withTimeout } from "../async.ts";

/** What has to be closed. */
export interface Resource {
  close(): Promise<void>;
}

/** What is open so far, to be closed in the opposite order: at the end, and when something later does not open. */
export interface Resources {
  /** Remembers what was opened, and gives it back. What opens after the closing began is closed at once. */
  use: <T extends Resource>(resource: T) => T;
  /** The first failure is thrown when everything was closed. */
  close: () => Promise<void>;
}

function createResources(): Resources {
  const opened: Resource[] = [];
  let closed = false;
  return {
    use(resource) {
      if (closed) resource.close().catch(() => {});
      else opened.push(resource);
      return resource;
    },
    async close() {
      closed = true;
      const failures: unknown[] = [];
      for (let resource = opened.pop(); resource; resource = opened.pop()) {
        await resource.close().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/**
 * Milliseconds that what was opened may take to close when something later does not open: workers in the middle of a run take
 * longest (`queue/start-workers.ts`), and the database goes after them.
 */
const timeoutMs = 6_000;

/** Opens something of several resources; where that fails, those that are open are closed before it throws. */
export async function openAll<T>(open: (resources: Resources) => Promise<T>): Promise<T> {
  const resources = createResources();
  try {
    return await open(resources);
  } catch (error) {
    const closed = resources.close().catch(() => {});
    await withTimeout(closed, timeoutMs, () => {});
    throw error;
  }
}
