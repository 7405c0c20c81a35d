// @ts-nocheck
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
import { readAsker } from "./read-asker.ts";
import type { OpenedForm } from "./run-form.ts";
import { toReply, type View } from "./view.ts";

/**
 * Answers with a form. Discord takes one only as the first answer, so nothing is acknowledged before; what comes instead
 * of a form, or goes wrong, is told privately. Never throws.
 */
export async function showForm(
  context: Omit<CommandContext, "asker" | "tellProgress">,
  interaction: ChatInputCommandInteraction | ButtonInteraction,
  what: string,
  open: (scope: CommandContext) => Promise<OpenedForm | { view: View }>,
): Promise<void> {
  try {
    const opened = await openOrError(context, interaction, what, open);
    if ("view" in opened) {
      const { content, embeds, components, files } = toReply(opened.view);
      await interaction.reply({ content, embeds, components, files, flags: MessageFlags.Ephemeral });
    } else await interaction.showModal(toModal(opened));
  } catch (error) {
    // The interaction is gone, or Discord cannot be reached: there is nobody left to tell.
    context.log.error({ err: error, what }, "a form could not be shown");
  }
}

async function openOrError(
  context: BotContext & Omit<CommandContext, "asker" | "tellProgress">,
  interaction: ChatInputCommandInteraction | ButtonInteraction,
  what: string,
  open: (scope: CommandContext) => Promise<OpenedForm | { view: View }>,
): Promise<OpenedForm | { view: View }> {
  try {
    return await open({ ...context, asker: readAsker(interaction), tellProgress: async () => {} });
  } catch (error) {
    return { view: describeError(context, error, what) };
  }
}

/** The form as Discord's API takes it: a field over several lines each. */
function toModal({ customId, title, fields }: OpenedForm) {
  return {
    custom_id: customId,
    title,
    components: Object.entries(fields).map(([name, { label, value, maxLength }]) => ({
      type: ComponentType.Label as const,
      label,
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
