import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readKeySecret } from "../../config.ts";
import { AppError, asAppError, explainSystemError } from "../../errors.ts";
import { findExposure, writePrivateFile, type Settings } from "../../settings-file.ts";

/** The secret that encrypts the bot's key, and its place. The file's path is a setting, but the secret is not. */
export interface KeySecret {
  secret: string;
  /** undefined if the environment has the secret. */
  file: string | undefined;
}

/** Outside the data directory, so that a copy of that directory does not contain both. */
function usualSecretFile(dataDirectory: string): string {
  return `${resolve(dataDirectory)}.secret`;
}

/** By default next to the data directory, in a folder that may belong to root. */
function makeSecret(file: string): void {
  try {
    writePrivateFile(file, `${randomBytes(32).toString("hex")}\n`);
  } catch (cause) {
    const why = explainSystemError(asAppError(cause)?.cause);
    if (why === undefined) throw cause;
    throw new AppError(
      "invalid_file",
      `${file} cannot be written: ${why}. The secret that encrypts the bot's key belongs there. Name a file in another folder with --secret-file, or set KEY_SECRET.`,
      { cause },
    );
  }
}

/** The secret from the environment or a file, which is created if missing. Throws `invalid_configuration`, `invalid_file`. */
export function openKeySecret({ KEY_SECRET, KEY_SECRET_FILE }: Settings, dataDirectory: string): KeySecret {
  const file = KEY_SECRET ? undefined : resolve(KEY_SECRET_FILE ?? usualSecretFile(dataDirectory));
  if (file !== undefined && !existsSync(file)) {
    makeSecret(file);
  }
  const exposure = file === undefined ? undefined : findExposure(file);
  if (exposure !== undefined) {
    throw new AppError(
      "invalid_configuration",
      `${file} contains the secret that encrypts the bot's key, but ${exposure}. If the secret is yours, make the user that runs Castellan its owner and remove other permissions (chown, chmod 600). If you do not know where it comes from, remove it and run this again. Castellan then makes a new secret, and replaces a key that was encrypted with the old one.`,
    );
  }
  try {
    return { secret: readKeySecret({ KEY_SECRET, KEY_SECRET_FILE: file }), file };
  } catch (cause) {
    const known = asAppError(cause);
    if (!known) throw cause;
    throw new AppError("invalid_configuration", `The bot's key ${known.message}.`, { cause });
  }
}
