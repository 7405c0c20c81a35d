import { readDomain } from "../language/rule-list.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import { mostLinks } from "./links-in.ts";

/** How many addresses a cast has: those in its text, and those that it only embeds. */
export function countLinks({ cast, text }: Pick<Occurrence, "cast" | "text">): number {
  const written = text?.links ?? [];
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
export function addressesOf({ cast, text }: Pick<Occurrence, "cast" | "text">): readonly string[] {
  const embeds = cast?.embeds ?? [];
  const links = text?.links ?? [];
  if (embeds.length === 0) return links;
  return [...(embeds.length > mostLinks ? embeds.slice(0, mostLinks) : embeds), ...links];
}

export function domainOf(address: string): string | undefined {
  // As nearly all are written: what a browser makes of the host is the host.
  const plain = plainAddress.exec(address)?.[1];
  if (plain !== undefined && !plain.includes("xn--")) return plain;
  const whole = withScheme(address);
  return URL.canParse(whole) ? readDomain(new URL(whole).hostname) : undefined;
}

/** Its last label begins with a letter: else it is a machine's address. */
const plainAddress = /^https?:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*)(?:[/?#]|$)/;

function withScheme(address: string): string {
  return address.includes("://") ? address : `https://${address}`;
}

/** A domain and those that it belongs to: a.b.example, b.example. */
export function withParents(domain: string): string[] {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}
