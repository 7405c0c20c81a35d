import { invisible } from "./letters.ts";
import { codeBlock, cutText, inlineCode, toVisible } from "./message-text.ts";

/*
 * How a cast is shown, wherever a person reads or decides: its text with the names that belong into it, and what it embeds and
 * quotes. All of it stands in code style, so that nothing notifies anybody, is a link or ends the block.
 */

/** What a cast shows. */
export interface CastBody {
  text: string;
  /** Addresses that it embeds: pages, pictures, videos. */
  embeds: readonly string[];
  /** Fids, in the order of their positions. */
  mentions: readonly number[];
  /** Where in the text each name belongs: UTF-8 bytes from its beginning. The text itself holds no names. */
  mentionsPositions: readonly number[];
  /** Hashes of the casts that it quotes. */
  quotes: readonly string[];
}

type Names = ReadonlyMap<number, string>;

/** Embeds, and quotes, that are shown; the network takes four. */
const maxShown = 4;
const maxMentionsListed = 10;
/** More than an address on the network has bytes. */
const maxAddressLength = 300;
/** Characters of a host in a line of few. */
const maxHostLength = 40;

/** Whether there is anything to be seen in it. */
export function isSeen({ text, embeds, mentions, quotes }: CastBody): boolean {
  return !isBlank(text) || embeds.length + mentions.length + quotes.length > 0;
}

/** Whether nothing of a text shows: an empty pattern of Braille is as wide as a letter, and no more. */
function isBlank(text: string): boolean {
  return text.replace(invisible, "").replaceAll("\u2800", "").trim() === "";
}

/** Where a cast can be looked at on the network, as Discord's markdown. */
export function castLink(linkBase: string, hash: string): string {
  return `[on the network](${linkBase.replace(/\/$/, "")}/~/conversations/${hash})`;
}

/** A whole cast: its text as a block, what it embeds and quotes below; `maximum` characters of the text. */
export function showCast(body: CastBody, names: Names, maximum = 600): string {
  const { text, unplaced } = putNames(body, names);
  const below = [
    ...listSome("Mentions", unplaced, maxMentionsListed),
    ...body.embeds.slice(0, maxShown).map((address) => {
      return `${kindOf(address)}: ${inlineCode(address, maxAddressLength)}`;
    }),
    ...countMore(body.embeds.length - maxShown, "embed"),
    ...listSome("Quotes", body.quotes, maxShown),
  ];
  const isEmpty = isBlank(text) && below.length > 0;
  return [...(isEmpty ? [] : [codeBlock(text, maximum)]), ...below].join("\n");
}

/**
 * The same in one line of at most `maximum` characters, as plain text. What it embeds is never cut away by a long text: of
 * each address the host is shown, by its end, where it is registered.
 */
export function castLine(body: CastBody, names: Names, maximum: number): string {
  const { text, unplaced } = putNames(body, names);
  const all = [text, ...unplaced].join(" ");
  const words = isBlank(all) ? "" : toVisible(all).replace(/\s+/g, " ").trim();
  const [first, ...others] = [
    ...body.embeds.map((address) => `(${kindOf(address).toLowerCase()}) ${hostOf(address)}`),
    ...body.quotes.map(() => "(quotes a cast)"),
  ];
  if (first === undefined) return words === "" ? "(no text)" : cutText(words, maximum);
  const more = others.length > 0 ? ` +${others.length}` : "";
  const shown = `${cutText(first, maximum - more.length)}${more}`;
  const rest = maximum - shown.length - 1;
  return words === "" || rest < 2 ? shown : `${cutText(words, rest)} ${shown}`;
}

/** What after a name would be taken for more of it: letters, and a dot or hyphen before one. */
const goesOn = /^[._-]*[\p{L}\p{N}\p{M}_]/u;

/** The text with the names in their places; names without one, or with one inside of a character or beyond the end, beside it. */
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
    // Two names at one place, or a word that touches one, would read as another name.
    written += `${/[\p{L}\p{N}]$/u.test(written) ? " " : ""}${name}`;
    from = at;
    if (goesOn.test(bytes.toString("utf8", from, from + 8))) written += " ";
  }
  return { text: written + bytes.toString("utf8", from), unplaced };
}

function isBetweenCharacters(bytes: Buffer, at: number): boolean {
  if (!Number.isSafeInteger(at) || at < 0 || at > bytes.length) return false;
  // Bytes after a character's first begin with the bits 10.
  return at === bytes.length || ((bytes[at] ?? 0) & 0xc0) !== 0x80;
}

function listSome(label: string, all: readonly string[], maximum: number): string[] {
  if (all.length === 0) return [];
  const shown = all.slice(0, maximum).map((one) => inlineCode(one, 60));
  const more = all.length > maximum ? ` and ${all.length - maximum} more` : "";
  return [`${label}: ${shown.join(", ")}${more}`];
}

function countMore(count: number, what: string): string[] {
  return count > 0 ? [`and ${count} more ${what}${count === 1 ? "" : "s"}`] : [];
}

const pictures = /\.(?:png|jpe?g|gif|webp|avif|svg)$/i;
const videos = /\.(?:mp4|m3u8|mov|webm)$/i;

/** By what the address ends with: nobody fetches it. */
function kindOf(address: string): "Picture" | "Video" | "Link" {
  const path = /^[^?#]*/.exec(address)?.[0] ?? "";
  if (pictures.test(path)) return "Picture";
  return videos.test(path) ? "Video" : "Link";
}

function hostOf(address: string): string {
  const host = URL.canParse(address) ? new URL(address).hostname : "";
  const shown = host === "" ? toVisible(address).replace(/\s+/g, " ") : host;
  return shown.length <= maxHostLength ? shown : `…${shown.slice(1 - maxHostLength)}`;
}
