import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { AppError, asAppError, explainSystemError } from "../errors.ts";
import { keysFile } from "../start/keys.ts";
import { connectUnlimited } from "../start/open-database.ts";
import { restore } from "../start/restore.ts";
import type { TextOutput } from "../text/show-controls.ts";

/** Creates a data directory from a backup (`-` is standard input), or fills the empty database of DATABASE_URL. */
export async function restoreBackup(config: Config, file: string, out: TextOutput): Promise<void> {
  const { DATA_DIR, DATABASE_URL } = config;
  const connect = DATABASE_URL ? () => connectUnlimited(DATABASE_URL, config) : undefined;
  const names = await restore(DATA_DIR, file === "-" ? process.stdin : await openBackup(file), connect).catch(
    (error: unknown) => {
      const broken = asAppError(error, "invalid_file");
      throw broken ? new AppError("invalid_file", `${file}: ${broken.message}`, { cause: error }) : error;
    },
  );
  const where = DATABASE_URL
    ? `The server of DATABASE_URL and ${DATA_DIR} now contain`
    : `${DATA_DIR} now contains`;
  out.write(`${where} the backup's data: ${names.join(", ")}.\n`);
  if (existsSync(join(DATA_DIR, keysFile))) return;
  out.write(
    `The backup contained no keys. Put the old instance's ${keysFile} into ${DATA_DIR}. Without it Castellan does not start ` +
      "there, unless NEW_KEYS=on lets it make new keys, which change the registry's signer address.\n",
  );
}

async function openBackup(file: string) {
  const handle = await open(file).catch((cause: unknown) => {
    const why = explainSystemError(cause) ?? "it is not a file";
    throw new AppError("invalid_file", `${file} cannot be read: ${why}.`, { cause });
  });
  if ((await handle.stat()).isDirectory()) {
    await handle.close();
    throw new AppError("invalid_file", `${file} is a directory. Give a file.`);
  }
  return handle.createReadStream();
}
