import type { Command } from "commander";

/** The command-line options. Secrets are passed only as files, because every user of the machine can see arguments. */
const setupOptions = {
  network: ["<name>", "live, sample or empty"],
  "bot-fid": ["<fid>", "the fid of the bot's Farcaster account"],
  "discord-token-file": ["<file>", "a file with the Discord bot token"],
  "discord-api": ["<url>", "another Discord API"],
  "client-api-url": ["<url>", "the address of the client API"],
  "registry-url": ["<url>", "the address of the name registry"],
  "hub-url": ["<hubs>", "the address of the hub, with its headers"],
  "app-key-file": ["<file>", "a file with a key that is already approved"],
  "secret-file": ["<file>", "a file with the secret that encrypts the bot's key"],
  "custody-key-file": ["<file>", "a file with the phrase or key that signs the key request"],
  "request-fid": ["<fid>", "the fid of the account that signs the request, if different"],
  signature: ["<hex>", "the request's signature, made elsewhere"],
  "key-request-domain": ["<name>", "own or live: the network of the key request"],
  "other-application": ["", "accepts a Discord token of another application"],
  "accept-cost": ["", "accepts the price of a key in the app"],
} as const;

export type OptionName = keyof typeof setupOptions;
export type GivenOptions = Partial<Record<OptionName, string>>;

export function addSetupOptions(command: Command): Command {
  for (const [name, [value, about]] of Object.entries(setupOptions)) {
    command.option(`--${name} ${value}`.trimEnd(), about);
  }
  return command;
}

/** The options of a command. One without a value is "true". */
export function readSetupOptions(command: Command): GivenOptions {
  const given = command.options.flatMap((option): [string, string][] => {
    const value: unknown = command.getOptionValue(option.attributeName());
    return value === undefined ? [] : [[option.name(), String(value)]];
  });
  return Object.fromEntries(given);
}
