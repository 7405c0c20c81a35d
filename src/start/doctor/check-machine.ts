import { existsSync, readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { isUpToDate } from "../../database/migrate.ts";
import { migrations } from "../../database/migrations/index.ts";
import type { Database } from "../../database/database.ts";
import { asAppError, explainSystemError } from "../../errors.ts";
import { packageFolder } from "../../package-folder.ts";
import { handwritten, readHandwritten } from "../../environment.ts";
import { findExposure, secretSettings, settingsFileOf } from "../../settings-file.ts";
import { keysFile } from "../keys.ts";
import { amount } from "../../text/amount.ts";
import { ok, unknown, wrong, type Finding } from "./finding.ts";

/** Free bytes below which the database may become read-only within days. */
const minFree = 512 * 2 ** 20;
/** Allowed difference from the services' clocks in milliseconds. */
const maxAhead = 5_000;

export function checkVersions(): Finding {
  // Our own manifest always has a version.
  const { version } = JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")) as {
    version: string;
  };
  return ok("Versions", `Castellan ${version}, Node ${process.version}`);
}

/**
 * Whether other users can read the settings, also those in `.env` of the working folder, the installation's keys and the secret
 * of the bot's key.
 */
export function checkSecretFiles(
  config: Pick<Config, "SETTINGS_FILE" | "DATA_DIR" | "KEY_SECRET_FILE">,
  folder = ".",
): Finding[] {
  const file = settingsFileOf(config);
  const own = readHandwritten(folder);
  const isSecret = secretSettings.some((name) => own[name] !== undefined);
  const written = isSecret ? join(folder, handwritten) : undefined;
  const exposed = [file, written, join(config.DATA_DIR, keysFile), config.KEY_SECRET_FILE].flatMap(
    (secret) => {
      const exposure = secret && findExposure(secret);
      if (!secret || !exposure) return [];
      const fix = `Make the user that runs Castellan its owner, and run chmod 600 ${secret}. If others may have read it, replace the secrets in it.`;
      return [wrong("Settings", `${secret} ${exposure}, and contains secrets.`, fix)];
    },
  );
  if (exposed.length > 0) return exposed;
  if (existsSync(file)) return [ok("Settings", `${file}, readable only by its owner`)];
  const from = Object.keys(own).length > 0 ? `${handwritten} and the environment` : "the environment only";
  return [ok("Settings", `from ${from}; there is no ${file}`)];
}

export async function checkDisk({ DATA_DIR }: Pick<Config, "DATA_DIR">): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(DATA_DIR);
    const free = bavail * bsize;
    const told = `${DATA_DIR} has ${describeSize(free)} free`;
    if (free >= minFree) return ok("Disk", told);
    return wrong("Disk", `${told}.`, "Free space, or move DATA_DIR: without space nothing can be stored.");
  } catch (cause) {
    const why = explainSystemError(cause);
    if (why === undefined) throw cause;
    if (!existsSync(DATA_DIR))
      return unknown("Disk", `${DATA_DIR} does not exist yet.`, "castellan start makes it.");
    return wrong(
      "Disk",
      `${DATA_DIR} cannot be read: ${why}.`,
      "Set DATA_DIR to a directory that Castellan can write to.",
    );
  }
}

function describeSize(bytes: number): string {
  const megabytes = bytes / 2 ** 20;
  return megabytes < 1024 ? `${Math.floor(megabytes)} MB` : `${(megabytes / 1024).toFixed(1)} GB`;
}

/** Whether the database answers, accepts changes, and has this version. */
export async function checkDatabase(database: Database): Promise<Finding> {
  const part = `Database (${database.engine === "embedded" ? "embedded" : "server"})`;
  try {
    const trouble = database.trouble();
    if (trouble !== undefined) return wrong(part, trouble, "Free disk space, or check the server's disk.");
    if (await isUpToDate(database)) {
      return ok(part, `up to date: ${Object.keys(migrations).at(-1)}`);
    }
    return wrong(part, "contains no Castellan data yet.", "Start Castellan once: castellan start.");
  } catch (error) {
    const known = asAppError(error);
    return wrong(
      part,
      known?.message ?? "does not answer.",
      "Start the database server, or check DATABASE_URL; the log has the cause.",
    );
  }
}

/** How far the machine's clock is ahead of the services' clocks, in milliseconds. */
export function checkClock(skews: readonly number[]): Finding {
  const sorted = skews.toSorted((one, other) => one - other);
  const ahead = sorted[sorted.length >> 1];
  if (ahead === undefined) return unknown("Clock", "No service returned its time.");
  if (Math.abs(ahead) <= maxAhead) return ok("Clock", "in line with the services' clocks");
  const way = ahead > 0 ? "ahead of" : "behind";
  return wrong(
    "Clock",
    `is ${amount(Math.round(Math.abs(ahead) / 1000), "second")} ${way} the services'.`,
    "Let NTP set it (timedatectl set-ntp true), because services refuse tokens with a wrong time.",
  );
}
