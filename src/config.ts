import { readFileSync } from "node:fs";
import { z } from "zod";
import { decryptKey, isEncrypted, shortestSecret } from "./encrypted-key.ts";
import { ownEnvironment, readSettings, withoutEmpty } from "./environment.ts";
import { AppError, asAppError, explainSystemError, type Mistake } from "./errors.ts";
import {
  ChannelGuilds,
  HeaderPairs,
  Hosts,
  Hubs,
  Limits,
  LinkLists,
  Networks,
  ServerList,
  findRedisMistakes,
  headerText,
  integer,
  oneOf,
  port,
  server,
  text,
  walletKey,
  web,
} from "./setting-values.ts";
import { readSecretFile, secretSettings, type Settings } from "./settings-file.ts";
import { isLoopback } from "./listening.ts";
import { findNear } from "./text/suggest.ts";

const Environment = z.object({
  HOST: text.default("127.0.0.1"),
  PORT: port.default(4680),
  SANDBOX_HOST: text.default("127.0.0.1"),
  SANDBOX_PORT: port.default(4681),
  SANDBOX_TRAFFIC: oneOf("on", "off").default("on"),
  DATA_DIR: text.default(".castellan"),
  SETTINGS_FILE: text.optional(),
  NEW_KEYS: oneOf("on", "off").default("off"),
  DATABASE_URL: server(/^postgres(ql)?$/, "postgres://user:password@host/database").optional(),
  DATABASE_URL_FILE: text.optional(),
  AUTO_MIGRATE: oneOf("on", "off").default("on"),
  PREPARED_STATEMENTS: oneOf("on", "off").default("on"),
  DATABASE_POOL: integer(2, 500).default(10),
  REDIS_URL: server(/^rediss?$/, "redis://host:6379").optional(),
  REDIS_URL_FILE: text.optional(),
  REDIS_CA_FILE: text.optional(),
  REDIS_SENTINELS: ServerList,
  REDIS_SENTINEL_PASSWORD: text.optional(),
  REDIS_SENTINEL_PASSWORD_FILE: text.optional(),
  REDIS_CLUSTER: ServerList,
  NETWORK: oneOf("sample", "empty", "live").default("sample"),
  NETWORK_FILE: text.optional(),
  OPERATOR_TOKEN: z
    .string()
    .min(32, "must have at least 32 characters")
    .regex(/^[ -~]+$/, "can have only letters, digits and signs of ASCII")
    .optional(),
  OPERATOR_TOKEN_FILE: text.optional(),
  REGISTRY_KEY: walletKey,
  REGISTRY_KEY_FILE: text.optional(),
  BOT_CUSTODY_KEY: walletKey,
  BOT_CUSTODY_KEY_FILE: text.optional(),
  BOT_FID: integer(1, Number.MAX_SAFE_INTEGER).default(9001),
  BOT_APP_KEY: z
    .string()
    .regex(/^(0x)?[0-9a-fA-F]{64}$/, "must be the Ed25519 private key in 64 hex digits")
    .transform((key) => key.replace(/^0x/, ""))
    .optional(),
  BOT_APP_KEY_FILE: text.optional(),
  KEY_SECRET: z.string().min(shortestSecret, `must have at least ${shortestSecret} characters`).optional(),
  KEY_SECRET_FILE: text.optional(),
  DISCORD_TOKEN: headerText.min(20, "is too short to be a bot token").optional(),
  DISCORD_TOKEN_FILE: text.optional(),
  DISCORD_APPLICATION: z
    .string()
    .regex(/^[0-9]{15,20}$/, "must be the application's id, as the developer portal shows it")
    .optional(),
  DISCORD_API: web.default("https://discord.com/api"),
  DISCORD_CLIENT_SECRET: z.string().min(16, "is too short to be an application's client secret").optional(),
  DISCORD_CLIENT_SECRET_FILE: text.optional(),
  CONSOLE_URL: web.optional(),
  CONSOLE_HOST: text.default("127.0.0.1"),
  CONSOLE_PORT: port.default(4682),
  METRICS_HOST: text.default("127.0.0.1"),
  METRICS_PORT: port.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: web.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: HeaderPairs,
  OTEL_EXPORTER_OTLP_HEADERS_FILE: text.optional(),
  CLIENT_API_URL: web.default("https://api.farcaster.xyz"),
  REGISTRY_URL: web.default("https://fnames.farcaster.xyz"),
  HUB_URL: Hubs,
  HUB_URL_FILE: text.optional(),
  HUB_SHARD: integer(0, 999).optional(),
  HUB_SECONDS: integer(1, 60).default(1),
  CALL_LIMITS: Limits,
  CHANNEL_GUILDS: ChannelGuilds,
  CHANNEL_GUILDS_FILE: text.optional(),
  LINK_LISTS: LinkLists,
  WEBHOOK_HOSTS: Hosts,
  HISTORY_DAYS: integer(1, 999).default(30),
  /** Requests per minute from one address. */
  ADDRESS_LIMIT: integer(1, 9_999_999).optional(),
  TRUSTED_PROXIES: Networks,
  REGISTRY_RULES: oneOf("open", "live").default("open"),
  NAME_DOMAIN: oneOf("own", "live").default("own"),
  HUB_HOURS: integer(1, 8_760).default(72),
  LOG_LEVEL: oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent").default("info"),
});

