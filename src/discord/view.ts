import { ButtonStyle, ComponentType } from "discord.js";
import type { RoomButton, RoomEmbed } from "../feed/rooms.ts";
import { discordLimits } from "../limits/discord-limits.ts";
import { colors } from "../text/colors.ts";
import { countPoints, cutText } from "../text/message-text.ts";
import { mentionCommands } from "./mention-commands.ts";

/** An answer to a person. */
export interface View {
  content?: string;
  embeds?: RoomEmbed[];
  buttons?: RoomButton[][];
  /** Link buttons, in a row below the others. */
  links?: { label: string; url: string }[];
  /** A menu above the buttons. */
  menu?: Menu;
  /** Text files under the message. */
  files?: { name: string; text: string }[];
  pictures?: PictureFile[];
}

/** A view with one embed: a text or its lines, and the embed's other fields. */
export function textView(
  color: keyof typeof colors,
  text: string | readonly string[],
  more: Omit<RoomEmbed, "description" | "color"> = {},
): { embeds: RoomEmbed[] } {
  const description = typeof text === "string" ? text : text.join("\n");
  return { embeds: [{ ...more, description, color: colors[color] }] };
}

/** A picture above the message's embeds. */
export interface PictureFile {
  name: string;
  bytes: Uint8Array;
  /** The text for people who cannot see it. */
  description: string;
}

/** A select menu with one choice. */
export interface Menu {
  customId: string;
  placeholder: string;
  options: { label: string; value: string; description?: string }[];
  /** Any number of them can be chosen. */
  several?: true;
}

const styles = {
  primary: ButtonStyle.Primary,
  secondary: ButtonStyle.Secondary,
  success: ButtonStyle.Success,
  danger: ButtonStyle.Danger,
} as const;

/** Embeds in the format of Discord's API, within its discordLimits. */
export function toEmbeds(embeds: readonly RoomEmbed[]) {
  return fitEmbeds(embeds).map(({ footer, timestamp, image, ...embed }) => ({
    ...embed,
    ...(image !== undefined && { image: { url: image } }),
    ...(footer !== undefined && { footer: { text: footer } }),
    ...(timestamp !== undefined && { timestamp: new Date(timestamp).toISOString() }),
  }));
}

/** Rows of buttons in the format of Discord's API, within its discordLimits. */
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

function toLinks(links: NonNullable<View["links"]>) {
  if (links.length === 0) return [];
  const components = links.slice(0, discordLimits.buttonsInRow).map(({ label, url }) => ({
    type: ComponentType.Button as const,
    style: ButtonStyle.Link as const,
    label: fitText(label, discordLimits.buttonLabel),
    url,
  }));
  return [{ type: ComponentType.ActionRow as const, components }];
}

/** A menu in the format of Discord's API, within its discordLimits. */
function toMenu({ customId, placeholder, options, several }: Menu) {
  return {
    type: ComponentType.ActionRow as const,
    components: [
      {
        type: ComponentType.StringSelect as const,
        custom_id: customId,
        placeholder: fitText(placeholder, discordLimits.placeholder),
        ...(several && { max_values: Math.min(options.length, discordLimits.choices) }),
        options: options.slice(0, discordLimits.choices).map(({ label, value, description }) => ({
          label: fitText(label.trim() ? label : nothing, discordLimits.choice),
          value,
          ...(description?.trim() && { description: fitText(description, discordLimits.choice) }),
        })),
      },
    ],
  };
}

/** An answer with mentions of commands; without Discord's ids, with their names. */
export function mentionCommandsIn(
  { content, embeds, ...view }: View,
  commandIds: ReadonlyMap<string, string> | undefined,
): View {
  const mention = (text: string) => mentionCommands(text, commandIds);
  return {
    ...view,
    ...(content !== undefined && { content: mention(content) }),
    ...(embeds && {
      embeds: embeds.map(({ description, fields, ...embed }) => ({
        ...embed,
        ...(description !== undefined && { description: mention(description) }),
        ...(fields && { fields: fields.map(({ value, ...field }) => ({ ...field, value: mention(value) })) }),
      })),
    }),
  };
}

/** A whole answer, with mentions of commands. Parts that the view lacks are cleared from the message that it replaces. */
export function toReply(view: View, commandIds?: ReadonlyMap<string, string>) {
  const { content = "", embeds = [] } = mentionCommandsIn(view, commandIds);
  return {
    content: fitText(content, discordLimits.content),
    embeds: toEmbeds(embeds),
    components: [
      ...(view.menu ? [toMenu(view.menu)] : []),
      ...toComponents(view.buttons ?? []),
      ...toLinks(view.links ?? []),
    ].slice(0, discordLimits.buttonRows),
    files: [...(view.pictures ?? []).map(toPicture), ...(view.files ?? []).map(toTextFile)].slice(
      0,
      discordLimits.files,
    ),
    allowedMentions: { parse: [] },
  };
}

