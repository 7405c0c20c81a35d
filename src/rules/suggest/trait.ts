import { registrableOf, withOwners } from "../links/hosts.ts";
import { wellKnownNames } from "../links/protected-names.ts";
import { sharedSites } from "../links/shared-sites.ts";
import { domainsOf } from "../text/web-links.ts";
import { readText, type RuleText } from "../text/rule-text.ts";

/** A property that casts share, and that a rule can test. */
export type Trait =
  | { kind: "address"; domain: string }
  | { kind: "phrase"; text: string }
  /** Two words, in this order and close together. */
  | { kind: "pattern"; words: readonly [string, string] }
  | { kind: "author"; fid: number };

/** A cast as input for traits: plain data. */
export interface CastData {
  hash: string;
  fid: number;
  text: string;
  embeds: readonly string[];
}

/** The same, with its text parsed. */
export interface ReadCast {
  fid: number;
  text: RuleText;
  /** The domains it links to, and their parents up to the registrable domain. */
  domains: readonly string[];
}

export function readCast({ hash, fid, text: raw, embeds }: CastData): ReadCast {
  const text = readText(raw);
  const domains = domainsOf({ text, cast: { hash, embeds, threadDepth: 0, mentions: null } });
  const named = domains.map((domain) => domain.replace(/^www\./, ""));
  return { fid, text, domains: [...new Set(named.flatMap(withOwners))].filter(isSomebodys) };
}

const wellKnown = new Set(wellKnownNames.flatMap(({ domains }) => domains));

/** Excludes co.uk or github.io, under which anybody registers, and the sites of well-known names or of many users. */
function isSomebodys(domain: string): boolean {
  const owner = registrableOf(domain);
  if (owner === undefined || sharedSites.has(owner)) return false;
  return !wellKnown.has(owner) && !wellKnown.has(domain);
}

/** The maximum distance between a pattern's words, in characters. */
export const patternReach = 60;

/** The condition for a trait, as written in a rule file. */
export function conditionOf(trait: Trait): Record<string, unknown> {
  switch (trait.kind) {
    case "address":
      return { "embed.domain": { eq: trait.domain } };
    case "phrase":
      return { text: { contains: trait.text } };
    case "pattern":
      return { text: { matches: `(?i)${patternOf(trait.words)}` } };
    case "author":
      return { "author.fid": { eq: trait.fid } };
  }
}

/** A pattern that RE2 and JavaScript read alike. */
export function patternOf([first, second]: readonly [string, string]): string {
  return `${atEdges(first)}.{0,${patternReach}}${atEdges(second)}`;
}

/** RE2 knows word boundaries only for Latin letters. */
function atEdges(word: string): string {
  const escaped = word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
  const isAscii = (letter: string | undefined) => letter !== undefined && /\w/.test(letter);
  return `${isAscii(word[0]) ? String.raw`\b` : ""}${escaped}${isAscii(word.at(-1)) ? String.raw`\b` : ""}`;
}

/** A name for the trait in a-z, 0-9 and -: at most 30 characters. */
export function nameTrait(trait: Trait): string {
  const words = {
    address: () => ("domain" in trait ? trait.domain : ""),
    phrase: () => ("text" in trait ? trait.text : ""),
    pattern: () => ("words" in trait ? trait.words.join(" ") : ""),
    author: () => ("fid" in trait ? String(trait.fid) : ""),
  }[trait.kind]();
  const slug = words.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-+|-+$/g, "");
  return `${trait.kind}${slug === "" ? "" : `-${slug.slice(0, 22)}`}`.replace(/-$/, "");
}
