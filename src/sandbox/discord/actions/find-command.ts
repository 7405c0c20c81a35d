import { AppError } from "../../../errors.ts";
import { botIsIn, memberPermissions } from "../world/permissions.ts";
import { commandType } from "../numbers.ts";
import type { Option, ValueOption } from "../shapes/command.ts";
import { type Command, globalScope, type Guild, type World } from "../world/world.ts";

/** Commands that a person is offered in a guild; a guild's command hides the global one of its name. */
export function offeredCommands(world: World, guild: Guild | null, userId: string): Command[] {
  if (guild && !botIsIn(world, guild.id)) return [];
  const own = guild ? (world.commands.get(guild.id) ?? []) : [];
  const global = (world.commands.get(globalScope) ?? []).filter(
    (command) => !own.some(({ name, type }) => name === command.name && type === command.type),
  );
  return [...own, ...global].filter((command) => mayUse(command, guild, userId));
}

function mayUse(command: Command, guild: Guild | null, userId: string): boolean {
  if (!guild) return command.contexts?.includes(1) ?? command.dm_permission ?? true;
  if (command.contexts && !command.contexts.includes(0)) return false;
  const needed = BigInt(command.default_member_permissions ?? "0");
  // "0" means that nobody but administrators may use it.
  if (command.default_member_permissions === "0")
    return memberPermissions(guild, userId) === (1n << 52n) - 1n;
  return (memberPermissions(guild, userId) & needed) === needed;
}

export interface ChosenCommand {
  command: Command;
  /** Names of the group and subcommand below it. */
  path: string[];
  options: ValueOption[];
}

/** The slash command that someone typed, "ban add", with the options that it takes. */
export function findChatCommand(
  world: World,
  guild: Guild | null,
  userId: string,
  typed: string,
): ChosenCommand {
  const [name = "", ...path] = typed.trim().split(/\s+/);
  const command = offeredCommands(world, guild, userId).find(
    (candidate) => candidate.type === commandType.chat && candidate.name === name,
  );
  if (!command) throw new AppError("invalid_input", `There is no command /${name} here that you may use.`);
  let options: readonly Option[] = command.options ?? [];
  for (const step of path) {
    const next = options.find((option) => option.name === step);
    if (next?.type !== 1 && next?.type !== 2)
      throw new AppError("invalid_input", `There is no command /${typed}.`);
    options = next.options ?? [];
  }
  if (options.some(({ type }) => type === 1 || type === 2)) {
    throw new AppError("invalid_input", `/${typed} needs one of its subcommands.`);
  }
  return { command, path, options: options.filter((option) => option.type !== 1 && option.type !== 2) };
}
