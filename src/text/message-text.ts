/**
 * Text for Discord messages: users' text made harmless (no pings, formatting, links or reversed text; all such text goes
 * through here), shortened to fit, and times.
 */

/** Bidirectional controls, zero-width and similar characters, and joiners outside emoji. */
const invisible =
  /(?!\ufe0f|\u200d)\p{Default_Ignorable_Code_Point}|(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d/gu;
const controls = /(?![\n\t])\p{Control}|\p{Surrogate}/gu;
const stackedMarks = /(\p{Mark}{4})\p{Mark}+/gu;
const special = /[\\*_~`|<>@#[\]():+\-.!{}]/g;
/** Two words after a slash, which Castellan's texts turn into a command mention (src/discord/mention-commands.ts). */
const commandLike = /\/(?=[a-z]+ [a-z])/g;
const link = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s`<>]+|\bwww\.[^\s`<>]+|\b(?:discord\.gg|mailto:)[^\s`<>]+/giu;

/** Text within a line: markdown, mentions and emoji are escaped, links shown as code. */
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

/** One line as code, without formatting. */
export function inlineCode(text: string, maximum = 300): string {
  const clean = toVisible(text).replaceAll("`", "ˋ").replace(/\s+/g, " ").trim();
  return clean === "" ? "` `" : `\`${cutText(clean, maximum)}\``;
}

/** Several lines as code: evidence as written. */
export function codeBlock(text: string, maximum = 600): string {
  const clean = toVisible(text)
    .replaceAll("`", "ˋ")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return `\`\`\`\n${clean === "" ? " " : cutText(clean, maximum)}\n\`\`\``;
}

/** Without invisible characters, and those that reverse other text. */
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

/** A text's length as Discord counts it: in code points. */
export function countPoints(text: string): number {
  return text.length - (text.match(pairs)?.length ?? 0);
}

/**
 * At most `maximum` code points, ending in an ellipsis if it was cut. A visible character (a family, a flag, a letter with
 * its marks) is kept or dropped whole, unless it alone is longer.
 */
export function cutText(text: string, maximum: number): string {
  if (text.length <= maximum || countPoints(text) <= maximum) return text;
  if (maximum < 1) return "";
  const end = indexOfPoint(text, maximum - 1);
  // A character's start depends on nothing after it except the next code point.
  characters ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const character = characters.segment(text.slice(0, end + 2)).containing(end);
  return `${text.slice(0, character?.index || end)}…`;
}

/**
 * As many whole lines as fit into `maximum` code points, and their number: at least one, which is cut if it alone is too
 * long.
 */
export function fitLines(lines: readonly string[], maximum: number): { text: string; fitted: number } {
  let points = -1;
  const over = lines.findIndex((line) => (points += countPoints(line) + 1) > maximum);
  const fitted = over === -1 ? lines.length : Math.max(over, 1);
  return { text: cutText(lines.slice(0, fitted).join("\n"), maximum), fitted };
}

/** As many whole lines as fit, and a last line with the number of those left out. */
export function fitLinesOrCount(
  lines: readonly string[],
  maximum: number,
  more = (count: number) => `… and ${count} more`,
): string {
  const all = fitLines(lines, maximum);
  if (all.fitted === lines.length) return all.text;
  const { text, fitted } = fitLines(lines, maximum - 20);
  return `${text}\n${more(lines.length - fitted)}`;
}

/** The first of several in a sentence, and the number of the others: "a, b and 3 more". */
export function nameSome<T>(
  all: readonly T[],
  max: number,
  name: (one: T) => string = String,
  andMore = (first: string, count: number) => `${first} and ${count} more`,
): string {
  const first = all
    .slice(0, max)
    .map((one) => name(one))
    .join(", ");
  return all.length > max ? andMore(first, all.length - max) : first;
}

/** The first of several, one per line, and a line with the number of the others. */
export function listSome<T>(
  all: readonly T[],
  max: number,
  describe: (one: T) => string = String,
  what = "",
): string[] {
  const first = all.slice(0, max).map((one) => describe(one));
  return all.length > max ? [...first, `… and ${all.length - max} more ${what}`.trimEnd()] : first;
}

/** The index of the code point with this number, counted from 0. */
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

/** A Discord timestamp in each reader's own time zone: how long ago ("R"), or date and time ("f"). */
export function describeTime(seconds: number, style: "R" | "f" = "R"): string {
  return `<t:${Math.floor(seconds)}:${style}>`;
}
