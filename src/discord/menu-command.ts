import { ApplicationCommandType, type ContextMenuCommandInteraction } from "discord.js";
import type { Texts } from "../languages/en.ts";
import { findText } from "../languages/languages.ts";
import { TranslatedError } from "../languages/translated-error.ts";
import { ChoiceNeeded, offerChoice } from "./choices.ts";
import type { CommandContext } from "./command-context.ts";
import type { Command, FormField, Handler, RawValues } from "./command.ts";
import { findHandler } from "./find-handler.ts";
import { openFormOfOptions } from "./forms.ts";
import type { OpenedForm } from "./opened-form.ts";
import { runHandler } from "./run-command.ts";
import type { View } from "./view.ts";

/** A command in the menu of a message or person: a slash command whose options follow from the menu's target. */
export interface MenuCommand {
  /** At most 32 characters, as displayed. */
  name: string;
  on: MenuTarget["kind"];
  /** The slash command, such as "feed add". The menu is offered to the same people. */
  path: string;
  /** Options of the slash command that a form asks for first. */
  asks?: (texts: Texts) => Record<string, FormField>;
  /** Throws ChoiceNeeded if several targets are possible, `invalid_input` if there is none. */
  fill(context: CommandContext, target: MenuTarget): Promise<RawValues>;
}

/** The target of the menu. */
export type MenuTarget =
  | { kind: "message"; messageId: string; authorId: string; /** All visible text. */ text: string }
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

export function findMenuCommand(
  menuCommands: readonly MenuCommand[],
  name: string,
  target: MenuTarget,
): MenuCommand | undefined {
  return menuCommands.find((command) => command.name === name && command.on === target.kind);
}

/** Runs the menu's slash command, which checks every permission. */
export function runMenuCommand(
  context: CommandContext,
  commands: readonly Command[],
  command: MenuCommand | undefined,
  target: MenuTarget,
): Promise<View> {
  return fillOrAsk(context, commands, command, target, ({ path }, handler, raw) =>
    runHandler(context, path, handler, raw),
  );
}

/** Opens the menu's form, or returns the view to show instead. */
export async function openMenuForm(
  context: CommandContext,
  commands: readonly Command[],
  command: MenuCommand,
  target: MenuTarget,
): Promise<OpenedForm | { view: View }> {
  const { texts } = context;
  const opened = await fillOrAsk(context, commands, command, target, ({ name, path, asks }, _, raw) =>
    openFormOfOptions(context, path, {
      title: findText(texts.menuNames, name) ?? name,
      fields: asks?.(texts) ?? {},
      state: raw,
    }),
  );
  return "customId" in opened ? opened : { view: opened };
}

/** Continues with the menu's target. If several are possible, asks which one. */
async function fillOrAsk<T>(
  context: CommandContext,
  commands: readonly Command[],
  command: MenuCommand | undefined,
  target: MenuTarget,
  goOn: (command: MenuCommand, handler: Handler, raw: RawValues) => Promise<T>,
): Promise<T | View> {
  const handler = command && findHandler(commands, command.path);
  if (!command || !handler)
    throw new TranslatedError("invalid_input", ({ outdated }) => outdated.menuCommand);
  try {
    return await goOn(command, handler, await command.fill(context, target));
  } catch (error) {
    if (error instanceof ChoiceNeeded) return offerChoice(context, command.path, {}, error);
    throw error;
  }
}

export const menuTypes = {
  message: ApplicationCommandType.Message,
  user: ApplicationCommandType.User,
} as const;
