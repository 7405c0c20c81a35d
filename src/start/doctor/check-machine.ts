import { existsSync, readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { isUpToDate } from "../../database/migrate.ts";
import { migrations } from "../../database/migrations/index.ts";
import type { Database } from "../../database/database.ts";
import { asAppError, explainSystemError } from "../../errors.ts";
import { packageFolder } from "../../package-folder.ts";
import { findExposure, settingsFileOf } from "../../settings-file.ts";
import { keysFile } from "../keys.ts";
import { amount } from "../../text/amount.ts";
import { ok, unknown, wrong, type Finding } from "./finding.ts";

/** Below this the database may stop taking changes within days. Bytes. */
const minFree = 512 * 2 ** 20;
/** The clock may differ so much from the services', in milliseconds. */
const maxAhead = 5_000;

export function checkVersions(): Finding {
  // Our own manifest has a version.
  const { version } = JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")) as {
    version: string;
  };
  return ok("Versions", `Castellan ${version}, Node ${process.version}`);
}

/** Whether the settings, the installation's keys and the secret of the bot's key are kept from others. */
export function checkSecretFiles(
  config: Pick<Config, "SETTINGS_FILE" | "DATA_DIR" | "KEY_SECRET_FILE">,
): Finding[] {
  const file = settingsFileOf(config);
  const exposed = [file, join(config.DATA_DIR, keysFile), config.KEY_SECRET_FILE].flatMap((secret) => {
    const exposure = secret && findExposure(secret);
    if (!secret || !exposure) return [];
    const fix = `Give it to the user that runs Castellan, and close it: chmod 600 ${secret}. If others may have read it, replace what it holds.`;
    return [wrong("Settings", `${secret} ${exposure}, and holds secrets.`, fix)];
  });
  if (exposed.length > 0) return exposed;
  return existsSync(file)
    ? [ok("Settings", `${file}, readable by its owner alone`)]
    : [ok("Settings", `from the environment alone; there is no ${file}`)];
}

export async function checkDisk({ DATA_DIR }: Pick<Config, "DATA_DIR">): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(DATA_DIR);
    const free = bavail * bsize;
    const told = `${DATA_DIR} has ${describeSize(free)} free`;
    if (free >= minFree) return ok("Disk", told);
    return wrong("Disk", `${told}.`, "Make room, or move DATA_DIR: without room nothing can be stored.");
  } catch (cause) {
    const why = explainSystemError(cause);
    if (why === undefined) throw cause;
    if (!existsSync(DATA_DIR))
      return unknown("Disk", `${DATA_DIR} is not there yet.`, "castellan start makes it.");
    return wrong(
      "Disk",
      `${DATA_DIR} cannot be looked at: ${why}.`,
      "Set DATA_DIR to a directory that Castellan may write.",
    );
  }
}

function describeSize(bytes: number): string {
  const megabytes = bytes / 2 ** 20;
  return megabytes < 1024 ? `${Math.floor(megabytes)} MB` : `${(megabytes / 1024).toFixed(1)} GB`;
}

/** Whether the database answers, takes changes, and is of this version. */
export async function checkDatabase(database: Database): Promise<Finding> {
  const part = `Database (${database.engine === "embedded" ? "embedded" : "server"})`;
  try {
    const trouble = database.trouble();
    if (trouble !== undefined) return wrong(part, trouble, "Make room on the disk, or check the server's.");
    if (await isUpToDate(database)) {
      return ok(part, `up to date: ${Object.keys(migrations).at(-1)}`);
    }
    return wrong(part, "holds nothing of Castellan's yet.", "Start Castellan once: castellan start.");
  } catch (error) {
    const known = asAppError(error);
    return wrong(
      part,
      known?.message ?? "does not answer.",
      "Start the database server, or check DATABASE_URL; the log has the cause.",
    );
  }
}

/** The machine's clock beside what the services named as their time, in milliseconds. */
export function checkClock(skews: readonly number[]): Finding {
  const sorted = skews.toSorted((one, other) => one - other);
  const ahead = sorted[sorted.length >> 1];
  if (ahead === undefined) return unknown("Clock", "No service told its time.");
  if (Math.abs(ahead) <= maxAhead) return ok("Clock", "as the services' clocks");
  const way = ahead > 0 ? "ahead of" : "behind";
  return wrong(
    "Clock",
    `is ${amount(Math.round(Math.abs(ahead) / 1000), "second")} ${way} the services'.`,
    "Let NTP set it (timedatectl set-ntp true): tokens of a wrong clock are refused.",
  );
}
