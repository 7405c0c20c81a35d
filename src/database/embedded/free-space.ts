import { statfs } from "node:fs/promises";
import { AppError } from "../../errors.ts";

/** Below this many free bytes, writing stops: a log segment takes 16 MB, and a full disk breaks the engine. */
export const reserve = 64 * 2 ** 20;
/** Bytes for the files of a new database and its first rows. */
export const firstFiles = 160 * 2 ** 20;

/** Free bytes for this user on a directory's disk. */
export type ReadFreeSpace = (directory: string) => Promise<number>;

export const readFreeSpace: ReadFreeSpace = async (directory) => {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
};

/** Throws `database_unavailable` if there is too little space for a database. */
export function requireFreeSpace(directory: string, free: number, needed: number): void {
  if (free >= needed) return;
  throw new AppError(
    "database_unavailable",
    `The disk of ${directory} is full: ${megabytes(free)} MB are free, Castellan needs ${megabytes(needed)} MB. Free some space and start it again.`,
  );
}

export interface SpaceWatch {
  /** The problem and what to do, for people, while nothing can be written. */
  trouble(): string | undefined;
  stop(): void;
}

/** Milliseconds. */
const interval = 1_000;

/** Checks the free space each second, and calls `onChange` when it falls below the reserve and when it is enough again. */
export function watchFreeSpace(
  directory: string,
  onChange: (isShort: boolean) => Promise<void>,
  readFree: ReadFreeSpace = readFreeSpace,
): SpaceWatch {
  let isShort = false;
  let free = Infinity;
  let looking = false;
  const check = async () => {
    if (looking) return;
    looking = true;
    try {
      free = await readFree(directory);
      // A higher threshold for resuming, so that it does not switch back and forth.
      const now = isShort ? free < reserve * 1.25 : free < reserve;
      if (now === isShort) return;
      await onChange(now);
      isShort = now;
    } catch {
      // Checked again in the next round; an unavailable database is reported elsewhere.
    } finally {
      looking = false;
    }
  };
  const timer = setInterval(() => void check(), interval).unref();
  return {
    trouble: () =>
      isShort
        ? `The disk of ${directory} is nearly full (${megabytes(free)} MB free). Castellan stops working until there is space, and then continues automatically.`
        : undefined,
    stop: () => clearInterval(timer),
  };
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 2 ** 20);
}
