import { createReadStream } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { unpack } from "../../archive/unpack.ts";
import { packageFolder } from "../../package-folder.ts";

/** The files of a database with all tables and no rows, created by the build: see start/create-empty-database.ts. */
export const emptyFiles = join(packageFolder(), "dist", "empty-database.tar.gz");

/** The directory for a database's files, existing or not. */
export interface Place {
  files: string;
  /** Where missing files are created, to be renamed when complete. */
  unfinished?: string;
}

/** Bytes unpacked at a time. The default of 16 KiB takes twice as long. */
const chunkSize = 256 * 1024;

/** Creates the files of an empty database if there are none. */
export async function makeFiles({ files, unfinished }: Place): Promise<void> {
  if (unfinished === undefined) return;
  await mkdir(unfinished, { mode: 0o700 });
  await pipeline(createReadStream(emptyFiles), createGunzip({ chunkSize }), (archive) =>
    unpack(archive, unfinished, { spare: 0 }),
  );
  await rename(unfinished, files);
}
