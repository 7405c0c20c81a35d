import { domainToUnicode } from "node:url";
import { skeletonOf } from "../../text/skeleton.ts";
import { countEdits } from "../../text/suggest.ts";
import { isMachine, isWithin } from "./address.ts";
import { registrableOf } from "./hosts.ts";
import { lureWords, type ProtectedName } from "./protected-names.ts";

/** Shorter names have too many similar ones to compare by letters. */
const minForEdits = 7;
/** From this length on, two letters may differ. */
const minForTwo = 11;
/** Words that differ from a protected name by one letter. */
const honest = new Set(["finance"]);

/** Why a host imitates another: a sentence for people; undefined if it does not. */
export function findLookAlike(host: string, names: readonly ProtectedName[]): string | undefined {
  if (isMachine(host)) return undefined;
  const owner = registrableOf(host);
  if (owner === undefined || names.some(({ domains }) => domains.some((own) => isWithin(host, own))))
    return undefined;
  const site = readSite(host, owner);
  for (const protectedName of names) {
    const why = explain(site, protectedName);
    if (why === undefined) continue;
    const [real] = protectedName.domains;
    return `${host} ${why}${real === undefined ? "" : `, whose site is ${real}`}`;
  }
  return undefined;
}

/** A host as people read it. */
interface Site {
  host: string;
  /** The registered label, without its suffix, and the labels that its owner put before it. */
  label: Label;
  before: readonly Label[];
  hasLure: boolean;
}

interface Label {
  /** As browsers may show it: international letters for xn--. */
  shown: string;
  isForeign: boolean;
  /** Its letters by appearance, without hyphens. */
  skeleton: string;
  /** The parts between hyphens. */
  parts: readonly string[];
}

function readSite(host: string, owner: string): Site {
  const [registered = "", ...rest] = domainToUnicode(owner).split(".");
  const above = domainToUnicode(host)
    .split(".")
    .slice(0, -rest.length - 1);
  const label = readLabel(registered);
  const before = above.map(readLabel);
  const hasLure = [label, ...before].some(({ parts }) => parts.some((part) => lureWords.has(part)));
  return { host, label, before, hasLure };
}

function readLabel(shown: string): Label {
  const isForeign = /[^\x21-\x7f]/.test(shown);
  return { shown, isForeign, skeleton: keyOf(shown.replaceAll("-", "")), parts: shown.split("-") };
}

/** Letters by appearance, whatever their case and script. */
function keyOf(text: string): string {
  return skeletonOf(skeletonOf(text.toLowerCase()).toLowerCase());
}

function explain(site: Site, { name, domains, isWord = false }: ProtectedName): string | undefined {
  const { label, before, hasLure } = site;
  const feigned = domains.find((domain) => `.${site.host}`.includes(`.${domain}.`));
  if (feigned !== undefined) return `begins like ${feigned}`;
  const key = keyOf(name);
  const disguised = [label, ...before].find(({ shown, skeleton }) => skeleton === key && shown !== name);
  if (disguised && (disguised.isForeign || !isWord || hasLure)) {
    return `is written to be read as ${name} (${disguised.shown})`;
  }
  if (!isWord && label.shown === name) return `has the name ${name}`;
  const joined = [label, ...before].some((one) => holdsName(one, name, isWord));
  if (joined || (hasLure && [label, ...before].some(({ parts }) => parts.includes(name)))) {
    return `combines the name ${name} with a word that lures people`;
  }
  if (isWord || name.length < minForEdits) return undefined;
  const near = [label.shown.replaceAll("-", ""), ...(hasLure ? label.parts : [])].find((part) =>
    isNear(part, name),
  );
  return near === undefined ? undefined : `is nearly ${name} (${near})`;
}

/** "claimmetamask", "metamasklogin". */
function holdsName({ parts }: Label, name: string, isWord: boolean): boolean {
  if (isWord && name.length < 6) return false;
  return parts.some(
    (part) =>
      (part.startsWith(name) && lureWords.has(part.slice(name.length))) ||
      (part.endsWith(name) && lureWords.has(part.slice(0, -name.length))),
  );
}

function isNear(part: string, name: string): boolean {
  const reach = name.length >= minForTwo ? 2 : 1;
  if (honest.has(part) || Math.abs(part.length - name.length) > reach) return false;
  const edits = countEdits(part, name);
  return edits > 0 && edits <= reach;
}
