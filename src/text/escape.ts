import { cutText } from "./cut-text.ts";

/**
 * What strangers wrote, made harmless for a Discord message: no ping, no format, no link, no text that turns around.
 * Everything that shows such text goes through here.
 */

/** Bidirectional controls, zero-width characters and the like, and joiners that join no emoji. */
const invisible =
  /(?!\ufe0f|\u200d)\p{Default_Ignorable_Code_Point}|(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d/gu;
const controls = /(?![\n\t])\p{Control}|\p{Surrogate}/gu;
const stackedMarks = /(\p{Mark}{4})\p{Mark}+/gu;
const special = /[\\*_~`|<>@#[\]():+\-.!{}]/g;
const link = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s`<>]+|\bwww\.[^\s`<>]+|\b(?:discord\.gg|mailto:)[^\s`<>]+/giu;

/** Text in a line of its own words: markdown, mentions and emoji written out, links in code style. */
export function escapeText(text: string, maximum = 300): string {
  const clean = cutText(toVisible(text).replace(/\s+/g, " ").trim(), maximum);
  let escaped = "";
  let done = 0;
  for (const match of clean.matchAll(link)) {
    escaped += escapeMarkdown(clean.slice(done, match.index)) + inlineCode(match[0]);
    done = match.index + match[0].length;
  }
  return escaped + escapeMarkdown(clean.slice(done));
}

/** One line in code style, where nothing is formatted. */
export function inlineCode(text: string, maximum = 300): string {
  const clean = toVisible(text).replaceAll("`", "ˋ").replace(/\s+/g, " ").trim();
  return clean === "" ? "` `" : `\`${cutText(clean, maximum)}\``;
}

/** Several lines in code style: evidence, as it was written. */
export function codeBlock(text: string, maximum = 600): string {
  const clean = toVisible(text)
    .replaceAll("`", "ˋ")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return `\`\`\`\n${clean === "" ? " " : cutText(clean, maximum)}\n\`\`\``;
}

function toVisible(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(controls, "")
    .replace(invisible, "")
    .replace(stackedMarks, "$1");
}

function escapeMarkdown(text: string): string {
  return text.replace(special, "\\$&");
}
