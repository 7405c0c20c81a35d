import { open, readdir } from "node:fs/promises";
import { join } from "node:path";

/** The block size of a tar archive: a header's size, and the multiple to which contents are padded. */
export const blockSize = 512;

const fileMode = 0o600;
const directoryMode = 0o700;
/** The checksum's position in a header; it is computed with blanks in its place. */
const checksumAt = 148;

/** The entry of a directory, in the POSIX tar format (ustar). */
export function packDirectory(path: string): Buffer {
  return packHeader(`${path}/`, 0, directoryMode, "5");
}

/** The entry of a file with this content, readable only by its owner. */
export function packContent(path: string, content: Uint8Array): Buffer {
  const header = packHeader(path, content.length, fileMode, "0");
  return Buffer.concat([header, content, Buffer.alloc(paddingOf(content.length))]);
}

/**
 * The entry of a file on disk with its length at opening: later additions are omitted, and truncated parts read as
 * zeros. Nothing if the file does not exist.
 */
export async function* packFile(path: string, file: string): AsyncGenerator<Uint8Array> {
  const handle = await openIfThere(file);
  if (!handle) return;
  try {
    const { size } = await handle.stat();
    yield packHeader(path, size, fileMode, "0");
    let missing = size;
    if (size > 0) {
      for await (const chunk of handle.createReadStream({ end: size - 1, autoClose: false })) {
        // A read stream without an encoding yields buffers.
        const bytes = chunk as Buffer;
        missing -= bytes.length;
        yield bytes;
      }
    }
    yield* zeros(missing + paddingOf(size));
  } finally {
    await handle.close();
  }
}

/** How much of a path to archive; for a directory, the name alone is possible, too. */
export type Share = "all" | "name" | "nothing";

/** The entries of a directory's contents, in order of name; `shareOf` is called for each path below it. */
export async function* packTree(
  directory: string,
  under: string,
  shareOf: (path: string) => Share = () => "all",
  folder = "",
): AsyncGenerator<Uint8Array> {
  const entries = await readdir(join(directory, folder), { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder + entry.name;
    const share = shareOf(path);
    if (share === "nothing") continue;
    if (entry.isDirectory()) {
      yield packDirectory(under + path);
      if (share === "all") yield* packTree(directory, under, shareOf, `${path}/`);
    } else {
      yield* packFile(under + path, join(directory, path));
    }
  }
}

/** The end of an archive. */
export const archiveEnd: Uint8Array = Buffer.alloc(2 * blockSize);

/** Padding between a content of this size and the next header. */
export function paddingOf(size: number): number {
  return (blockSize - (size % blockSize)) % blockSize;
}

/** The checksum for a header. */
export function checksumOf(header: Uint8Array): number {
  const blank = 0x20;
  return header.reduce((sum, byte, at) => sum + (at >= checksumAt && at < checksumAt + 8 ? blank : byte), 0);
}

function packHeader(path: string, size: number, mode: number, type: "0" | "5"): Buffer {
  const header = Buffer.alloc(blockSize);
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long a name for an archive`);
  header.write(path);
  header.write(
    `${octal(mode, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0${octal(size, 11)}\0${octal(0, 11)}\0`,
    100,
  );
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  header.write(`${octal(checksumOf(header), 6)}\0 `, checksumAt);
  return header;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

function* zeros(count: number): Generator<Uint8Array> {
  const chunk = 64 * 1024;
  for (let left = count; left > 0; left -= chunk) yield Buffer.alloc(Math.min(left, chunk));
}

async function openIfThere(file: string) {
  try {
    return await open(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
