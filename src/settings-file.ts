import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { AppError, explainSystemError } from "./errors.ts";

/** Settings by their names, as text: an environment, or what a settings file holds. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** What may come from a file that holds nothing else, named by the same setting with _FILE. */
export const secretSettings = [
  "DATABASE_URL",
  "REDIS_URL",
  "OPERATOR_TOKEN",
  "REGISTRY_KEY",
  "BOT_CUSTODY_KEY",
  "BOT_APP_KEY",
  "KEY_SECRET",
  "DISCORD_TOKEN",
  "DISCORD_CLIENT_SECRET",
  "HUB_URL",
] as const;

/** Where `castellan setup` keeps its answers, and every other command finds them. */
export function settingsFileOf({ SETTINGS_FILE, DATA_DIR }: Settings): string {
  return SETTINGS_FILE || join(DATA_DIR || ".castellan", "settings.env");
}

/** What a file of `NAME=value` lines holds; undefined where there is none. Throws `invalid_configuration`. */
export function readSettingsFile(file: string): Record<string, string> | undefined {
  try {
    // Only what was set has a value.
    return parseEnv(readFileSync(file, "utf8")) as Record<string, string>;
  } catch (cause) {
    // Where not even its directory can be, whoever makes that says so.
    const isAbsent =
      cause instanceof Error && "code" in cause && ["ENOENT", "ENOTDIR"].includes(String(cause.code));
    if (isAbsent) return undefined;
    const why = explainSystemError(cause) ?? String(cause);
    throw new AppError("invalid_configuration", `The settings in ${file} cannot be read: ${why}.`, { cause });
  }
}

/** What a file that holds one secret says, without the line break that editors add; or why it says nothing, without its content. */
export function readSecretFile(file: string): { value: string } | { mistake: string } {
  try {
    const value = readFileSync(file, "utf8")
      .replace(/^\uFEFF/, "")
      .replace(/[\r\n]+$/, "");
    return value === "" ? { mistake: `names ${file}, which is empty` } : { value };
  } catch (cause) {
    const why = explainSystemError(cause);
    if (why === undefined) throw cause;
    return { mistake: `names ${file}, which cannot be read: ${why}` };
  }
}

/** Writes a file that only its owner may read. Whoever dies in the middle leaves the old one as it was. */
export function writeSettingsFile(file: string, settings: Settings): void {
  const lines = Object.entries(settings)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [`${name}=${quote(name, value)}`],
    );
  writePrivateFile(file, `${[head, ...lines].join("\n")}\n`);
}

const head =
  "# Written by castellan setup, which may be run again. What the environment says counts more than what stands here.";

/** Puts a text into a file of mode 0600, whole or not at all. Throws `invalid_file`. */
export function writePrivateFile(file: string, text: string): void {
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
    // The mask of the process may have taken away more than others' rights.
    chmodSync(draft, 0o600);
    renameSync(draft, file);
    flushDirectory(dirname(resolve(file)));
  } catch (cause) {
    rmSync(draft, { force: true });
    const why = explainSystemError(cause);
    if (why === undefined) throw cause;
    throw new AppError("invalid_file", `${file} cannot be written: ${why}. What was there is unchanged.`, {
      cause,
    });
  }
}

/** So that the new name survives a power cut. */
function flushDirectory(directory: string): void {
  const handle = openSync(directory, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** As `node --env-file` and `docker compose` read it back. */
function quote(name: string, value: string): string {
  if (/^[\w./:@,+=-]*$/.test(value)) return value;
  if (!/['\r\n]/.test(value)) return `'${value}'`;
  if (!/["\r\n\\$]/.test(value)) return `"${value}"`;
  throw new AppError(
    "invalid_input",
    `${name} cannot be kept in a settings file: it has a line break, or both kinds of quotation marks.`,
  );
}
