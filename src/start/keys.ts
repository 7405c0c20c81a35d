import { createHmac, randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { generatePrivateKey } from "viem/accounts";
import { AppError, explainSystemError } from "../errors.ts";
import type { Config } from "../config.ts";
import { makeDataDirectory } from "./make-directory.ts";

const PrivateKey = z.templateLiteral(["0x", z.string().regex(/^[0-9a-f]{64}$/)]);

const Keys = z.object({
  /** Ed25519 private key of the bot's application, 64 hex digits. */
  botAppKey: z.string().regex(/^[0-9a-f]{64}$/),
  /** Custody wallet of the bot's own account in an embedded network. */
  botCustodyKey: PrivateKey,
  /** The registry's wallet: its signatures are every proof's server_signature. */
  registryKey: PrivateKey,
  operatorToken: z.string().min(32),
});

/** The name of their file in the data directory. */
export const keysFile = "keys.json";

/** The secrets of one installation, made at its first start. */
export type Keys = z.output<typeof Keys>;

/** Whether the directory has a file of keys, intact or damaged. */
export function hasKeys(directory: string): boolean {
  return existsSync(join(directory, keysFile));
}

/** Old signatures need their keys, so none are made next to existing data unless the operator allows it. */
export function refuseNewKeys(directory: string): AppError {
  return new AppError(
    "invalid_configuration",
    `${join(directory, keysFile)} is missing, but the database is in use. Restore the file from a backup, copy it from ` +
      `another process of this installation, or set ${keySettings.join(", ")}. With new keys ` +
      "the registry's signer and the operator's token would change. If you want that, set NEW_KEYS=on.",
  );
}

type KeyConfig = Pick<Config, "DATA_DIR" | "DATABASE_URL" | (typeof keySettings)[number]>;

/** The settings that replace the file, if all of them are set. */
const keySettings = ["REGISTRY_KEY", "BOT_CUSTODY_KEY", "BOT_APP_KEY", "OPERATOR_TOKEN"] as const;

/** The keys in the settings, which override those in the file. */
export function givenKeys(config: KeyConfig): Partial<Keys> {
  const { REGISTRY_KEY: registryKey, BOT_CUSTODY_KEY: botCustodyKey } = config;
  const { BOT_APP_KEY: botAppKey, OPERATOR_TOKEN: operatorToken } = config;
  return {
    ...(registryKey && { registryKey }),
    ...(botCustodyKey && { botCustodyKey }),
    ...(botAppKey && { botAppKey: botAppKey.toLowerCase() }),
    ...(operatorToken && { operatorToken }),
  };
}

/** Whether the settings and the data directory's file contain all keys. */
export function hasAllKeys(config: KeyConfig): boolean {
  return hasKeys(config.DATA_DIR) || Keys.safeParse(givenKeys(config)).success;
}

/** The given keys, and the others from the data directory's `keys.json`, created if needed (modes 0700, 0600). */
export function loadKeys(directory: string, given: Partial<Keys> = {}): Keys {
  const whole = Keys.safeParse(given);
  if (whole.success) return whole.data;
  const file = join(directory, keysFile);
  if (!existsSync(file)) {
    makeDataDirectory(directory);
    writeKeys(file, { ...makeKeys(), ...given });
  }
  closeToOthers(file);
  const keys = Keys.safeParse(readJson(file));
  if (keys.success) return { ...keys.data, ...given };
  throw new AppError(
    "invalid_file",
    `${file} is damaged. Restore a copy of it. Without one, the network's signatures and the bot's key are lost.`,
  );
}

/** If the file is read-only or belongs to somebody else, such as a mounted secret, its owner has set its permissions. */
function closeToOthers(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    if (explainSystemError(error) === undefined) throw error;
  }
}

/** The sandbox's secrets, different in each installation: the bot's token, the page's and the console's. */
export function sandboxSecrets({ operatorToken }: Keys): {
  token: string;
  pageSecret: string;
  clientSecret: string;
} {
  const derive = (what: string) => createHmac("sha256", operatorToken).update(what).digest("base64url");
  return {
    token: `sandbox.${derive("sandbox bot token")}`,
    pageSecret: derive("sandbox page secret"),
    clientSecret: derive("sandbox client secret"),
  };
}

/** The operator token of an installation that has been started before. */
export function readOperatorToken(directory: string): string {
  const keys = readKeys(directory);
  if (keys) return keys.operatorToken;
  throw new AppError(
    "invalid_configuration",
    `${directory} contains no keys. Set DATA_DIR to the running instance's directory, or OPERATOR_TOKEN.`,
  );
}

/** The same, combined with the keys in the settings. */
export function readConfiguredKeys(config: KeyConfig): Keys | undefined {
  return Keys.safeParse({ ...readKeys(config.DATA_DIR), ...givenKeys(config) }).data;
}

/** The keys of an installation that has been started before; undefined if they are missing or damaged. */
export function readKeys(directory: string): Keys | undefined {
  return Keys.safeParse(readJson(join(directory, keysFile))).data;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function makeKeys(): Keys {
  return {
    botAppKey: randomBytes(32).toString("hex"),
    botCustodyKey: generatePrivateKey(),
    registryKey: generatePrivateKey(),
    operatorToken: randomBytes(32).toString("base64url"),
  };
}

/** A crash leaves either no file or a complete one. */
function writeKeys(file: string, keys: Keys): void {
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
}
