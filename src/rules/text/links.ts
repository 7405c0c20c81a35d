import { readDomain } from "../language/rule-list.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";

/** More than anybody reads; keeps one event's cost bounded. */
const mostLinks = 100;
const link = /\bhttps?:\/\/[^\s<>"'`]+|\bwww\.[^\s<>"'`]+/giu;

/** The addresses in a text, as written. */
export function linksIn(text: string): string[] {
  const found: string[] = [];
  for (const [address] of text.matchAll(link)) if (found.push(address) === mostLinks) break;
  return found;
}

/** The domains that a cast embeds or links to. */
export function domainsOf({ cast, text }: Occurrence): string[] {
  const addresses = [...(cast?.embeds ?? []).slice(0, mostLinks), ...linksIn(text?.plain ?? "")];
  return [...new Set(addresses.flatMap((address) => domainOf(address) ?? []))];
}

function domainOf(address: string): string | undefined {
  const whole = address.includes("://") ? address : `https://${address}`;
  return URL.canParse(whole) ? readDomain(new URL(whole).hostname) : undefined;
}

/** A domain and those that it belongs to: a.b.example, b.example. */
export function withParents(domain: string): string[] {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}
