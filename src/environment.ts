import { readSettingsFile, settingsFileOf, type Settings } from "./settings-file.ts";

/** What is set for this process. */
export const ownEnvironment: Settings = process.env;

/** The environment of this process; what it does not set is as `castellan setup` left it. Throws `invalid_configuration`. */
export function readSettings(environment = ownEnvironment): Settings {
  return { ...readSettingsFile(settingsFileOf(environment)), ...withoutEmpty(environment) };
}

/** What is set to nothing is not set. */
export function withoutEmpty(settings: Settings): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ""));
}
