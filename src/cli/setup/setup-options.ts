import type { Command } from "commander";

/** What can be given on the command line; secrets only as files, for everybody on the machine can see what was typed. */
const setupOptions = {
  network: ["<name>", "live, sample or empty"],
  "bot-fid": ["<fid>", "the bot's Farcaster account"],
  "discord-token-file": ["<file>", "holds the Discord bot token"],
  "discord-api": ["<url>", "another Discord"],
  "client-api-url": ["<url>", "the client API"],
  "registry-url": ["<url>", "the name registry"],
  "hub-url": ["<hubs>", "the hub, with its headers"],
  "app-key-file": ["<file>", "holds a key that was approved before"],
  "secret-file": ["<file>", "holds what the bot's key is encrypted with"],
  "custody-key-file": ["<file>", "holds the phrase or key that signs the request for a key"],
  "request-fid": ["<fid>", "the account that signs the request, if it is another one"],
  signature: ["<hex>", "the request's signature, made elsewhere"],
  "key-request-domain": ["<name>", "own or live: whose requests for keys they are"],
  "other-application": ["", "the Discord token may be of another application than before"],
  "accept-cost": ["", "a key may cost what the app asks for it"],
} as const;

export type OptionName = keyof typeof setupOptions;
export type GivenOptions = Partial<Record<OptionName, string>>;

export function addSetupOptions(command: Command): Command {
  for (const [name, [value, about]] of Object.entries(setupOptions)) {
    command.option(`--${name} ${value}`.trimEnd(), about);
  }
  return command;
}

/** The options that a command was given; one without a value is "true". */
export function readSetupOptions(command: Command): GivenOptions {
  const given = command.options.flatMap((option): [string, string][] => {
    const value: unknown = command.getOptionValue(option.attributeName());
    return value === undefined ? [] : [[option.name(), String(value)]];
  });
  return Object.fromEntries(given);
}
