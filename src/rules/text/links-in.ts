import { findAddresses } from "../links/address.ts";
import { repairLinks } from "./repair-links.ts";

/** More than anybody reads; bounds one event's cost. */
export const maxLinks = 100;
const beginsAsHost = /www\./i;

/** The addresses in a text, as written; broken ones (hxxps, [.]) are repaired. */
export function linksIn(written: string): string[] {
  const text = repairLinks(written);
  if (!text.includes("://") && !beginsAsHost.test(text)) return [];
  const found: string[] = [];
  for (const { address } of findAddresses(text)) if (found.push(address) === maxLinks) break;
  return found;
}
