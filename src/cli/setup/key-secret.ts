import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readKeySecret } from "../../config.ts";
import { AppError, asAppError } from "../../errors.ts";
import { findExposure, writePrivateFile, type Settings } from "../../settings-file.ts";

/** What the bot's key is encrypted with, and where it stands; the file is a setting, the secret itself is none. */
export interface KeySecret {
  secret: string;
  /** undefined where the environment holds it. */
  file: string | undefined;
}

/** Beside the data directory, so that a copy of that directory does not hold both. */
function usualSecretFile(dataDirectory: string): string {
  return `${resolve(dataDirectory)}.secret`;
}

/** The secret of the environment, or of a file, which is made where it is not there. Throws `invalid_configuration`, `invalid_file`. */
export function openKeySecret({ KEY_SECRET, KEY_SECRET_FILE }: Settings, dataDirectory: string): KeySecret {
  const file = KEY_SECRET ? undefined : resolve(KEY_SECRET_FILE ?? usualSecretFile(dataDirectory));
  if (file !== undefined && !existsSync(file)) {
    writePrivateFile(file, `${randomBytes(32).toString("hex")}\n`);
  }
  const exposure = file === undefined ? undefined : findExposure(file);
  if (exposure !== undefined) {
    throw new AppError(
      "invalid_configuration",
      `${file} holds the secret that encrypts the bot's key, but ${exposure}. If the secret is yours, give the file to the user that runs Castellan and close it (chown, chmod 600). If you do not know where it comes from, remove it and run this again: a new secret is made, and a key that was encrypted with the old one is replaced.`,
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
