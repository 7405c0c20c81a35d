import { ButtonStyle, ComponentType } from "discord.js";
import type { RoomButton, RoomEmbed } from "../feed/rooms.ts";
import { fitButtons, fitEmbeds, fitFile, fitText, limits } from "./limits.ts";

/** An answer to a person. */
export interface View {
  content?: string;
  embeds?: RoomEmbed[];
  buttons?: RoomButton[][];
  /** Text files under the message. */
  files?: { name: string; text: string }[];
}

export const colors = { plain: 0x5865f2, good: 0x2e8b57, warning: 0xc27c0e, bad: 0xb3261e } as const;

const styles = {
  primary: ButtonStyle.Primary,
  secondary: ButtonStyle.Secondary,
  success: ButtonStyle.Success,
  danger: ButtonStyle.Danger,
} as const;

/** Embeds as Discord's API takes them, within its limits. */
export function toEmbeds(embeds: readonly RoomEmbed[]) {
  return fitEmbeds(embeds).map(({ footer, timestamp, ...embed }) => ({
    ...embed,
    ...(footer !== undefined && { footer: { text: footer } }),
    ...(timestamp !== undefined && { timestamp: new Date(timestamp).toISOString() }),
  }));
}

/** Rows of buttons as Discord's API takes them, within its limits. */
export function toComponents(rows: readonly (readonly RoomButton[])[]) {
  return fitButtons(rows).map((row) => ({
    type: ComponentType.ActionRow as const,
    components: row.map(({ customId, label, style }) => ({
      type: ComponentType.Button as const,
      custom_id: customId,
      label,
      style: styles[style],
    })),
  }));
}

/** A whole answer; what the view does not have is cleared from the message that it replaces. */
export function toReply(view: View) {
  return {
    content: fitText(view.content ?? "", limits.content),
    embeds: toEmbeds(view.embeds ?? []),
    components: toComponents(view.buttons ?? []),
    files: (view.files ?? [])
      .slice(0, limits.files)
      .map(({ name, text }) => ({ name, attachment: fitFile(text) })),
    allowedMentions: { parse: [] },
  };
}
