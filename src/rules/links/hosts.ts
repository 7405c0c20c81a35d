import { getDomain } from "tldts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import { repairLinks } from "../text/repair-links.ts";
import {
  bySuffix,
  canBeReached,
  cutHost,
  hostsOfAddress,
  isMachine,
  lengthOfForeignStart,
  takeAddresses,
} from "./address.ts";

const plainHost = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.[a-z][a-z0-9-]*$/;
const asciiHost = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/;
const longestHost = 253;

/** A host as it is compared: in lower case, international names in ASCII, IP addresses as browsers write them. */
export function readHost(written: string): string | undefined {
  const host = written.toLowerCase().replace(/\.$/, "");
  if (host.length > longestHost) return undefined;
  if (plainHost.test(host)) return host;
  if (/[/?#\\\s@:]/.test(host) && !host.startsWith("[")) return undefined;
  const whole = `https://${host}`;
  if (!URL.canParse(whole)) return undefined;
  const { hostname, port } = new URL(whole);
  if (port !== "") return undefined;
  return asciiHost.test(hostname) || hostname.startsWith("[") ? hostname : undefined;
}

/** The registrable domain: b.example for a.b.example. Undefined if it cannot be registered: com, co.uk, github.io. */
export function registrableOf(host: string): string | undefined {
  return isMachine(host) ? host : (getDomain(host, bySuffix) ?? undefined);
}

/** At most this many parents of a host are checked. */
const maxOwners = 10;

/** A host and its parents: a.b.example, b.example. Names that cannot be registered (co.uk) may be among them. */
export function withOwners(host: string): string[] {
  if (isMachine(host)) return [host];
  const owners = [host];
  for (let at = host.indexOf("."); at >= 0 && host.includes(".", at + 1); at = host.indexOf(".", at + 1)) {
    owners.push(host.slice(at + 1));
  }
  return owners.length <= maxOwners ? owners : [host, ...owners.slice(1 - maxOwners)];
}

/** More than anybody reads; keeps one event's cost bounded. */
const maxHosts = 100;
const known = new WeakMap<object, readonly string[]>();

/** The hosts that a cast links to, or names as typed text: "claim at evil.example", "hxxps://evil[.]example". */
export function hostsOf(occurrence: Pick<Occurrence, "cast" | "text">): readonly string[] {
  let found = known.get(occurrence);
  if (!found) known.set(occurrence, (found = findHosts(occurrence)));
  return found;
}

function findHosts({ cast, text }: Pick<Occurrence, "cast" | "text">): readonly string[] {
  const found = new Set<string>();
  for (const host of hostsWithin(cast?.embeds ?? [], text)) {
    if (found.size === maxHosts) break;
    found.add(host);
  }
  return [...found];
}

function* hostsWithin(embeds: readonly string[], text: Occurrence["text"]): Generator<string> {
  for (const address of embeds.slice(0, maxHosts)) yield* hostsOfAddress(address);
  const { plain = "", parted = "" } = text ?? {};
  yield* hostsIn(plain);
  if (parted === plain) return;
  for (const host of hostsIn(parted)) if (canBeReached(host)) yield host;
}

function* hostsIn(written: string): Generator<string> {
  if (!dot.test(written)) return;
  const { text: rest, links } = takeAddresses(repairLinks(written), " ");
  for (const address of links.slice(0, maxHosts)) yield* hostsOfAddress(address);
  for (const [run] of rest.matchAll(named)) yield* hostsOfName(run);
}

/** Required in a text with a link: a dot, as NFKC leaves those that browsers accept, or a scheme. */
const dot = /[.。]|:\/\/|[[({]\s*dot\s*[\])}]/i;
/**
 * Skips text after @ or a slash, or after certain signs within a word, because that is an email address or a path;
 * addresses with a scheme are parsed elsewhere. Two dots in a row are not part of an address.
 */
const named =
  /(?<![\p{L}\p{N}@%]|(?<!\/)\/|[^\s.=&?#-](?!\.\.)[.=&?#-]{1,3})(?:[\p{L}\p{N}][\p{L}\p{N}\p{M}_-]{0,62}[.。]){1,126}[\p{L}][\p{L}\p{N}\p{M}_-]{1,62}(?![\p{L}\p{N}]|@[\p{L}\p{N}])/gu;

/** The hosts in a written name; preceding letters of another script may belong to it, or to the sentence. */
function hostsOfName(run: string): string[] {
  const name = cutHost(run);
  const start = lengthOfForeignStart(name);
  const names = start === 0 ? [name] : [name.slice(start), name];
  return names.flatMap((one) => {
    const host = readHost(one);
    return host === undefined || isMachine(host) || registrableOf(host) === undefined ? [] : [host];
  });
}
