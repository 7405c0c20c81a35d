import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { AppError, explainSystemError } from "../errors.ts";
import { keysFile } from "../start/keys.ts";
import { connectUnlimited } from "../start/open-database.ts";
import { restore } from "../start/restore.ts";
import type { TextOutput } from "../text/show-controls.ts";

/** Makes the data directory of a backup (`-` is standard input), or fills the empty database of DATABASE_URL. */
export async function restoreBackup(config: Config, file: string, out: TextOutput): Promise<void> {
  const { DATA_DIR, DATABASE_URL } = config;
  const connect = DATABASE_URL ? () => connectUnlimited(DATABASE_URL, config) : undefined;
  const names = await restore(DATA_DIR, file === "-" ? process.stdin : await openBackup(file), connect);
  const where = DATABASE_URL
    ? `The server of DATABASE_URL and ${DATA_DIR} now hold`
    : `${DATA_DIR} now holds`;
  out.write(`${where} what the backup held: ${names.join(", ")}.\n`);
  if (existsSync(join(DATA_DIR, keysFile))) return;
  out.write(
    `The backup held no keys. Put ${keysFile} of the old instance into ${DATA_DIR}: without it Castellan does not start ` +
      "there, unless NEW_KEYS=on lets it make new ones, with which its registry signs as a different signer.\n",
  );
}

async function openBackup(file: string) {
  const handle = await open(file).catch((cause: unknown) => {
    const why = explainSystemError(cause) ?? "it is not a file";
    throw new AppError("invalid_file", `${file} cannot be read: ${why}.`, { cause });
  });
  return handle.createReadStream();
}
