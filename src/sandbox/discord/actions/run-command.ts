import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionContextType,
  InteractionType,
} from "discord-api-types/v10";
import { AppError } from "../../../errors.ts";
import type { Context } from "../context.ts";
import type { Interaction } from "../interactions/interactions.ts";
import { type Choice, isNested, type Option, type ValueOption } from "../shapes/command.ts";
import { allPermissions, botIsIn, memberPermissions } from "../world/permissions.ts";
import { type Command, findMessage, globalScope, type Guild, type World } from "../world/world.ts";
import { dispatchInteraction, type NamedThings, resolveThings } from "./dispatch-interaction.ts";
import { draftOptions, fillOptions, type FilledOption, type GivenOptions } from "./fill-options.ts";
import { type Actor, findActor, findPerson, findVisible } from "./find.ts";

export interface TypedCommand extends Actor {
  /** Includes subcommands, such as "feed add". */
  command: string;
  options?: GivenOptions;
}

export function runSlashCommand(context: Context, typed: TypedCommand): Interaction {
  const actor = findActor(context.world, typed);
  const chosen = findChatCommand(context.world, actor.guild, actor.user.id, typed.command);
  const { filled, things } = fillOptions(context, chosen.options, typed.options ?? {});
  return dispatchInteraction(context, {
    ...actor,
    type: InteractionType.ApplicationCommand,
    name: [chosen.command.name, ...chosen.path].join(" "),
    data: { ...commandData(chosen, filled), ...resolveThings(context, actor.guild, things) },
  });
}

/** The bot's suggestions for the option being typed. Empty if the bot did not answer. */
export async function askSuggestions(
  context: Context,
  typed: TypedCommand & { focused: string },
): Promise<Choice[]> {
  const actor = findActor(context.world, typed);
  const chosen = findChatCommand(context.world, actor.guild, actor.user.id, typed.command);
  const options = draftOptions(context, chosen.options, typed.options ?? {}, typed.focused);
  const asked = dispatchInteraction(context, {
    ...actor,
    type: InteractionType.ApplicationCommandAutocomplete,
    name: typed.command,
    data: commandData(chosen, options),
  });
  const outcome = await asked.outcome;
  return outcome.kind === "choices" ? outcome.choices : [];
}

export interface MenuChoice extends Actor {
  /** The name of the context-menu command. */
  command: string;
  /** The id of the message or person that the menu was opened on. */
  target: string;
}

export function runMenuCommand(context: Context, choice: MenuChoice): Interaction {
  const actor = findActor(context.world, choice);
  // A message command and a user command can have the same name.
  const isMessage = findMessage(context.world, actor.room.id, choice.target) !== undefined;
  const on = isMessage ? ApplicationCommandType.Message : ApplicationCommandType.User;
  const command = offeredCommands(context.world, actor.guild, actor.user.id).find(
    ({ name, type }) => name === choice.command && type === on,
  );
  if (!command)
    throw new AppError("invalid_input", `There is no command "${choice.command}" here that you can use.`);
  const { id, name, type } = command;
  const target = findTarget(context, actor, type, choice.target);
  return dispatchInteraction(context, {
    ...actor,
    type: InteractionType.ApplicationCommand,
    name,
    data: { id, name, type, target_id: target.id, ...resolveThings(context, actor.guild, target.things) },
  });
}

function findTarget(
  { world }: Context,
  { user, room }: ReturnType<typeof findActor>,
  type: ApplicationCommandType,
  target: string,
): { id: string; things: NamedThings } {
  if (type === ApplicationCommandType.Message) {
    const message = findVisible(world, room, user, target);
    return { id: message.id, things: { message } };
  }
  const { id } = findPerson(world, target);
  return { id, things: { userIds: [id] } };
}

/** Commands that a person is offered in a guild. A guild command hides a global one with the same name. */
export function offeredCommands(world: World, guild: Guild | null, userId: string): Command[] {
  if (guild && !botIsIn(world, guild.id)) return [];
  const own = guild ? (world.commands.get(guild.id) ?? []) : [];
  const global = (world.commands.get(globalScope) ?? []).filter(
    (command) => !own.some(({ name, type }) => name === command.name && type === command.type),
  );
  return [...own, ...global].filter((command) => mayUse(command, guild, userId));
}

function mayUse(command: Command, guild: Guild | null, userId: string): boolean {
  if (!guild)
    return command.contexts?.includes(InteractionContextType.BotDM) ?? command.dm_permission ?? true;
  if (command.contexts && !command.contexts.includes(InteractionContextType.Guild)) return false;
  const needed = BigInt(command.default_member_permissions ?? "0");
  const held = memberPermissions(guild, userId);
  if (held === allPermissions) return true;
  const chosen = findAccess(command, guild, userId);
  if (chosen !== undefined) return chosen;
  // "0" means that only administrators can use it.
  if (command.default_member_permissions === "0") return false;
  return (held & needed) === needed;
}

/**
 * The server's setting under Integrations. A setting for the command takes precedence over one for all commands, users
 * over roles, and roles over everybody. Of several roles, one that allows it is enough. undefined without a setting.
 */
function findAccess(command: Command, guild: Guild, userId: string): boolean | undefined {
  const roleIds = guild.members.find((member) => member.userId === userId)?.roleIds ?? [];
  for (const name of [command.name, undefined]) {
    const lines = (guild.commandAccess ?? []).filter((line) => line.command === name);
    for (const holders of [[userId], roleIds, [guild.id]]) {
      const chosen = lines.filter(({ holderId }) => holders.includes(holderId));
      if (chosen.length > 0) return chosen.some(({ isAllowed }) => isAllowed);
    }
  }
  return undefined;
}

interface ChosenCommand {
  command: Command;
  /** The names of its group and subcommand. */
  path: string[];
  options: ValueOption[];
}

/** The slash command that was typed, such as "feed add", with the options that it accepts. */
function findChatCommand(world: World, guild: Guild | null, userId: string, typed: string): ChosenCommand {
  const [name = "", ...path] = typed.trim().split(/\s+/);
  const command = offeredCommands(world, guild, userId).find(
    (candidate) => candidate.type === ApplicationCommandType.ChatInput && candidate.name === name,
  );
  if (!command) throw new AppError("invalid_input", `There is no command /${name} here that you can use.`);
  let options: readonly Option[] = command.options ?? [];
  for (const step of path) {
    const next = options.find((option) => option.name === step);
    if (!next || !isNested(next)) throw new AppError("invalid_input", `There is no command /${typed}.`);
    options = next.options ?? [];
  }
  if (options.some(isNested)) throw new AppError("invalid_input", `/${typed} needs one of its subcommands.`);
  return { command, path, options: options.filter((option) => !isNested(option)) };
}

function commandData({ command, path }: ChosenCommand, options: readonly FilledOption[]) {
  const { Subcommand, SubcommandGroup } = ApplicationCommandOptionType;
  let nested: readonly unknown[] = options;
  for (const [depth, name] of [...path.entries()].toReversed()) {
    nested = [{ name, type: depth === path.length - 1 ? Subcommand : SubcommandGroup, options: nested }];
  }
  return { id: command.id, name: command.name, type: command.type, options: nested };
}
