import { mkdir, open, statfs, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "../errors.ts";
import { blockSize, checksumOf, paddingOf } from "./pack.ts";

interface Entry {
  path: string;
  size: number;
  isDirectory: boolean;
}

/** Reads exactly as many bytes as are asked for. */
interface Source {
  /** Fewer only at the end of the archive. */
  take(count: number): Promise<Buffer>;
  /** At most so many, in the pieces in which they come. */
  pieces(count: number): AsyncIterable<Buffer>;
}

/** What an archive may cost, for a small file can unpack to anything. */
export interface UnpackLimits {
  /** Bytes of the disk that stay free. */
  spare: number;
  entries: number;
}

const usualLimits: UnpackLimits = { spare: 256 * 1024 * 1024, entries: 100_000 };

/** Bytes of a file that is read whole and written beside others: for small ones, opening and syncing takes the time. */
const smallFile = 1024 * 1024;
const sideBySide = 8;

/** Zeros that may follow an archive's end: tar fills its last record. */
const paddingLimit = 1024 * 1024;

/**
 * Writes what `pack` packed into a directory that is there, on the disk before it returns. Throws `invalid_file` for
 * anything but a complete archive of plain files, that leads out of the directory, or that the disk cannot hold; a file
 * that is too large is not begun.
 */
export async function unpack(
  archive: AsyncIterable<Uint8Array>,
  directory: string,
  limits: Partial<UnpackLimits> = {},
): Promise<void> {
  const source = readExactly(archive);
  const { spare, entries: mostEntries } = { ...usualLimits, ...limits };
  const writing = new Set<Promise<void>>();
  try {
    for (let entries = 1; ; entries++) {
      const header = await source.take(blockSize);
      if (header.length < blockSize) throw broken("it ends too early");
      if (header.every((byte) => byte === 0)) break;
      if (entries > mostEntries) throw broken(`it holds more than ${mostEntries} files`);
      const entry = readHeader(header);
      const target = join(directory, entry.path);
      await mkdir(entry.isDirectory ? target : dirname(target), { recursive: true, mode: 0o700 });
      if (entry.isDirectory) continue;
      await requireSpace(entry, dirname(target), spare);
      if (entry.size > smallFile) {
        await writeEntry(source.pieces(entry.size), entry, target);
      } else {
        const whole = await source.take(entry.size);
        const written = writeEntry([whole], entry, target).then(() => void writing.delete(written));
        // One that failed stays among them, and is heard of below.
        written.catch(() => {});
        writing.add(written);
        if (writing.size >= sideBySide) await Promise.race(writing);
      }
      await source.take(paddingOf(entry.size));
    }
    await Promise.all(writing);
  } finally {
    // Of several that fail, the first is told; and nothing is written any more when this returns.
    await Promise.allSettled(writing);
  }
  // To its end, so that a checksum of what carries the archive is verified too.
  let padding = 0;
  for await (const rest of source.pieces(Infinity)) {
    padding += rest.length;
    if (padding > paddingLimit || rest.some((byte) => byte !== 0)) throw broken("something follows its end");
  }
}

/** Asked for each file, for others fill the disk meanwhile. */
async function requireSpace({ path, size }: Entry, directory: string, spare: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize - spare;
  if (size <= free) return;
  const megabytes = (bytes: number) => Math.max(0, Math.floor(bytes / 1024 ** 2));
  throw new AppError(
    "invalid_file",
    `The disk is too full for this backup: ${path} needs ${megabytes(size)} MB, and ${megabytes(free)} MB are free beside ` +
      `${megabytes(spare)} MB to spare. Make room, or set DATA_DIR to a larger disk.`,
  );
}

async function writeEntry(
  content: Iterable<Buffer> | AsyncIterable<Buffer>,
  { path, size }: Entry,
  target: string,
): Promise<void> {
  let file: FileHandle;
  try {
    file = await open(target, "wx", 0o600);
  } catch (cause) {
    throw broken(`${path} cannot be written`, cause);
  }
  try {
    let written = 0;
    for await (const piece of content) {
      await file.writeFile(piece);
      written += piece.length;
    }
    if (written < size) throw broken("it ends too early");
    await file.sync();
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ENOSPC")) throw cause;
    throw new AppError("invalid_file", "The disk is full. Make room, or set DATA_DIR to a larger disk.", {
      cause,
    });
  } finally {
    await file.close();
  }
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
