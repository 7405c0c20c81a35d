import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { AppError, explainSystemError } from "./errors.ts";

/** Settings as text, by name: from an environment or a settings file. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** Settings that may come from a file of their own, named by the same setting with _FILE. */
export const secretSettings = [
  "DATABASE_URL",
  "REDIS_URL",
  "REDIS_SENTINEL_PASSWORD",
  "OPERATOR_TOKEN",
  "REGISTRY_KEY",
  "BOT_CUSTODY_KEY",
  "BOT_APP_KEY",
  "KEY_SECRET",
  "DISCORD_TOKEN",
  "DISCORD_CLIENT_SECRET",
  "HUB_URL",
  "OTEL_EXPORTER_OTLP_HEADERS",
] as const;

/** Where `castellan setup` writes its answers, and every other command reads them. */
export function settingsFileOf({ SETTINGS_FILE, DATA_DIR }: Settings): string {
  return SETTINGS_FILE || join(DATA_DIR || ".castellan", "settings.env");
}

/** Reads a file of `NAME=value` lines; undefined if there is none. Throws `invalid_configuration`. */
export function readSettingsFile(file: string): Record<string, string> | undefined {
  try {
    // parseEnv has no undefined values.
    return parseEnv(readFileSync(file, "utf8")) as Record<string, string>;
  } catch (cause) {
    // A missing directory is reported where it gets created.
    const isAbsent =
      cause instanceof Error && "code" in cause && ["ENOENT", "ENOTDIR"].includes(String(cause.code));
    if (isAbsent) return undefined;
    const why = explainSystemError(cause) ?? String(cause);
    throw new AppError("invalid_configuration", `The settings in ${file} cannot be read: ${why}.`, { cause });
  }
}

/** A secret file's content without the final line break that editors add; or why it has none, as the rest of a sentence. */
export function readSecretFile(file: string): { value: string } | { mistake: string } {
  try {
    const value = readFileSync(file, "utf8")
      .replace(/^\uFEFF/, "")
      .replace(/[\r\n]+$/, "");
    return value === "" ? { mistake: "is empty" } : { value };
  } catch (cause) {
    const why = explainSystemError(cause);
    if (why === undefined) throw cause;
    return { mistake: `cannot be read: ${why}` };
  }
}

/** Writes a file that only its owner can read. After a crash, the old file is unchanged. */
export function writeSettingsFile(file: string, settings: Settings): void {
  const lines = Object.entries(settings)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [`${name}=${quote(name, value)}`],
    );
  writePrivateFile(file, `${[head, ...lines].join("\n")}\n`);
}

const head =
  "# Written by castellan setup, which may be run again. Environment variables override this file.";

/** Writes a text to a file of mode 0600, completely or not at all. Throws `invalid_file`. */
export function writePrivateFile(file: string, text: string): void {
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
    // The umask may have removed the owner's rights, too.
    chmodSync(draft, 0o600);
    renameSync(draft, file);
    flushDirectory(dirname(resolve(file)));
  } catch (cause) {
    rmSync(draft, { force: true });
    const why = explainSystemError(cause);
    if (why === undefined) throw cause;
    throw new AppError("invalid_file", `${file} cannot be written: ${why}. The old file is unchanged.`, {
      cause,
    });
  }
}

/**
 * Why a file is unsafe for a secret: another user owns it, or others can read or write it. Undefined if it is safe or
 * absent. A file of root's, such as a container's secret, may be readable by others, because they cannot have written it.
 */
export function findExposure(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  // Windows has no such owners and modes.
  if (!stats || process.getuid === undefined) return undefined;
  const own = process.getuid();
  if (stats.uid !== own && stats.uid !== 0) {
    return `belongs to another user (uid ${stats.uid})`;
  }
  if ((stats.mode & 0o022) !== 0) return "can be changed by others";
  return stats.uid === own && (stats.mode & 0o077) !== 0 ? "can be read by others" : undefined;
}

/** Makes the new name survive a power cut. */
function flushDirectory(directory: string): void {
  const handle = openSync(directory, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Quoted the way `node --env-file` and `docker compose` read it. */
function quote(name: string, value: string): string {
  if (/^[\w./:@,+=-]*$/.test(value)) return value;
  if (!/['\r\n]/.test(value)) return `'${value}'`;
  if (!/["\r\n\\$]/.test(value)) return `"${value}"`;
  throw new AppError(
    "invalid_input",
    `${name} cannot be stored in a settings file, because it contains a line break or both kinds of quotation marks.`,
  );
}
