import { createWriteStream, existsSync, readFileSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import { privateKeyToAddress } from "viem/accounts";
import { z } from "zod";
import { packContent } from "../archive/pack.ts";
import type { Config } from "../config.ts";
import { AppError, explainSystemError } from "../errors.ts";
import { keysFile, readKeys } from "../start/keys.ts";
import { askInstance } from "./ask-instance.ts";

const Refusal = z.object({ errors: z.tuple([z.object({ message: z.string() })], z.unknown()) });
const Signer = z.object({ signer: z.string() });

/**
 * Writes a backup of the running instance to a file (`-` is standard output), which it never overwrites: what the
 * instance sends, and before that the keys, which it does not send, from the data directory.
 */
export async function backUp(
  config: Config,
  file: string,
  out: NodeJS.WriteStream,
  notes: NodeJS.WritableStream,
): Promise<void> {
  refuseOtherData(config);
  requireNewFile(file);
  const archive = await askForBackup(config);
  const keys = await packKeys(config);
  async function* parts() {
    // Archives that are gzipped each for itself are one archive together.
    if (keys) yield gzipSync(keys);
    yield* archive;
  }
  if (file === "-") await pipeline(parts, out);
  else await writeWhole(file, parts());
  notes.write(describeBackup(file, keys !== undefined));
}

/** Refuses a file that is there: a backup overwrites nothing. */
export function requireNewFile(file: string): void {
  if (file === "-" || !existsSync(file)) return;
  throw new AppError("invalid_file", `${file} cannot be written: it exists already.`);
}

export function describeBackup(file: string, hasKeys: boolean): string {
  const held = hasKeys
    ? "the data and the keys: keep it secret"
    : `the data, but no keys: keep ${keysFile} too`;
  return `${file === "-" ? "The backup" : file} holds ${held}.\n`;
}

function refuseOtherData({ DATABASE_URL, NETWORK }: Config): void {
  if (DATABASE_URL) {
    throw new AppError(
      "invalid_configuration",
      `The data is on the server of DATABASE_URL: back it up with pg_dump, and ${keysFile} of DATA_DIR with it; or write "castellan backup --portable FILE".`,
    );
  }
  if (NETWORK === "live") {
    throw new AppError(
      "invalid_configuration",
      'With NETWORK=live nothing listens that could be asked: stop the instance and write "castellan backup --portable FILE".',
    );
  }
}

/** What the running instance sends as its backup. */
export async function askForBackup(config: Config): Promise<Readable> {
  const response = await askInstance(config, "/operator/backup");
  const type = response.headers.get("content-type");
  if (response.ok && response.body && type === "application/gzip") {
    return Readable.fromWeb(response.body);
  }
  const refusal = Refusal.safeParse(await response.json().catch(() => undefined)).data;
  const message = refusal?.errors[0].message ?? `The instance answered ${response.status}.`;
  throw new AppError("network_failed", message, { status: response.status });
}

/** The entry of the keys, if those of DATA_DIR are the running instance's. */
export async function packKeys(config: Config): Promise<Buffer | undefined> {
  const keys = readKeys(config.DATA_DIR);
  if (!keys) return undefined;
  const signer = Signer.safeParse(await (await askInstance(config, "/signer")).json()).data?.signer;
  if (signer?.toLowerCase() !== privateKeyToAddress(keys.registryKey).toLowerCase()) {
    throw new AppError(
      "invalid_configuration",
      `${config.DATA_DIR} has the keys of another instance. Set DATA_DIR to the directory of the one that runs.`,
    );
  }
  return packContent(keysFile, readFileSync(join(config.DATA_DIR, keysFile)));
}

/** The file gets its name when it is whole. */
export async function writeWhole(file: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const unfinished = `${file}.unfinished`;
  try {
    await pipeline(parts, createWriteStream(unfinished, { mode: 0o600, flush: true }));
    await rename(unfinished, file);
  } catch (cause) {
    await rm(unfinished, { force: true });
    const why = explainSystemError(cause) ?? "the instance broke it off";
    throw new AppError("invalid_file", `${file} could not be written to its end: ${why}. Try again.`, {
      cause,
    });
  }
}
