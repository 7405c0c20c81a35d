import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type ApplicationCommand,
  type ApplicationCommandData,
  type ApplicationCommandOptionData,
  type ApplicationCommandSubCommandData,
  type Client,
} from "discord.js";
import type { Texts } from "../languages/en.ts";
import { localize } from "../languages/languages.ts";
import type { Log } from "../log.ts";
import type { Command, Option, Options } from "./command.ts";
import { findHandler, listHandlers } from "./find-handler.ts";
import { menuTypes, type MenuCommand } from "./menu-command.ts";
import { offeringPermission } from "./needs.ts";

/** Milliseconds between comparisons with Discord's commands, because no event reports that somebody else changed them. */
const lookEvery = 15 * 60_000;

/** The target for Discord's commands. */
interface Deployed {
  commands: readonly Command[];
  menuCommands?: readonly MenuCommand[];
  /** Discord's ids of commands ("feed add", "hide"), filled in here. Messages use them to mention commands. */
  commandIds?: Map<string, string>;
  /** Whether this process tells Discord of its commands: of several one does, for they may be of two versions. */
  deploys?: () => boolean;
}

/** Restores missing or changed commands while the bot runs. Call the result to stop. */
export function watchCommands(
  log: Log,
  client: Client<true>,
  deployed: Deployed,
  every = lookEvery,
): () => void {
  const look = async () => {
    const changed = await deployCommands(log, client, deployed);
    if (changed) log.warn("restored the bot's commands, which somebody else had changed or deleted");
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.warn({ err: error }, "the bot's commands could not be compared"));
  }, every).unref();
  return () => clearInterval(timer);
}

/**
 * Deploys the commands if Discord has others, because it allows 200 creations a day. Discord's commands are read each
 * time, because others can change and delete them. Returns whether it deployed them.
 */
export async function deployCommands(
  log: Log,
  client: Client<true>,
  { commands, menuCommands = [], commandIds, deploys }: Deployed,
): Promise<boolean> {
  const manager = client.application.commands;
  const wanted = [...commands.map(toCommandData), ...menuCommands.map((menu) => toMenuData(menu, commands))];
  const present = await manager.fetch({ withLocalizations: true });
  noteIds(commandIds, present);
  // With Activities enabled Discord creates a "Launch" command, and refuses an overwrite without it.
  const own = present.filter(({ type }) => type !== ApplicationCommandType.PrimaryEntryPoint);
  const entryPoints = present.filter(({ type }) => type === ApplicationCommandType.PrimaryEntryPoint);
  const same =
    own.size === wanted.length &&
    wanted.every((data) =>
      isSame(
        own.find(({ name, type }) => name === data.name && type === data.type),
        data,
      ),
    );
  if (same) return false;
  if (deploys?.() === false) return false;
  noteIds(commandIds, await manager.set([...wanted, ...entryPoints.map(toEntryPointData)]));
  log.info({ commands: wanted.length }, "commands deployed");
  return true;
}

function noteIds(
  ids: Map<string, string> | undefined,
  present: ReadonlyMap<string, ApplicationCommand>,
): void {
  for (const { id, name, type, options } of present.values()) {
    if (type !== ApplicationCommandType.ChatInput) continue;
    const subcommands = options.filter(({ type }) => type === ApplicationCommandOptionType.Subcommand);
    for (const { name: subcommand } of subcommands) ids?.set(`${name} ${subcommand}`, id);
    if (subcommands.length === 0) ids?.set(name, id);
  }
}

const compared = [
  "description",
  "nameLocalizations",
  "descriptionLocalizations",
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

/** Discord omits, or fills in, empty values: null, false, an empty list, the description of a menu command. */
function matches(present: unknown, wanted: unknown): boolean {
  if (saysNothing(present) || saysNothing(wanted)) return saysNothing(present) && saysNothing(wanted);
  if (typeof present !== "object" || typeof wanted !== "object") return Object.is(present, wanted);
  const keys = new Set([...Object.keys(present ?? {}), ...Object.keys(wanted ?? {})]);
  return [...keys].every((key) => matches(Reflect.get(present ?? {}, key), Reflect.get(wanted ?? {}, key)));
}

function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** A command in the form that is sent to Discord. */
function toCommandData(command: Command): ApplicationCommandData {
  const needs = listHandlers([command]).map(([, handler]) => handler.needs);
  return {
    type: ApplicationCommandType.ChatInput,
    name: command.name,
    description: "handler" in command ? command.handler.description : command.description,
    ...inLanguages(command.name),
    contexts: [InteractionContextType.Guild],
    integrationTypes: [ApplicationIntegrationType.GuildInstall],
    defaultMemberPermissions: offeringPermission(needs) ?? null,
    options:
      "handler" in command
        ? toOptions(command.name, command.handler.options)
        : Object.entries(command.subcommands).map(([name, handler]): ApplicationCommandSubCommandData => ({
            type: ApplicationCommandOptionType.Subcommand,
            name,
            description: handler.description,
            ...inLanguages(`${command.name} ${name}`),
            options: toOptions(`${command.name} ${name}`, handler.options),
          })),
  };
}

/** The description of a command ("report") or option ("report:reason") in other languages, if members use it. */
function inLanguages(key: string): { descriptionLocalizations?: Record<string, string> } {
  const descriptionLocalizations = localize(({ descriptions }: Texts) => descriptions, key);
  return descriptionLocalizations ? { descriptionLocalizations } : {};
}

function toMenuData({ name, on, path }: MenuCommand, commands: readonly Command[]): ApplicationCommandData {
  const handler = findHandler(commands, path);
  if (!handler) throw new Error(`${name} in menus runs /${path}, which does not exist`);
  const nameLocalizations = localize(({ menuNames }) => menuNames, name);
  return {
    type: menuTypes[on],
    name,
    ...(nameLocalizations && { nameLocalizations }),
    contexts: [InteractionContextType.Guild],
    integrationTypes: [ApplicationIntegrationType.GuildInstall],
    defaultMemberPermissions: offeringPermission([handler.needs]) ?? null,
  };
}

/** Discord's own command, unchanged. discord.js has no type for it, although Discord accepts it. */
function toEntryPointData({ name, description, contexts, integrationTypes, handler }: ApplicationCommand) {
  const type = ApplicationCommandType.PrimaryEntryPoint;
  return {
    type,
    name,
    description,
    contexts,
    integrationTypes,
    handler,
  } as unknown as ApplicationCommandData;
}

type BasicOption = Exclude<NonNullable<ApplicationCommandSubCommandData["options"]>, readonly []>[number];

/** Discord requires the required options first. */
function toOptions(path: string, options: Options): BasicOption[] {
  const entries = Object.entries(options);
  const ordered = [...entries.filter(([, o]) => o.required), ...entries.filter(([, o]) => !o.required)];
  return ordered.map(([name, option]) => toOption(path, name, option));
}

function toOption(path: string, name: string, option: Option<unknown>): BasicOption {
  const { type, description, required, choices, minValue, maxValue, maxLength, channelTypes, suggest } =
    option;
  const data: ApplicationCommandOptionData | object = {
    type,
    name,
    description,
    ...inLanguages(`${path}:${name}`),
    required,
    ...(choices && { choices }),
    ...(minValue !== undefined && { minValue }),
    ...(maxValue !== undefined && { maxValue }),
    ...(maxLength !== undefined && { maxLength }),
    ...(channelTypes && { channelTypes }),
    ...(suggest && { autocomplete: true }),
  };
  // The functions of option.ts guarantee which fields go with which type, but the compiler cannot see that.
  return data as BasicOption;
}
