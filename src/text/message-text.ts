/**
 * Text of Discord's messages: what strangers wrote, made harmless (no ping, no format, no link, no text that turns around:
 * everything that shows such text goes through here); cut to fit; and times.
 */

/** Bidirectional controls, zero-width characters and the like, and joiners that join no emoji. */
const invisible =
  /(?!\ufe0f|\u200d)\p{Default_Ignorable_Code_Point}|(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d/gu;
const controls = /(?![\n\t])\p{Control}|\p{Surrogate}/gu;
const stackedMarks = /(\p{Mark}{4})\p{Mark}+/gu;
const special = /[\\*_~`|<>@#[\]():+\-.!{}]/g;
/** Two words after a slash, which our own texts make a mention of a command (src/discord/mention-commands.ts). */
const commandLike = /\/(?=[a-z]+ [a-z])/g;
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

/** Without what nobody sees, or what turns other text around. */
export function toVisible(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(controls, "")
    .replace(invisible, "")
    .replace(stackedMarks, "$1");
}

function escapeMarkdown(text: string): string {
  return text.replace(special, "\\$&").replace(commandLike, "\\/");
}

const pairs = /[\ud800-\udbff][\udc00-\udfff]/g;
/** Created when first needed, because it reads tables. */
let characters: Intl.Segmenter | undefined;

/** How long a text is as Discord counts: in code points. */
export function countPoints(text: string): number {
  return text.length - (text.match(pairs)?.length ?? 0);
}

/**
 * At most `maximum` code points, the last an ellipsis where something was cut. What a reader takes for one character (a
 * family, a flag, a letter with its marks) stays whole or goes, unless it alone is longer than that.
 */
export function cutText(text: string, maximum: number): string {
  if (text.length <= maximum || countPoints(text) <= maximum) return text;
  if (maximum < 1) return "";
  const end = indexOfPoint(text, maximum - 1);
  // Where a character begins depends on nothing that follows it but the next point.
  characters ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const character = characters.segment(text.slice(0, end + 2)).containing(end);
  return `${text.slice(0, character?.index || end)}…`;
}

/**
 * Whole lines, as many as fit into `maximum` code points, and how many those are: at least one, which is cut where it
 * alone is too long.
 */
export function fitLines(lines: readonly string[], maximum: number): { text: string; fitted: number } {
  let points = -1;
  const over = lines.findIndex((line) => (points += countPoints(line) + 1) > maximum);
  const fitted = over === -1 ? lines.length : Math.max(over, 1);
  return { text: cutText(lines.slice(0, fitted).join("\n"), maximum), fitted };
}

/** As many whole lines as fit, and in the last how many were left out. */
export function fitLinesOrCount(lines: readonly string[], maximum: number): string {
  const all = fitLines(lines, maximum);
  if (all.fitted === lines.length) return all.text;
  const { text, fitted } = fitLines(lines, maximum - 20);
  return `${text}\n… and ${lines.length - fitted} more`;
}

/** Where the code point with this number begins, counted from 0. */
function indexOfPoint(text: string, number: number): number {
  let index = 0;
  let left = number;
  for (const point of text) {
    if (left === 0) break;
    left -= 1;
    index += point.length;
  }
  return index;
}

/** A Discord timestamp that each reader sees in their own time: how long ago ("R"), or date and time ("f"). */
export function describeTime(seconds: number, style: "R" | "f" = "R"): string {
  return `<t:${Math.floor(seconds)}:${style}>`;
}
