import {
  ComponentType,
  MessageFlags,
  TextInputStyle,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  type ModalSubmitInteraction,
} from "discord.js";
import type { BotContext } from "../bot-context.ts";
import type { CommandContext } from "./command.ts";
import { describeError } from "./describe-error.ts";
import { fitText, limits } from "./limits.ts";
import { readScope, type Scope } from "./read-actor.ts";
import type { OpenedForm } from "./run-form.ts";
import { showView } from "./show-view.ts";
import { toReply, type View } from "./view.ts";

/**
 * Answers with a form. Discord takes one only as the first answer, so nothing is acknowledged before; what comes instead
 * of a form, or goes wrong, is told privately. Never throws.
 */
export async function showForm(
  context: Omit<CommandContext, keyof Scope | "tellProgress">,
  interaction: ChatInputCommandInteraction | ButtonInteraction,
  what: string,
  open: (scope: CommandContext) => Promise<OpenedForm | { view: View }>,
): Promise<void> {
  const reply = (view: View) => interaction.reply({ ...toReply(view), flags: MessageFlags.Ephemeral });
  const opened = await openOrError(context, interaction, what, open);
  if ("view" in opened) await showView(context, what, { view: opened.view, failed: true }, reply);
  else {
    const form = () => interaction.showModal(toModal(opened));
    await showView(context, what, { view: {}, failed: true }, form, reply);
  }
}

async function openOrError(
  context: BotContext & Omit<CommandContext, keyof Scope | "tellProgress">,
  interaction: ChatInputCommandInteraction | ButtonInteraction,
  what: string,
  open: (scope: CommandContext) => Promise<OpenedForm | { view: View }>,
): Promise<OpenedForm | { view: View }> {
  try {
    return await open({ ...context, ...readScope(interaction), tellProgress: async () => {} });
  } catch (error) {
    return { view: describeError(context, error, what) };
  }
}

/** The form as Discord's API takes it: a field over several lines each. */
function toModal({ customId, title, fields }: OpenedForm) {
  return {
    custom_id: customId,
    title: fitText(title, limits.formTitle),
    components: Object.entries(fields).map(([name, { label, value, maxLength }]) => ({
      type: ComponentType.Label as const,
      label: fitText(label, limits.formLabel),
      component: {
        type: ComponentType.TextInput as const,
        custom_id: name,
        style: TextInputStyle.Paragraph as const,
        value,
        max_length: maxLength,
        required: true,
      },
    })),
  };
}

/** What somebody typed, by the names of the fields. */
export function typedIn({ fields }: ModalSubmitInteraction): Record<string, string> {
  const names = [...fields.fields.keys()];
  return Object.fromEntries(names.map((name) => [name, fields.getTextInputValue(name)]));
}
