import { findAddresses } from "../links/address.ts";
import { mendLinks } from "./mend-links.ts";

/** More than anybody reads; keeps one event's cost bounded. */
export const mostLinks = 100;
const beginsAsHost = /www\./i;

/** The addresses in a text, as written; broken ones (hxxps, [.]) made whole. */
export function linksIn(written: string): string[] {
  const text = mendLinks(written);
  if (!text.includes("://") && !beginsAsHost.test(text)) return [];
  const found: string[] = [];
  for (const { address } of findAddresses(text)) if (found.push(address) === mostLinks) break;
  return found;
}
