import { invisible } from "./letters.ts";
import { codeBlock, cutText, inlineCode, nameSome, toVisible } from "./message-text.ts";

/*
 * How casts are shown everywhere: the text with mentioned names, its embeds and quotes. All of it is formatted as code, so
 * that nothing notifies anybody, becomes a link or ends the block.
 */

/** The visible content of a cast. */
export interface CastBody {
  text: string;
  /** Embedded addresses: pages, pictures, videos. */
  embeds: readonly string[];
  /** Fids, in the order of their positions. */
  mentions: readonly number[];
  /** The byte offset (UTF-8) of each name in the text, which does not itself contain the names. */
  mentionsPositions: readonly number[];
  /** Hashes of the casts it quotes. */
  quotes: readonly string[];
}

/** What stands in a line for the parts of a cast that are not text, in English. */
export const castWords = {
  noText: "(no text)",
  picture: "(picture)",
  video: "(video)",
  link: "(link)",
  quote: "(quotes a cast)",
};

/** The words around a complete cast, in English. */
export const shownWords = {
  mentions: (names: string) => `Mentions: ${names}`,
  quotes: (hashes: string) => `Quotes: ${hashes}`,
  picture: (address: string) => `Picture: ${address}`,
  video: (address: string) => `Video: ${address}`,
  link: (address: string) => `Link: ${address}`,
  moreEmbeds: (count: number) => `and ${count} more embed${count === 1 ? "" : "s"}`,
};

type Names = ReadonlyMap<number, string>;

/** The most embeds, and the most quotes, that are shown; the network accepts four. */
const maxShown = 4;
const maxMentionsListed = 10;
/** More than the network's limit for addresses, in bytes. */
const maxAddressLength = 300;
/** The most characters of a host in a short line. */
const maxHostLength = 40;

/** Whether it has visible content. */
export function isSeen({ text, embeds, mentions, quotes }: CastBody): boolean {
  return !isBlank(text) || embeds.length + mentions.length + quotes.length > 0;
}

/** Whether a text shows nothing: an empty Braille pattern is as wide as a letter, but blank. */
function isBlank(text: string): boolean {
  return text.replace(invisible, "").replaceAll("\u2800", "").trim() === "";
}

export function castAddress(linkBase: string, hash: string): string {
  return `${linkBase.replace(/\/$/, "")}/~/conversations/${hash}`;
}

/** A link to a cast on the network, as Discord's markdown. */
export function castLink(linkBase: string, hash: string, label = "on the network"): string {
  return `[${label}](${castAddress(linkBase, hash)})`;
}

/** A complete cast: its text as a block, with embeds and quotes below; at most `maximum` characters of the text. */
export function showCast(
  body: CastBody,
  names: Names,
  maximum = 600,
  words = shownWords,
  andMore?: (first: string, count: number) => string,
): string {
  const { text, unplaced } = putNames(body, names);
  const code = (one: string) => inlineCode(one, 60);
  const more = body.embeds.length - maxShown;
  const below = [
    ...(unplaced.length === 0 ? [] : [words.mentions(nameSome(unplaced, maxMentionsListed, code, andMore))]),
    ...body.embeds
      .slice(0, maxShown)
      .map((address) => words[kindOf(address)](inlineCode(address, maxAddressLength))),
    ...(more > 0 ? [words.moreEmbeds(more)] : []),
    ...(body.quotes.length === 0 ? [] : [words.quotes(nameSome(body.quotes, maxShown, code, andMore))]),
  ];
  const isEmpty = isBlank(text) && below.length > 0;
  return [...(isEmpty ? [] : [codeBlock(text, maximum)]), ...below].join("\n");
}

/**
 * A complete cast for a page that shows plain text as it is: its visible text, which may be empty, and a line for each
 * address and quote.
 */
export function castParts(body: CastBody, names: Names): { text: string; below: string[] } {
  const { text, unplaced } = putNames(body, names);
  return {
    text: isBlank(text) ? "" : toVisible(text).trim(),
    below: [
      ...unplaced.map((name) => `Mentions ${name}`),
      ...body.embeds.map((address) => `${kindOf(address)}: ${toVisible(address)}`),
      ...body.quotes.map((hash) => `Quotes ${hash}`),
    ],
  };
}

/**
 * A cast in one line of at most `maximum` characters, as plain text. A long text never displaces the embeds: each
 * address shows the end of its host, which is the registered part.
 */
export function castLine(body: CastBody, names: Names, maximum: number, words = castWords): string {
  const { text, unplaced } = putNames(body, names);
  const all = [text, ...unplaced].join(" ");
  const said = isBlank(all) ? "" : toVisible(all).replace(/\s+/g, " ").trim();
  const [first, ...others] = [
    ...body.embeds.map((address) => `${words[kindOf(address)]} ${hostOf(address)}`),
    ...body.quotes.map(() => words.quote),
  ];
  if (first === undefined) return said === "" ? words.noText : cutText(said, maximum);
  const more = others.length > 0 ? ` +${others.length}` : "";
  const shown = `${cutText(first, maximum - more.length)}${more}`;
  const rest = maximum - shown.length - 1;
  return said === "" || rest < 2 ? shown : `${cutText(said, rest)} ${shown}`;
}

/** Characters that would seem to continue a name: letters, and a dot or hyphen before one. */
const goesOn = /^[._-]*[\p{L}\p{N}\p{M}_]/u;

/** The text with the names inserted, and names without a valid position (inside a character or beyond the end). */
function putNames({ text, mentions, mentionsPositions }: CastBody, names: Names) {
  if (mentions.length === 0) return { text, unplaced: [] };
  const bytes = Buffer.from(text);
  const unplaced: string[] = [];
  const placed: { at: number; name: string }[] = [];
  for (const [index, fid] of mentions.entries()) {
    const known = names.get(fid);
    const name = known === undefined ? `fid ${fid}` : `@${known}`;
    const at = mentionsPositions[index];
    if (at === undefined || !isBetweenCharacters(bytes, at)) unplaced.push(name);
    else placed.push({ at, name });
  }
  let written = "";
  let from = 0;
  for (const { at, name } of placed.toSorted((one, other) => one.at - other.at)) {
    written += bytes.toString("utf8", from, at);
    // Two names at one position, or a word next to one, would read as another name.
    written += `${/[\p{L}\p{N}]$/u.test(written) ? " " : ""}${name}`;
    from = at;
    if (goesOn.test(bytes.toString("utf8", from, from + 8))) written += " ";
  }
  return { text: written + bytes.toString("utf8", from), unplaced };
}

function isBetweenCharacters(bytes: Buffer, at: number): boolean {
  if (!Number.isSafeInteger(at) || at < 0 || at > bytes.length) return false;
  // Continuation bytes begin with the bits 10.
  return at === bytes.length || ((bytes[at] ?? 0) & 0xc0) !== 0x80;
}

const pictures = /\.(?:png|jpe?g|gif|webp|avif|svg)$/i;
const videos = /\.(?:mp4|m3u8|mov|webm)$/i;

/** By the address's ending, because it is never fetched. */
export function kindOf(address: string): "picture" | "video" | "link" {
  const path = /^[^?#]*/.exec(address)?.[0] ?? "";
  if (pictures.test(path)) return "picture";
  return videos.test(path) ? "video" : "link";
}

function hostOf(address: string): string {
  const host = URL.canParse(address) ? new URL(address).hostname : "";
  const shown = host === "" ? toVisible(address).replace(/\s+/g, " ") : host;
  return shown.length <= maxHostLength ? shown : `…${shown.slice(1 - maxHostLength)}`;
}
