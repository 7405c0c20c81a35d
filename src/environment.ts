import { join } from "node:path";
import { readSettingsFile, secretSettings, settingsFileOf, type Settings } from "./settings-file.ts";

/** What is set for this process. */
export const ownEnvironment: Settings = process.env;

/** In the working folder: what people write by hand. */
const handwritten = ".env";

/**
 * The environment of this process; what it does not set is as `castellan setup` left it, and what that leaves out as `.env`
 * in the working folder says, which may also say where the other is. Throws `invalid_configuration`.
 */
export function readSettings(environment = ownEnvironment, folder = "."): Settings {
  const own = withoutEmpty(environment);
  const written = withoutEmpty(readSettingsFile(join(folder, handwritten)) ?? {});
  const stored = withoutEmpty(readSettingsFile(settingsFileOf({ ...written, ...own })) ?? {});
  return layOver(layOver(written, stored), own);
}

/** What counts more takes the place of what counts less, whether a secret is set itself or by its file. */
function layOver(less: Settings, more: Settings): Settings {
  const replaced = secretSettings.flatMap((name) => {
    const both = [name, `${name}_FILE`];
    return both.some((each) => more[each] !== undefined) ? both : [];
  });
  const kept = Object.entries(less).filter(([name]) => !replaced.includes(name));
  return { ...Object.fromEntries(kept), ...more };
}

/** What is set to nothing is not set. */
export function withoutEmpty(settings: Settings): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ""));
}
