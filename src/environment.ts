import { join } from "node:path";
import { AppError } from "./errors.ts";
import { readSettingsFile, secretSettings, settingsFileOf, type Settings } from "./settings-file.ts";

export const ownEnvironment: Settings = process.env;

/** Written by hand, in the working folder. */
export const handwritten = ".env";

/**
 * This process's environment, then the answers of `castellan setup`, then `.env` in the working folder, which may also
 * name the file of those answers. Earlier ones win. Throws `invalid_configuration`.
 */
export function readSettings(environment = ownEnvironment, folder = "."): Settings {
  const own = withoutEmpty(environment);
  const written = readHandwritten(folder);
  const where = { ...written, ...own };
  const stored = readSettingsFile(settingsFileOf(where));
  if (!stored && where["SETTINGS_FILE"]) throw missing(where["SETTINGS_FILE"]);
  return layOver(layOver(written, withoutEmpty(stored ?? {})), own);
}

/** Without its settings, the sandbox would start in place of the bot. */
function missing(file: string): AppError {
  return new AppError(
    "invalid_configuration",
    `SETTINGS_FILE names ${file}, which does not exist. castellan setup writes it.`,
  );
}

/** The settings of `.env` in the working folder. */
export function readHandwritten(folder = "."): Settings {
  return withoutEmpty(readSettingsFile(join(folder, handwritten)) ?? {});
}

/** `more` overrides `less`; a secret and its _FILE setting override each other. */
export function layOver(less: Settings, more: Settings): Settings {
  const replaced = secretSettings.flatMap((name) => {
    const both = [name, `${name}_FILE`];
    return both.some((each) => more[each] !== undefined) ? both : [];
  });
  const kept = Object.entries(less).filter(([name]) => !replaced.includes(name));
  return { ...Object.fromEntries(kept), ...more };
}

/** An empty setting counts as not set. */
export function withoutEmpty(settings: Settings): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ""));
}
