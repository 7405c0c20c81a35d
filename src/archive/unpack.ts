import { closeSync, fsync, openSync, writeFileSync } from "node:fs";
import { mkdir, open, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { AppError } from "../errors.ts";
import { blockSize, checksumOf, paddingOf } from "./pack.ts";

interface Entry {
  path: string;
  size: number;
  isDirectory: boolean;
}

/** Reads exactly the requested number of bytes. */
interface Source {
  /** Returns fewer only at the end of the archive. */
  take(count: number): Promise<Buffer>;
  /** At most that many bytes, in the pieces in which they arrive. */
  pieces(count: number): AsyncIterable<Buffer>;
}

/** Limits for an archive, because a small file can unpack to any size. */
interface UnpackLimits {
  /** Bytes that must remain free on disk. */
  spare: number;
  entries: number;
}

const usualLimits: UnpackLimits = { spare: 256 * 1024 * 1024, entries: 100_000 };

/** Up to this many bytes, files are read whole and synced concurrently, because syncing takes most of the time. */
const smallFile = 1024 * 1024;
const sideBySide = 8;
/** Bytes of small files between checks of the free space, because others may fill the disk in the meantime. */
const askedEvery = 4 * 1024 * 1024;

/** Maximum zeros after an archive's end, because tar pads its last record. */
const paddingLimit = 1024 * 1024;

/**
 * Unpacks an archive made by `pack` into an existing directory, synced to disk before it returns. Throws `invalid_file`
 * unless it is a complete archive of plain files inside the directory that fits on the disk; a file that is too large
 * is not begun.
 */
export async function unpack(
  archive: AsyncIterable<Uint8Array>,
  directory: string,
  limits: Partial<UnpackLimits> = {},
): Promise<void> {
  const source = readExactly(archive);
  const { spare, entries: maxEntries } = { ...usualLimits, ...limits };
  const syncing = new Set<Promise<void>>();
  const folders = new Set<string>();
  let allowed = -1;
  try {
    for (let entries = 1; ; entries++) {
      const header = await source.take(blockSize);
      if (header.length < blockSize) throw broken("it ends too early");
      if (header.every((byte) => byte === 0)) break;
      if (entries > maxEntries) throw broken(`it contains more than ${maxEntries} files`);
      const entry = readHeader(header);
      const target = join(directory, entry.path);
      const folder = entry.isDirectory ? target : dirname(target);
      if (!folders.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
      folders.add(folder);
      if (entry.isDirectory) continue;
      allowed -= entry.size;
      if (allowed < 0) allowed = Math.min(askedEvery, await requireSpace(entry, folder, spare));
      if (entry.size > smallFile) {
        await writeLarge(source.pieces(entry.size), entry, target);
      } else {
        const written = writeSmall(await source.take(entry.size), entry, target);
        const synced = written.then(() => void syncing.delete(synced));
        // A failed one stays in the set and is reported below.
        synced.catch(() => {});
        syncing.add(synced);
        if (syncing.size >= sideBySide) await Promise.race(syncing);
      }
      await source.take(paddingOf(entry.size));
    }
    await Promise.all(syncing);
  } finally {
    // If several fail, the first error is thrown; when this returns, all writes have ended.
    await Promise.allSettled(syncing);
  }
  // Reads to the end, so that the checksum of the enclosing format is verified, too.
  let padding = 0;
  for await (const rest of source.pieces(Infinity)) {
    padding += rest.length;
    if (padding > paddingLimit || rest.some((byte) => byte !== 0)) throw broken("something follows its end");
  }
}

/** The bytes that can still be written after this file, which must fit. */
async function requireSpace({ path, size }: Entry, directory: string, spare: number): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize - spare;
  if (size <= free) return free - size;
  const megabytes = (bytes: number) => Math.max(0, Math.floor(bytes / 1024 ** 2));
  throw new AppError(
    "invalid_file",
    `The disk is too full for this backup: ${path} needs ${megabytes(size)} MB, but only ${megabytes(free)} MB are free besides ` +
      `${megabytes(spare)} MB in reserve. Make room, or set DATA_DIR to a larger disk.`,
  );
}

async function writeLarge(content: AsyncIterable<Buffer>, entry: Entry, target: string): Promise<void> {
  const file = await open(target, "wx", 0o600).catch((cause: unknown) => {
    throw notWritten(entry, cause);
  });
  try {
    let written = 0;
    for await (const piece of content) {
      await file.writeFile(piece);
      written += piece.length;
    }
    if (written < entry.size) throw broken("it ends too early");
    await file.sync();
  } catch (cause) {
    throw explainFull(cause);
  } finally {
    await file.close();
  }
}

const toDisk = promisify(fsync);

/** Writes synchronously, because awaiting several short calls takes longer; the caller can continue during the sync. */
async function writeSmall(content: Buffer, entry: Entry, target: string): Promise<void> {
  if (content.length < entry.size) throw broken("it ends too early");
  const file = openNew(entry, target);
  try {
    writeFileSync(file, content);
    await toDisk(file);
  } catch (cause) {
    throw explainFull(cause);
  } finally {
    closeSync(file);
  }
}

function openNew(entry: Entry, target: string): number {
  try {
    return openSync(target, "wx", 0o600);
  } catch (cause) {
    throw notWritten(entry, cause);
  }
}

function notWritten({ path }: Entry, cause: unknown): AppError {
  return broken(`${path} cannot be written`, cause);
}

function explainFull(cause: unknown): unknown {
  if (!(cause instanceof Error && "code" in cause && cause.code === "ENOSPC")) return cause;
  return new AppError("invalid_file", "The disk is full. Make room, or set DATA_DIR to a larger disk.", {
    cause,
  });
}

function readHeader(header: Buffer): Entry {
  const text = (from: number, length: number) =>
    (header.toString("utf8", from, from + length).split("\0")[0] ?? "").trim();
  const type = text(156, 1);
  const path = text(0, 100).replace(/\/$/, "");
  const size = Number.parseInt(text(124, 12), 8);
  if (Number.parseInt(text(148, 8), 8) !== checksumOf(header)) throw broken("a checksum is wrong");
  if ((type !== "0" && type !== "5") || !(size >= 0)) throw broken(`${path} is not a plain file`);
  if (path.split("/").some((part) => part === "" || part === "." || part === "..") || path.includes("\\")) {
    throw broken(`${path} leads out of the directory`);
  }
  return { path, size, isDirectory: type === "5" };
}

function readExactly(archive: AsyncIterable<Uint8Array>): Source {
  const chunks = archive[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  async function* pieces(count: number): AsyncIterable<Buffer> {
    for (let left = count; left > 0;) {
      if (rest.length === 0) {
        const next = await chunks.next();
        if (next.done) return;
        rest = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
      }
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }
  const take = async (count: number) => {
    const taken: Buffer[] = [];
    for await (const piece of pieces(count)) taken.push(piece);
    return Buffer.concat(taken);
  };
  return { take, pieces };
}

function broken(how: string, cause?: unknown): AppError {
  return new AppError("invalid_file", `Not a complete Castellan backup: ${how}. Use another one.`, {
    cause,
  });
}
