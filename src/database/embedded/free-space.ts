import { statfs } from "node:fs/promises";
import { AppError } from "../../errors.ts";

/** Bytes below which nothing more is written: a log segment takes 16 MB, and the engine never comes back from a full disk. */
export const reserve = 64 * 2 ** 20;
/** Bytes that the files of a new database and its first rows take. */
export const firstFiles = 160 * 2 ** 20;

/** Bytes that a directory's disk has left for this user. */
export type ReadFreeSpace = (directory: string) => Promise<number>;

export const readFreeSpace: ReadFreeSpace = async (directory) => {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
};

/** Throws `database_unavailable` where a database could not be worked with. */
export function requireFreeSpace(directory: string, free: number, needed: number): void {
  if (free >= needed) return;
  throw new AppError(
    "database_unavailable",
    `The disk of ${directory} is full: ${megabytes(free)} MB are free, Castellan needs ${megabytes(needed)} MB. Make room and start it again.`,
  );
}

export interface SpaceWatch {
  /** For people, while nothing can be written: what is wrong and what to do. */
  trouble(): string | undefined;
  stop(): void;
}

/** Milliseconds. */
const interval = 1_000;

/** Looks at the free space each second, and calls `onChange` when it falls below the reserve or is enough again. */
export function watchFreeSpace(
  directory: string,
  onChange: (isShort: boolean) => Promise<void>,
  readFree: ReadFreeSpace = readFreeSpace,
): SpaceWatch {
  let isShort = false;
  let free = Infinity;
  let looking = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    try {
      free = await readFree(directory);
      // Not at the same mark, or it would go to and fro.
      const now = isShort ? free < reserve * 1.25 : free < reserve;
      if (now === isShort) return;
      await onChange(now);
      isShort = now;
    } catch {
      // Looked at again at the next turn; a database that is gone says so itself.
    } finally {
      looking = false;
    }
  };
  const timer = setInterval(() => void look(), interval).unref();
  return {
    trouble: () =>
      isShort
        ? `The disk of ${directory} is nearly full (${megabytes(free)} MB free). Castellan writes nothing and does nothing until there is room, and then carries on by itself.`
        : undefined,
    stop: () => clearInterval(timer),
  };
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 2 ** 20);
}
