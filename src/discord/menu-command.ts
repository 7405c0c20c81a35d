import { ApplicationCommandType, type ContextMenuCommandInteraction } from "discord.js";
import { AppError } from "../errors.ts";
import { ChoiceNeeded, offerChoice } from "./choices.ts";
import type { CommandContext } from "./command-context.ts";
import { findHandler, type Command, type RawValues } from "./command.ts";
import { runHandler } from "./run-command.ts";
import type { View } from "./view.ts";

/** A command in the menu of a message or of a person: a slash command, whose options follow from what it was opened on. */
export interface MenuCommand {
  /** At most 32 characters, as people read it. */
  name: string;
  on: MenuTarget["kind"];
  /** As of slash commands. */
  offeredTo?: bigint;
  /** The slash command: "ban add". */
  path: string;
  /** Throws ChoiceNeeded where several things can be meant, `invalid_input` where none. */
  fill(context: CommandContext, target: MenuTarget): Promise<RawValues>;
}

/** What the menu was opened on. */
export type MenuTarget =
  | { kind: "message"; messageId: string; authorId: string; /** All that one reads in it. */ text: string }
  | { kind: "user"; userId: string };

export function readTarget(interaction: ContextMenuCommandInteraction): MenuTarget {
  if (interaction.isMessageContextMenuCommand()) {
    const { id, author, content, embeds } = interaction.targetMessage;
    const texts = embeds.flatMap(({ title, description, fields }) => [
      title,
      description,
      ...fields.flatMap(({ name, value }) => [name, value]),
    ]);
    const text = [content, ...texts].filter(Boolean).join("\n");
    return { kind: "message", messageId: id, authorId: author.id, text };
  }
  return { kind: "user", userId: interaction.targetId };
}

/** Runs the slash command that it stands for; every right is asked for there. */
export async function runMenuCommand(
  context: CommandContext,
  commands: readonly Command[],
  menuCommands: readonly MenuCommand[],
  name: string,
  target: MenuTarget,
): Promise<View> {
  const found = menuCommands.find((command) => command.name === name && command.on === target.kind);
  const handler = found && findHandler(commands, found.path);
  if (!found || !handler) throw new AppError("invalid_input", `There is no command "${name}" any more.`);
  try {
    return await runHandler(context, found.path, handler, await found.fill(context, target));
  } catch (error) {
    if (error instanceof ChoiceNeeded) return offerChoice(context, found.path, {}, error);
    throw error;
  }
}

export const menuTypes = {
  message: ApplicationCommandType.Message,
  user: ApplicationCommandType.User,
} as const;
