import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { getDomain, parse } from "tldts";

/**
 * Parses addresses: where they begin and end in a text, and the host they lead to. People write them directly next to
 * other characters, so a host ends at the first character that cannot belong to it there.
 */

/** Suffixes like github.io, under which strangers register names, belong to nobody: tldts calls them private suffixes. */
export const bySuffix = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
} as const;
const maxHostLength = 253;
/** The longest possible top-level domain. */
const maxEnding = 63;

/** The last label must look like a top-level domain: a number there means an IP address. */
const wellFormed = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.(?:[a-z][a-z0-9]*|xn--[a-z0-9-]+)$/;
/** Written in the usual way: a browser reads the host unchanged. */
const plainAddress =
  /^https?:\/\/(?![^/?#]*xn--)((?:[a-z0-9_-]+\.)+[a-z][a-z0-9]*)(?::[0-9]{1,5})?(?:[/?#]|$)/;

/** The start of an address, as written. A sign or a letter of another script may precede it. */
const beginning = /(?<![a-z0-9])https?:\/\/+(?=[^\s/])|(?<![a-z0-9.-])www\.(?=[\p{L}\p{N}])/giu;
const scheme = /https?:\/\/+(?=[^\s/])/iuy;
/** The start of the next one. After one of these signs it belongs to the address before: a redirect target. */
const beforeNext = /[^\s<>]{1,2048}?(?=(?<![=/?#:&%@~.-])https?:\/\/[^\s/])/iuy;
/** The characters of hosts, including signs and emoji of international names. */
const hostRun = /[\p{L}\p{N}\p{M}\p{So}_-]+(?:[.。][\p{L}\p{N}\p{M}\p{So}_-]+)*/uy;
const authority = /[^\s<>"'`/?#\\]*/uy;
/** A user and password before a host. */
const plainUser = /^[\p{L}\p{N}\p{M}._~%:$&+=@-]*$/u;
/** The port and the path. */
const afterHost = /(?::[0-9]{1,5}(?![0-9]))?(?:[/?#\\][^\s<>"'`“”„‟«»「」『』【】〈〉《》]*)?/uy;
const closing = new Set(".,;:!?*_~|’…、。");
const brackets = new Map(["()", "[]", "{}"].map(([open = "", close = ""]) => [close, open]));
/** Ignored by browsers. */
const unseen = /[\t\n\r]|^\s+|\p{Default_Ignorable_Code_Point}/gu;

/** An address in a text, without adjacent characters. */
interface WrittenAddress {
  address: string;
  from: number;
  until: number;
}

/** The addresses in a text that have a scheme or begin with www, in order. */
export function* findAddresses(text: string): Generator<WrittenAddress> {
  let until = 0;
  for (let found = beginningAt(text, 0); found; found = beginningAt(text, until)) {
    const from = found.index;
    const isBare = !found[0].includes("/");
    const start = isBare ? from : from + found[0].length;
    until = Math.max(endOf(untilNext(text, start), start), from + found[0].length);
    if (until > start) yield { address: text.slice(from, until), from, until };
  }
}

/** Where the next address begins, even directly after another. */
function beginningAt(text: string, at: number): RegExpExecArray | null {
  scheme.lastIndex = beginning.lastIndex = at;
  return (at > 0 ? scheme.exec(text) : null) ?? beginning.exec(text);
}

/** A text cut before the address that follows the one at `start`. */
function untilNext(text: string, start: number): string {
  const before = matchAt(beforeNext, text, start);
  return before === "" ? text : text.slice(0, start + before.length);
}

/** A text with a mark in place of each address, and the addresses. */
export function takeAddresses(text: string, mark: string): { text: string; links: string[] } {
  const links: string[] = [];
  let rest = "";
  let end = 0;
  for (const { address, from, until } of findAddresses(text)) {
    links.push(address);
    rest += text.slice(end, from) + mark;
    end = until;
  }
  return { text: rest + text.slice(end), links };
}

/** The end of the address whose scheme ends at `start`. */
function endOf(text: string, start: number): number {
  const whole = matchAt(authority, text, start);
  const hostStart = start + hostAt(whole);
  const hostEnd = hostStart + cutHost(matchAt(hostRun, text, hostStart)).length;
  // Bracketed, percent-encoded, or not a host at all: as far as a browser would read.
  const isOdd = hostEnd === hostStart || text[hostEnd] === "%";
  const end = isOdd ? start + whole.length : hostEnd;
  return trimEnd(text, isOdd ? start : hostEnd, end + matchAt(afterHost, text, end).length);
}

/** The start of the host between a scheme and a path: after a user and password. */
function hostAt(whole: string): number {
  const at = whole.lastIndexOf("@") + 1;
  if (at === 0 || plainUser.test(whole.slice(0, at - 1))) return at;
  const [ending = ""] = /[^.]*$/.exec(cutHost(matchAt(hostRun, whole, at)).slice(0, maxHostLength)) ?? [];
  return isKnownEnding(ending) ? at : 0;
}

/** Without a final punctuation mark, or a closing bracket that the address did not open. */
function trimEnd(text: string, start: number, until: number): number {
  const path = text.slice(start, until);
  const unopened = new Map<string, number>();
  let end = until;
  for (; end > start; end--) {
    const last = text[end - 1] ?? "";
    const open = brackets.get(last);
    if (open !== undefined) {
      const more = unopened.get(last) ?? path.split(last).length - path.split(open).length;
      if (more <= 0) break;
      unopened.set(last, more - 1);
    } else if (!closing.has(last)) break;
  }
  return end;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** The hosts that an address leads to: none, one, or two if it is ambiguous. */
export function hostsOfAddress(address: string): string[] {
  const plain = plainAddress.exec(address)?.[1];
  if (plain !== undefined && plain.length <= maxHostLength) return [plain];
  const whole = withScheme(address.replace(unseen, ""));
  const written = matchAt(authority, whole, whole.indexOf("://") + 3);
  const at = hostAt(written);
  const host = browserHost(whole, written) ?? readHostAt(written, at);
  const hosts = [host, ...hostsBeforeStop(host, written, at)];
  // https://evil.example,@alice.com is two things to a reader, a user and host to a browser; likewise …example@alice.
  if (at > 0 && (host === undefined || !plainUser.test(written.slice(0, at - 1))))
    hosts.push(readHostAt(written, 0));
  return hosts.filter((one) => one !== undefined);
}

/** Browsers read a Chinese full stop as a dot; for readers it ends a sentence: evil.example。Then */
function hostsBeforeStop(host: string | undefined, written: string, at: number): string[] {
  if (!written.includes("。", at)) return [];
  const before = readHostAt(written.slice(0, written.lastIndexOf("。")), at);
  return before === undefined || before === host || getDomain(before, bySuffix) === null ? [] : [before];
}

/** The browser's reading, if it is a host. For international names, browsers include characters that do not belong. */
function browserHost(whole: string, written: string): string | undefined {
  if (!/^\p{ASCII}*$/u.test(written) || !URL.canParse(whole)) return undefined;
  const { hostname } = new URL(whole);
  return wellFormed.test(hostname) || isMachine(hostname) ? hostname : undefined;
}

function readHostAt(written: string, at: number): string | undefined {
  const run = matchAt(hostRun, decode(written.slice(at)).normalize("NFKC"), 0);
  const host = toHost(cutHost(run));
  return host?.includes(".") === true ? host : undefined;
}

function decode(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/** A host as it is compared: in lower case, international names in ASCII, IP addresses as browsers write them. */
function toHost(written: string): string | undefined {
  const ascii = domainToASCII(written.replace(/[.。]$/, ""));
  if (ascii === "" || ascii.length > maxHostLength) return undefined;
  if (wellFormed.test(ascii)) return ascii;
  const whole = `https://${ascii}`;
  if (!URL.canParse(whole)) return undefined;
  const { hostname } = new URL(whole);
  return isMachine(hostname) ? hostname : undefined;
}

/** Whether it is an IP address rather than a name. */
export function isMachine(host: string): boolean {
  return host.startsWith("[") || isIP(host) !== 0;
}

/** Whether a host is a domain, or below it. */
export function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** As browsers read it, with any number of slashes after the scheme. */
export function withScheme(address: string): string {
  if (/^https?:/i.test(address)) return address.replace(/:[/\\]*/, "://");
  return address.includes("://") ? address : `https://${address}`;
}

/** A letter, digit or sign that is neither ASCII nor Latin script. */
const foreign = /^(?![\p{ASCII}\p{Script=Latin}\p{M}])[\s\S]/u;
/** The same without scripts whose letters resemble Latin ones, because mixing these imitates a name. */
const unlike =
  /^(?![\p{ASCII}\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{M}])[\s\S]/u;

/**
 * The part of a run of characters that can be a host: it ends at a letter of another script directly after a domain
 * (evil.example测试), and at characters that no top-level domain has (evil.example_).
 */
export function cutHost(run: string): string {
  const bare = run.replace(/[_-]+$/, "");
  if (/^[a-z0-9.-]*\.[a-z]+$/i.test(bare)) return bare;
  const labels = bare.split(/[.。]/);
  const last = labels.pop() ?? "";
  let until = 0;
  for (const label of labels) {
    const end = until === 0 ? label.length : endOfInner(label, last);
    if (end < label.length) return bare.slice(0, until + end);
    until += label.length + 1;
  }
  const end = endOfLast(last, labels);
  return bare.slice(0, end === 0 ? Math.max(0, until - 1) : until + end);
}

/** Where the last label ends; 0 if it is not part of the host. */
function endOfLast(label: string, before: readonly string[]): number {
  const [ascii = ""] = /^(?:xn--[a-z0-9-]+|[a-z0-9]*)/i.exec(label) ?? [];
  if (before.length === 0 || ascii.length === label.length || isKnownEnding(label)) return label.length;
  if (ascii.length > 1 || isIP([...before, ascii].join(".")) !== 0) return ascii.length;
  for (let length = Math.min(label.length - 1, maxEnding); length > 0; length--) {
    const part = label.slice(0, length);
    if (!/\p{ASCII}/u.test(part) && isKnownEnding(part)) return length;
  }
  // A Chinese full stop ended the sentence, and the next one follows: evil.example。请看
  const isNext = foreign.test(label) && before.length > 1 && isWhole(before.join("."));
  return isNext ? 0 : label.length;
}

/** Whether it is a complete host: an IP address, or a registered name. */
function isWhole(host: string): boolean {
  return isIP(host) !== 0 || getDomain(host, bySuffix) !== null;
}

/** evil.com看other.com is two hosts; a single name that mixes scripts (app.例example.jp) is one. */
function endOfInner(label: string, last: string): number {
  const [ascii = ""] = /^[a-z0-9-]*/i.exec(label) ?? [];
  if (ascii.length < 2 || !unlike.test(label.slice(ascii.length))) return label.length;
  return isKnownEnding(ascii) || !isKnownEnding(last) ? ascii.length : label.length;
}

/** Reserved for examples and tests (RFC 6761). */
const reserved = /^(?:example|test)$/i;

/** Whether the root zone has it: com, рф, 中国. */
function isKnownEnding(label: string): boolean {
  const { isIcann } = parse(`a.${label.toLowerCase()}`, { ...bySuffix, allowPrivateDomains: false });
  return isIcann === true || reserved.test(label);
}

/** Whether a host is an IP address or has an existing top-level domain. */
export function canBeReached(host: string): boolean {
  return isMachine(host) || isKnownEnding(host.slice(host.lastIndexOf(".") + 1));
}

const foreignStart = /^(?:(?![\p{ASCII}\p{Script=Latin}])[\p{L}\p{N}\p{M}])+/u;

/** The number of letters of another script before a host without a scheme: 请看evil.example begins with two. */
export function lengthOfForeignStart(name: string): number {
  const [start = ""] = foreignStart.exec(name) ?? [];
  return /^[a-z0-9]/i.test(name.slice(start.length)) ? start.length : 0;
}
