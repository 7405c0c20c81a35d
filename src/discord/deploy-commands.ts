import {
  ApplicationCommandOptionType,
  ApplicationIntegrationType,
  InteractionContextType,
  type ApplicationCommand,
  type ApplicationCommandData,
  type ApplicationCommandOptionData,
  type ApplicationCommandSubCommandData,
  type Client,
} from "discord.js";
import type { Log } from "../log.ts";
import type { Command, Option, Options } from "./command.ts";

/** Milliseconds between two looks at what Discord has: no event tells that somebody else deleted or changed commands. */
const lookEvery = 15 * 60_000;

/** Brings the commands back while the bot runs, however they went. Call the result to stop. */
export function watchCommands(
  log: Log,
  client: Client<true>,
  commands: readonly Command[],
  every = lookEvery,
): () => void {
  const look = async () => {
    const changed = await deployCommands(log, client, commands);
    if (changed) log.warn("somebody else had changed or deleted the bot's commands: they are back");
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.warn({ err: error }, "the bot's commands could not be compared"));
  }, every).unref();
  return () => clearInterval(timer);
}

/**
 * Tells Discord the commands where it has others: it allows 200 creations a day. What it has is asked for each time,
 * because commands can be changed and deleted without us. Says whether it told them.
 */
export async function deployCommands(
  log: Log,
  client: Client<true>,
  commands: readonly Command[],
): Promise<boolean> {
  const manager = client.application.commands;
  const wanted = commands.map(toCommandData);
  const present = await manager.fetch();
  const same =
    present.size === wanted.length &&
    wanted.every((data) =>
      isSame(
        present.find(({ name }) => name === data.name),
        data,
      ),
    );
  if (same) return false;
  await manager.set(wanted);
  log.info({ commands: wanted.length }, "commands deployed");
  return true;
}

const compared = [
  "description",
  "contexts",
  "integrationTypes",
  "options",
  "nsfw",
  "defaultMemberPermissions",
];

function isSame(present: ApplicationCommand | undefined, wanted: ApplicationCommandData): boolean {
  if (present === undefined) return false;
  const defaultMemberPermissions = present.defaultMemberPermissions?.bitfield;
  return matches({ ...pick(present), defaultMemberPermissions }, pick(wanted));
}

function pick(command: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(command).filter(([key]) => compared.includes(key)));
}

/** Discord leaves out, or fills in, what says nothing: null, false, an empty list. */
function matches(present: unknown, wanted: unknown): boolean {
  if (saysNothing(present) || saysNothing(wanted)) return saysNothing(present) && saysNothing(wanted);
  if (typeof present !== "object" || typeof wanted !== "object") return Object.is(present, wanted);
  const keys = new Set([...Object.keys(present ?? {}), ...Object.keys(wanted ?? {})]);
  return [...keys].every((key) => matches(Reflect.get(present ?? {}, key), Reflect.get(wanted ?? {}, key)));
}

function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** A command as Discord is told of it. */
function toCommandData(command: Command): ApplicationCommandData {
  return {
    name: command.name,
    description: "handler" in command ? command.handler.description : command.description,
    contexts: [InteractionContextType.Guild],
    integrationTypes: [ApplicationIntegrationType.GuildInstall],
    defaultMemberPermissions: command.offeredTo ?? null,
    options:
      "handler" in command
        ? toOptions(command.handler.options)
        : Object.entries(command.subcommands).map(([name, handler]): ApplicationCommandSubCommandData => ({
            type: ApplicationCommandOptionType.Subcommand,
            name,
            description: handler.description,
            options: toOptions(handler.options),
          })),
  };
}

type BasicOption = Exclude<NonNullable<ApplicationCommandSubCommandData["options"]>, readonly []>[number];

/** Discord wants the required ones first. */
function toOptions(options: Options): BasicOption[] {
  const entries = Object.entries(options);
  const ordered = [...entries.filter(([, o]) => o.required), ...entries.filter(([, o]) => !o.required)];
  return ordered.map(([name, option]) => toOption(name, option));
}

function toOption(name: string, option: Option<unknown>): BasicOption {
  const { type, description, required, choices, minValue, maxValue, maxLength, channelTypes, suggest } =
    option;
  const data: ApplicationCommandOptionData | object = {
    type,
    name,
    description,
    required,
    ...(choices && { choices }),
    ...(minValue !== undefined && { minValue }),
    ...(maxValue !== undefined && { maxValue }),
    ...(maxLength !== undefined && { maxLength }),
    ...(channelTypes && { channelTypes }),
    ...(suggest && { autocomplete: true }),
  };
  // Which fields go with which type is settled by the functions of option.ts, where the compiler cannot see it.
  return data as BasicOption;
}
