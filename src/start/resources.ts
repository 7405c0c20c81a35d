import { withTimeout } from "../async.ts";

/** A resource that must be closed. */
export interface Resource {
  close(): Promise<void>;
}

/** Open resources, which are closed in reverse order at the end, or if a later one fails to open. */
export interface Resources {
  /** Registers an opened resource and returns it. One that opens after closing has begun is closed at once. */
  use: <T extends Resource>(resource: T) => T;
  /** Throws the first failure after everything is closed. */
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
 * Milliseconds that resources have for closing if a later one fails to open. Workers in the middle of a run take
 * longest (`queue/start-workers.ts`), and the database closes after them.
 */
const timeoutMs = 6_000;

/** Opens something from several resources. If that fails, closes those that are open before it throws. */
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