function toTextFile({ name, text }: { name: string; text: string }) {
  return { name, attachment: fitFile(text) };
}

function toPicture({ name, bytes, description }: PictureFile) {
  return {
    name,
    attachment: Buffer.from(bytes),
    description: fitText(description, discordLimits.fileDescription),
  };
}

/** A placeholder where Discord accepts no empty text. */
const nothing = "–";
/** An embed's text is not cut to fewer characters than this. */
const minText = 40;

/** Text within a limit, without half a surrogate pair, which Discord refuses. An open code style is closed. */
export function fitText(text: string, maximum: number): string {
  const whole = text.replace(/\p{Surrogate}/gu, "\ufffd");
  if (countPoints(whole) <= maximum) return whole;
  const cut = cutText(whole, maximum - 4).replace(/`+\u2026$/, "…");
  return cut + closing(cut);
}

/** The marks that close an open code style, because the text inside was escaped only for code. */
function closing(text: string): string {
  const open = text.replace(/```[\s\S]*?```|`[^`\n]+`|\\[\s\S]/g, "");
  if (open.includes("```")) return "\n```";
  return open.includes("`") ? "`" : "";
}

/** Embeds that fit into one message: long texts are cut, and embeds that do not fit are dropped from the end. */
function fitEmbeds(embeds: readonly RoomEmbed[]): RoomEmbed[] {
  const fitted: RoomEmbed[] = [];
  let left = discordLimits.embedTexts;
  for (const embed of embeds.slice(0, discordLimits.embeds)) {
    if (left < minText) break;
    const fit = fitTotal(fitEach(embed), left);
    if (sizeOf(fit) === 0) break;
    left -= sizeOf(fit);
    fitted.push(fit);
  }
  return fitted;
}

function fitEach({ title, description, fields, footer, ...rest }: RoomEmbed): RoomEmbed {
  const fit: RoomEmbed = {
    ...rest,
    ...(title?.trim() && { title: fitText(title, discordLimits.title) }),
    ...(description?.trim() && { description: fitText(description, discordLimits.description) }),
    ...(fields && {
      fields: fields.slice(0, discordLimits.fields).map(({ name, value, ...field }) => ({
        ...field,
        name: fitText(name.trim() ? name : nothing, discordLimits.fieldName),
        value: fitText(value.trim() ? value : nothing, discordLimits.fieldValue),
      })),
    }),
    ...(footer?.trim() && { footer: fitText(footer, discordLimits.footer) }),
  };
  return sizeOf(fit) === 0 ? { ...fit, description: nothing } : fit;
}

/** Removes fields from the end until part of the description fits; then the description is cut. */
function fitTotal(embed: RoomEmbed, maximum: number): RoomEmbed {
  if (sizeOf(embed) <= maximum) return embed;
  const { description = "", fields = [], footer: _footer, ...others } = embed;
  const least = Math.min(countPoints(description), minText);
  for (let kept = fields.length; kept >= 0; kept -= 1) {
    const around = { ...embed, description: "", fields: fields.slice(0, kept) };
    const left = maximum - sizeOf(around);
    if (left >= least) return { ...around, description: fitText(description, left) };
  }
  return { ...others, title: fitText(embed.title ?? nothing, maximum) };
}

function sizeOf({ title = "", description = "", fields = [], footer = "" }: RoomEmbed): number {
  const texts = [title, description, footer, ...fields.flatMap(({ name, value }) => [name, value])];
  return texts.reduce((total, text) => total + countPoints(text), 0);
}

/** Rows of buttons that fit into one message. Empty rows are dropped, because Discord refuses them. */
function fitButtons(rows: readonly (readonly RoomButton[])[]): RoomButton[][] {
  return rows
    .filter((row) => row.length > 0)
    .slice(0, discordLimits.buttonRows)
    .map((row) =>
      row.slice(0, discordLimits.buttonsInRow).map(({ label, ...button }) => ({
        ...button,
        label: fitText(label.trim() ? label : nothing, discordLimits.buttonLabel),
      })),
    );
}

/** A text file's bytes. A file that is too large for Discord ends with a note. */
export function fitFile(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length <= discordLimits.fileBytes) return bytes;
  const note = Buffer.from("\n… cut here: the rest is too large for a file in Discord.\n");
  return Buffer.concat([bytes.subarray(0, discordLimits.fileBytes - note.length), note]);
}

/** Suggestions that Discord accepts, without those whose value would be truncated. */
export function fitChoices<V extends string | number>(
  choices: readonly { name: string; value: V }[],
): { name: string; value: V }[] {
  return choices
    .filter(
      ({ value }) =>
        typeof value === "number" || (value !== "" && countPoints(value) <= discordLimits.choice),
    )
    .slice(0, discordLimits.choices)
    .map(({ name, value }) => ({ name: fitText(name.trim() ? name : nothing, discordLimits.choice), value }));
}
