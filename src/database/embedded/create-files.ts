/**
 * Makes the files of an empty database (initdb) and packs them: `create-files <archive>`. It takes several seconds and
 * some hundred megabytes, so the build does it, and a first start unpacks what it made.
 */
import { createWriteStream } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import { archiveEnd, packTree } from "../../archive/pack.ts";
import { engineOptions } from "./pglite.ts";

const [, , archive = ""] = process.argv;
const directory = await mkdtemp(`${archive}-unfinished-`);
try {
  const files = join(directory, "files");
  const instance = await PGlite.create(files, engineOptions);
  await instance.close();
  const unfinished = join(directory, "archive");
  async function* entries() {
    yield* packTree(files, "");
    yield archiveEnd;
  }
  await pipeline(
    Readable.from(entries(), { objectMode: false }),
    createGzip(),
    createWriteStream(unfinished),
  );
  await rename(unfinished, archive);
} finally {
  await rm(directory, { recursive: true });
}