/** All settings, by the names in .env.example. */
export type Config = z.output<typeof Environment>;

/** Setting values that must not leave this process. Passwords inside addresses are recognized by their position instead. */
export function secretsOf(config: Config): string[] {
  const named = secretSettings.flatMap((name) => {
    const value = isAddress(name) ? undefined : config[name];
    return typeof value === "string" ? [value] : [];
  });
  const sent = [
    config.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    ...(config.HUB_URL ?? []).map(({ headers }) => headers),
  ];
  return [...named, ...sent.flatMap((headers) => Object.values(headers))];
}

/** In these, the secret is only a part of the value. */
function isAddress(name: (typeof secretSettings)[number]): boolean {
  return name === "DATABASE_URL" || name === "REDIS_URL" || name === "HUB_URL";
}

export const settingNames: readonly string[] = Object.keys(Environment.shape);

/** Settings of earlier versions, with the value that now always applies. */
const removedSettings: Readonly<Record<string, string>> = {
  BOT_ALLOWLISTED: "on",
  DEEPLINK_SCHEME: "castellan",
  HISTORY_EVENTS: "1000000",
  HUB_EVENTS: "own",
  KEY_CONFIRMATION: "2",
  KEY_REQUEST_DOMAIN: "own",
  LINK_BASE: "https://farcaster.xyz",
  LINK_LIST_MINUTES: "60",
  NETWORK_SHARDS: "1",
  PROTOCOL_CHANNELS: "off",
  QUEUE_POOL: "3",
  TOKEN_HOURS: "24",
};

/** A sentence for each removed setting that is still set to something other than its fixed value. */
export function findRemoved(environment: Settings = readSettings()): string[] {
  return Object.entries(removedSettings).flatMap(([name, value]) => {
    const given = environment[name];
    if (!given || given === value) return [];
    return [`${name} is no longer a setting: it is always ${value}, not ${given.slice(0, 80)}. Remove it.`];
  });
}

/** Only the settings from this process's environment. */
export function readEnvironment(environment = ownEnvironment): Record<string, string> {
  const set = settingNames.flatMap((name): [string, string][] => {
    const value = environment[name];
    return value ? [[name, value]] : [];
  });
  return Object.fromEntries(set);
}

/** Reads the settings; throws one `invalid_configuration` that lists every mistake. */
export function parseConfig(environment: Settings = readSettings()): Config {
  const mistakes: Mistake[] = [];
  const given = withKey(withFiles(withoutEmpty(environment), mistakes), mistakes);
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      mistakes.push({ path: String(issue.path[0]), message: issue.message });
    }
  }
  mistakes.push(...findContradictions(given), ...findMisspelt(environment));
  if (mistakes.length > 0 || !parsed.success) {
    throw new AppError("invalid_configuration", "The configuration has mistakes:", { mistakes });
  }
  return parsed.data;
}

/** Adds the secrets that are in files, except the one of the bot's key. Throws `invalid_configuration`. */
export function withSecretFiles(settings: Settings): Settings {
  const mistakes: Mistake[] = [];
  const whole = withFiles(settings, mistakes);
  if (mistakes.length === 0) return whole;
  throw new AppError("invalid_configuration", "The configuration has mistakes:", { mistakes });
}

/** Adds the settings that are in files; an unreadable file is a mistake. */
function withFiles(
  given: Record<string, string | undefined>,
  mistakes: Mistake[],
): Record<string, string | undefined> {
  const found = secretSettings.flatMap((name): [string, string][] => {
    const [path, file] = [`${name}_FILE`, given[`${name}_FILE`]];
    if (file === undefined) return [];
    // KEY_SECRET_FILE is read only when it is needed.
    if (name === "KEY_SECRET" && given[name] === undefined) return [];
    if (given[name] !== undefined) {
      mistakes.push({ path, message: `cannot be set together with ${name}: keep one of them` });
      return [];
    }
    const found = readSecretFile(file);
    if ("value" in found) return [[name, found.value]];
    mistakes.push({ path, message: `names ${file}, which ${found.mistake}` });
    return [];
  });
  return { ...given, ...Object.fromEntries(found) };
}

