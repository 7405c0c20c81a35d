import { createReadStream } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { unpack } from "../../archive/unpack.ts";
import { packageFolder } from "../../package-folder.ts";

/** The files of a database with all tables and no rows, which the build made: see start/create-empty-database.ts. */
export const emptyFiles = join(packageFolder(), "dist", "empty-database.tar.gz");

/** Where the files of a database are, or are to be. */
export interface Place {
  files: string;
  /** Where they are made first, if they are not there: they get their name when they are complete. */
  unfinished?: string;
}

/** Bytes unpacked at a time. The default of 16 KiB takes twice as long. */
const chunkSize = 256 * 1024;

/** Makes the files of an empty database, where there are none. */
export async function makeFiles({ files, unfinished }: Place): Promise<void> {
  if (unfinished === undefined) return;
  await mkdir(unfinished, { mode: 0o700 });
  await pipeline(createReadStream(emptyFiles), createGunzip({ chunkSize }), (archive) =>
    unpack(archive, unfinished, { spare: 0 }),
  );
  await rename(unfinished, files);
}
