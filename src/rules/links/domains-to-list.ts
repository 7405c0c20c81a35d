import { readDomain } from "../language/rule-list.ts";
import { readText } from "../text/rule-text.ts";
import { domainsOf } from "../text/web-links.ts";
import { commonHosts } from "./common-hosts.ts";
import { hostsOf, registrableOf } from "./hosts.ts";
import { sharedSites } from "./shared-sites.ts";

/**
 * The domains of the links in what somebody pasted, whatever stands around them; where it has none, those that it names
 * ("evil.example"). A domain of a list stands for all below it, so www is left out.
 */
export function domainsToList(pasted: string): string[] {
  const text = readText(pasted);
  const linked = domainsOf({ cast: null, text });
  const hosts = linked.length > 0 ? linked : hostsOf({ cast: null, text });
  return [...new Set(hosts.flatMap((host) => toListed(host) ?? []))];
}

/** A host as a list has it; undefined for one that no list takes. */
export function toListed(host: string): string | undefined {
  return readDomain(host.replace(/^www\./, "")) ?? readDomain(host);
}

/** Whether everybody links to it, so that a list with it hides much that is harmless. */
export function isShared(domain: string): boolean {
  return commonHosts.has(domain) || sharedSites.has(domain) || registrableOf(domain) === undefined;
}
