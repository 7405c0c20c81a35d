import type { Occurrence, RuleCast } from "../evaluate/occurrence.ts";
import { findAddresses, hostsOfAddress, withScheme } from "../links/address.ts";
import { isPicture } from "../links/shared-sites.ts";
import { maxLinks } from "./links-in.ts";

/** The number of addresses in a cast: in its text, or only embedded. Embedded pictures do not count. */
export function countLinks({ cast, text }: Pick<Occurrence, "cast" | "text">): number {
  const written = text?.links ?? [];
  const same = new Set(written.map(nameAddress));
  const embedded = (cast?.embeds ?? [])
    .slice(0, maxLinks)
    .filter((address) => hostsOfAddress(address).length > 0 && !isPicture(address));
  const others = new Set(embedded.map(nameAddress).filter((address) => !same.has(address)));
  return written.length + others.size;
}

/** The number of pictures and videos that a cast embeds. */
export function countPictures({ embeds }: Pick<RuleCast, "embeds">): number {
  return new Set(embeds.slice(0, maxLinks).filter(isPicture).map(nameAddress)).size;
}

/** The addresses that a cast embeds or has in its text, without embedded pictures. */
export function leadsOf({ cast, text }: Pick<Occurrence, "cast" | "text">): string[] {
  const embedded = (cast?.embeds ?? []).slice(0, maxLinks).filter((address) => !isPicture(address));
  return [...embedded, ...(text?.links ?? [])];
}

/** The domains to which they lead. */
export function domainsOfLeads(cast: Pick<Occurrence, "cast" | "text">): string[] {
  return [...new Set(leadsOf(cast).flatMap(hostsOfAddress))];
}

/** The same for addresses with the same target: apps embed a text's links in a slightly different form. */
export function nameAddress(address: string): string {
  const [found] = findAddresses(withScheme(address));
  const whole = withScheme(found?.address ?? address);
  if (!URL.canParse(whole)) return address;
  const { host, pathname, search, hash } = new URL(whole);
  return `${host.replace(/^www\./, "")}${pathname.replace(/\/$/, "")}${search}${hash}`;
}

/** The domains that a cast embeds or links to. */
export function domainsOf(cast: Pick<Occurrence, "cast" | "text">): string[] {
  return [...new Set(addressesOf(cast).flatMap(hostsOfAddress))];
}

/** The addresses that a cast embeds or has in its text, as written. */
export function addressesOf({ cast, text }: Pick<Occurrence, "cast" | "text">): readonly string[] {
  const embeds = cast?.embeds ?? [];
  const links = text?.links ?? [];
  if (embeds.length === 0) return links;
  return [...(embeds.length > maxLinks ? embeds.slice(0, maxLinks) : embeds), ...links];
}
