// @ts-nocheck
import { AppError } from "../../../errors.ts";
import type { Context } from "../context.ts";
import type { Interaction } from "../interactions/interactions.ts";
import { commandType, interactionType } from "../numbers.ts";
import type { Choice } from "../shapes/command.ts";
import { dispatchInteraction } from "./dispatch-interaction.ts";
import {
  draftOptions,
  fillOptions,
  type FilledOption,
  type GivenFile,
  type GivenOptions,
} from "./fill-options.ts";
import { type ChosenCommand, findChatCommand, offeredCommands } from "./find-command.ts";
import { findPerson, findPlace, findVisible } from "./find.ts";
import { ResolvedValues } from "./resolve-values.ts";

/** Who acts, and where: ids or names. */
export interface Actor {
  user: string;
  room: string;
}

export interface TypedCommand extends Actor {
  /** With its subcommands, "ban add". */
  command: string;
  options?: GivenOptions;
}

export function runSlashCommand(context: Context, typed: TypedCommand): Interaction {
  const user = findPerson(context.world, typed.user);
  const { room, guild } = findPlace(context.world, typed.room);
  const chosen = findChatCommand(context.world, guild, user.id, typed.command);
  const options = fillOptions(context, chosen.options, typed.options ?? {});
  const files = givenFiles(typed.options ?? {});
  const resolved = new ResolvedValues(context, guild).addOptions(options, files).toPayload();
  const data = { ...commandData(chosen, options), ...resolved };
  const name = [chosen.command.name, ...chosen.path].join(" ");
  return dispatchInteraction(context, {
    type: interactionType.command,
    user,
    room,
    guild,
    name,
    source: null,
    data,
  });
}

/** The bot's suggestions for what is being typed into one option. Empty where the bot did not answer. */
export async function askSuggestions(
  context: Context,
  typed: TypedCommand & { focused: string },
): Promise<Choice[]> {
  const user = findPerson(context.world, typed.user);
  const { room, guild } = findPlace(context.world, typed.room);
  const chosen = findChatCommand(context.world, guild, user.id, typed.command);
  const options = draftOptions(context, chosen.options, typed.options ?? {}, typed.focused);
  const data = commandData(chosen, options);
  const type = interactionType.autocomplete;
  const asked = dispatchInteraction(context, {
    type,
    user,
    room,
    guild,
    name: typed.command,
    source: null,
    data,
  });
  const outcome = await asked.outcome;
  return outcome.kind === "choices" ? outcome.choices : [];
}

export interface MenuChoice extends Actor {
  /** Name of the context-menu command. */
  command: string;
  /** Message id or person that the menu was opened on. */
  target: string;
}

export function runMenuCommand(context: Context, choice: MenuChoice): Interaction {
  const user = findPerson(context.world, choice.user);
  const { room, guild } = findPlace(context.world, choice.room);
  const command = offeredCommands(context.world, guild, user.id).find(
    ({ name, type }) => name === choice.command && type !== commandType.chat,
  );
  if (!command)
    throw new AppError("invalid_input", `There is no command "${choice.command}" here that you may use.`);
  const resolved = new ResolvedValues(context, guild);
  let target: string;
  if (command.type === commandType.message) {
    const message = findVisible(context.world, room, user, choice.target);
    target = message.id;
    resolved.addMessage(message);
  } else {
    target = findPerson(context.world, choice.target).id;
    resolved.addUser(target);
  }
  const { id, name, type } = command;
  const data = { id, name, type, target_id: target, ...resolved.toPayload() };
  return dispatchInteraction(context, {
    type: interactionType.command,
    user,
    room,
    guild,
    name,
    source: null,
    data,
  });
}

function commandData({ command, path }: ChosenCommand, options: readonly FilledOption[]) {
  let nested: readonly unknown[] = options;
  for (const [depth, name] of [...path.entries()].toReversed()) {
    nested = [{ name, type: depth === path.length - 1 ? 1 : 2, options: nested }];
  }
  return { id: command.id, name: command.name, type: command.type, options: nested };
}

function givenFiles(given: GivenOptions): Map<string, GivenFile> {
  return new Map(
    Object.entries(given).flatMap(([name, value]) =>
      typeof value === "object" ? [[name, value] as const] : [],
    ),
  );
}
