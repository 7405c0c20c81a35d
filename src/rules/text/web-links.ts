import { readDomain } from "../language/rule-list.ts";
import { mendLinks } from "./mend-links.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import type { RuleText } from "./rule-text.ts";

/** More than anybody reads; keeps one event's cost bounded. */
const mostLinks = 100;
const beginsAsHost = /www\./i;
const link = /\bhttps?:\/\/[^\s<>"'`]+|\bwww\.[^\s<>"'`]+/giu;

const known = new WeakMap<RuleText, readonly string[]>();

/** The same of a text that rules read, found once for all of them. */
function linksOf(text: RuleText): readonly string[] {
  let found = known.get(text);
  if (!found) known.set(text, (found = linksIn(text.plain)));
  return found;
}

/** The addresses in a text, as written; broken ones (hxxps, [.]) made whole. */
export function linksIn(written: string): string[] {
  const text = mendLinks(written);
  if (!text.includes("://") && !beginsAsHost.test(text)) return [];
  const found: string[] = [];
  for (const [address] of text.matchAll(link)) if (found.push(address) === mostLinks) break;
  return found;
}

/** How many addresses a cast has: those in its text, and those that it only embeds. */
export function countLinks({ cast, text }: Pick<Occurrence, "cast" | "text">): number {
  const written = text ? linksOf(text) : [];
  const same = new Set(written.map(nameAddress));
  const embedded = (cast?.embeds ?? []).slice(0, mostLinks).filter((address) => domainOf(address));
  const others = new Set(embedded.map(nameAddress).filter((address) => !same.has(address)));
  return written.length + others.size;
}

/** The same for addresses that lead to the same place: apps embed the links of a text, written a little differently. */
export function nameAddress(address: string): string {
  const whole = withScheme(address.replace(/[).,;:!?\]]+$/, ""));
  if (!URL.canParse(whole)) return address;
  const { host, pathname, search, hash } = new URL(whole);
  return `${host.replace(/^www\./, "")}${pathname.replace(/\/$/, "")}${search}${hash}`;
}

/** The domains that a cast embeds or links to. */
export function domainsOf(cast: Pick<Occurrence, "cast" | "text">): string[] {
  return [...new Set(addressesOf(cast).flatMap((address) => domainOf(address) ?? []))];
}

/** The addresses that a cast embeds or has in its text, as written. */
export function addressesOf({ cast, text }: Pick<Occurrence, "cast" | "text">): string[] {
  return [...(cast?.embeds ?? []).slice(0, mostLinks), ...(text ? linksOf(text) : [])];
}

export function domainOf(address: string): string | undefined {
  const whole = withScheme(address);
  return URL.canParse(whole) ? readDomain(new URL(whole).hostname) : undefined;
}

function withScheme(address: string): string {
  return address.includes("://") ? address : `https://${address}`;
}

/** A domain and those that it belongs to: a.b.example, b.example. */
export function withParents(domain: string): string[] {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}