/** Decrypts the bot's key; a key that cannot be decrypted is a mistake. */
function withKey(
  given: Record<string, string | undefined>,
  mistakes: Mistake[],
): Record<string, string | undefined> {
  const { BOT_APP_KEY: key } = given;
  if (key === undefined || !isEncrypted(key)) return given;
  try {
    return { ...given, BOT_APP_KEY: decryptKey(key, readKeySecret(given)) };
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    mistakes.push({ path: "BOT_APP_KEY", message: known.message });
    // A placeholder, so that the key is not reported as missing, too.
    return { ...given, BOT_APP_KEY: "0".repeat(64) };
  }
}

/** Checks one setting's text on its own: what is wrong with it, or undefined. */
export function findMistake(name: string, value: string): string | undefined {
  const field = Object.entries(Environment.shape).find(([each]) => each === name)?.[1];
  return field?.safeParse(value).error?.issues[0]?.message;
}

/** The secret that encrypts the bot's key: from the environment, or from a file. Throws `invalid_configuration`. */
export function readKeySecret({ KEY_SECRET, KEY_SECRET_FILE: file }: Settings): string {
  if (KEY_SECRET) return KEY_SECRET;
  if (!file) {
    throw new AppError("invalid_configuration", "is encrypted: set KEY_SECRET or KEY_SECRET_FILE to read it");
  }
  try {
    const secret = readFileSync(file, "utf8").trim();
    if (secret.length >= shortestSecret) return secret;
    throw new AppError(
      "invalid_configuration",
      `is encrypted, but ${file} (KEY_SECRET_FILE) contains no secret`,
    );
  } catch (cause) {
    const why = explainSystemError(cause);
    if (why === undefined) throw cause;
    const message = `is encrypted, but ${file} (KEY_SECRET_FILE) cannot be read: ${why}`;
    throw new AppError("invalid_configuration", message, { cause });
  }
}

function findContradictions(given: Record<string, string | undefined>): Mistake[] {
  const mistakes: Mistake[] = [];
  const live = given["NETWORK"] === "live";
  if (live) {
    for (const path of ["BOT_FID", "BOT_APP_KEY", "HUB_URL", "DISCORD_TOKEN"]) {
      if (!given[path] && !given[`${path}_FILE`]) {
        mistakes.push({ path, message: "is needed with NETWORK=live" });
      }
    }
    if (given["NETWORK_FILE"]) {
      mistakes.push({ path: "NETWORK_FILE", message: "cannot be loaded into the live network" });
    }
  }
  return [...mistakes, ...findRedisMistakes(given), ...findConsoleMistakes(given)];
}

/** Over http, anyone who reads the traffic can take over a session. */
function findConsoleMistakes(given: Record<string, string | undefined>): Mistake[] {
  const { CONSOLE_URL: address = "", DISCORD_TOKEN, DISCORD_CLIENT_SECRET } = given;
  const mistakes: Mistake[] = [];
  if (address === "") return mistakes;
  if (DISCORD_TOKEN && !DISCORD_CLIENT_SECRET && !given["DISCORD_CLIENT_SECRET_FILE"]) {
    mistakes.push({ path: "DISCORD_CLIENT_SECRET", message: "is needed with CONSOLE_URL" });
  }
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === "http:" && !isLoopback(url.hostname)) {
    mistakes.push({ path: "CONSOLE_URL", message: "must be https, except on this machine" });
  }
  if (url && (url.pathname !== "/" || url.search !== "" || url.hash !== "")) {
    mistakes.push({ path: "CONSOLE_URL", message: "must have no path: the console is at /console below it" });
  }
  return mistakes;
}

/** A misspelt DATABASE_URL would be ignored, and the data stored elsewhere. Short names resemble too many others. */
function findMisspelt(environment: Settings): Mistake[] {
  const absent = settingNames.filter((name) => name.length >= 8 && !(name in environment));
  return Object.keys(environment).flatMap((path) => {
    const isKnown = settingNames.includes(path) || path in removedSettings;
    const near = isKnown ? undefined : findNear(path, absent);
    return near === undefined ? [] : [{ path, message: `is not a setting; did you mean ${near}?` }];
  });
}
