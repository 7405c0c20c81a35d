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

/** Their file in the data directory. */
export const keysFile = "keys.json";

/** The secrets of one installation, made at its first start. */
export type Keys = z.output<typeof Keys>;

/** Whether the directory has a file of keys, whole or damaged. */
export function hasKeys(directory: string): boolean {
  return existsSync(join(directory, keysFile));
}

/** Signatures are worth nothing without their keys: none are made beside existing data unless the operator says so. */
export function refuseNewKeys(directory: string): AppError {
  return new AppError(
    "invalid_configuration",
    `${join(directory, keysFile)} is missing, but the database is in use. Put the file back from a backup, or copy it from ` +
      `another process of this installation; or set ${keySettings.join(", ")}. With new keys ` +
      "the registry would sign as a different signer and the operator's token would change; if you want that, set NEW_KEYS=on.",
  );
}

type KeyConfig = Pick<Config, "DATA_DIR" | "DATABASE_URL" | (typeof keySettings)[number]>;

/** What takes the place of the file, all of it together. */
const keySettings = ["REGISTRY_KEY", "BOT_CUSTODY_KEY", "BOT_APP_KEY", "OPERATOR_TOKEN"] as const;

/** The keys that the settings give: they count more than those of the file. */
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

/** Whether the settings and the file of the data directory give all keys. */
export function hasAllKeys(config: KeyConfig): boolean {
  return hasKeys(config.DATA_DIR) || Keys.safeParse(givenKeys(config)).success;
}

/** Takes the keys that are given, and the others from `keys.json` of the data directory, which is made where it is needed (directory 0700, file 0600). */
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
    `${file} is damaged. Put back a copy of it; without one the network's signatures and the bot's key are lost.`,
  );
}

/** Where the file is another's or read-only, as a mounted secret is, its owner has seen to that. */
function closeToOthers(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    if (explainSystemError(error) === undefined) throw error;
  }
}

/** What the sandbox lets in by: the bot's token, the page's secret for a browser, and the application's for the console. They differ between installations. */
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
    `${directory} holds no keys. Set DATA_DIR to the running instance's directory, or OPERATOR_TOKEN.`,
  );
}

/** The same, with what the settings give. */
export function readConfiguredKeys(config: KeyConfig): Keys | undefined {
  return Keys.safeParse({ ...readKeys(config.DATA_DIR), ...givenKeys(config) }).data;
}

/** The keys of an installation that has been started before; undefined where there are none, or damaged ones. */
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

/** A crash leaves no file or the whole file. */
function writeKeys(file: string, keys: Keys): void {
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
}
