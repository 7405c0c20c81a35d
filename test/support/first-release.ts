import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { brotliDecompressSync } from "node:zlib";
import { z } from "zod";
import { unpack } from "../../src/archive/unpack.ts";

const fixture = (ending: string) => new URL(`../fixtures/data-directory-0.1.0${ending}`, import.meta.url);

/** Puts the data directory of version 0.1.0, with rows in every table, into an empty directory. */
export async function unpackFirstRelease(directory: string): Promise<void> {
  const archive = brotliDecompressSync(await readFile(fixture(".tar.br")));
  await unpack(Readable.from([archive], { objectMode: false }), directory);
}

/** How many rows each of its tables has. */
export async function countFirstRelease(): Promise<Record<string, number>> {
  const text = await readFile(fixture(".rows.json"), "utf8");
  return z.record(z.string(), z.number()).parse(JSON.parse(text));
}
