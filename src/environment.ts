import { join } from "node:path";
import { readSettingsFile, secretSettings, settingsFileOf, type Settings } from "./settings-file.ts";

export const ownEnvironment: Settings = process.env;

/** Written by hand, in the working folder. */
const handwritten = ".env";

/**
 * This process's environment, then the answers of `castellan setup`, then `.env` in the working folder, which may also
 * name the file of those answers. Earlier ones win. Throws `invalid_configuration`.
 */
export function readSettings(environment = ownEnvironment, folder = "."): Settings {
  const own = withoutEmpty(environment);
  const written = readHandwritten(folder);
  const stored = withoutEmpty(readSettingsFile(settingsFileOf({ ...written, ...own })) ?? {});
  return layOver(layOver(written, stored), own);
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
