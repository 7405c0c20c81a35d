import { createYield } from "../../async.ts";
import { AppError } from "../../errors.ts";
import { count } from "../../text/amount.ts";
import { commonHosts } from "./common-hosts.ts";
import { KeyParts, keyOf, type PackedKeys } from "./host-set.ts";
import { readHost, registrableOf } from "./hosts.ts";
import { JsonStrings } from "./json-strings.ts";

/** The limits of a feed. */
export interface FeedLimits {
  bytes: number;
  hosts: number;
}

const usualLimits: FeedLimits = { bytes: 64 * 2 ** 20, hosts: 2_000_000 };

/** The parsed content of a feed. */
export interface FeedContent {
  /** Hosts that are bad, and hosts that are allowed whatever another list contains. */
  listed: PackedKeys[];
  allowed: PackedKeys[];
  hosts: number;
  allowedHosts: number;
  /** Lines or values that are not hosts. */
  skipped: number;
  /** Listed hosts that everybody links to: they are not among `listed`. */
  leftOut: string[];
}

/** The keys under which wallets' lists have hosts; their fuzzy lists have names instead. */
const keys: Readonly<Record<string, "listed" | "allowed">> = {
  blacklist: "listed",
  blocklist: "listed",
  whitelist: "allowed",
  allowlist: "allowed",
};

/** Longer lines are not hosts, and are not collected. */
const longestLine = 2000;
/** The local machine's address, with which each line of a hosts file begins. */
const hostsFile = /^(?:0\.0\.0\.0|127(?:\.\d+){3}|255(?:\.255){3}|::1?|fe80::1%\S+|ff\d\d::\S*)\s+(?=\S)/i;

/**
 * Parses a feed's response: domains line by line, a hosts file, a JSON list, or the JSON of a wallet's phishing list. It
 * is parsed while it arrives, in steps that yield the event loop. Throws `invalid_input` for anything else.
 */
export async function readFeed(
  chunks: AsyncIterable<Uint8Array>,
  { allows = false, limits = usualLimits }: { allows?: boolean; limits?: FeedLimits } = {},
): Promise<FeedContent> {
  const gathered = { listed: new KeyParts(), allowed: new KeyParts() };
  const leftOut = new Set<string>();
  let skipped = 0;
  const take = (text: string, into: "listed" | "allowed") => {
    const host = readEntry(text);
    if (host === undefined) skipped += 1;
    else if (!allows && into === "listed" && commonHosts.has(host)) leftOut.add(host);
    else gathered[allows ? "allowed" : into].add(keyOf(host));
    if (gathered.listed.size + gathered.allowed.size > limits.hosts) {
      throw refuse(`contains more than ${count(limits.hosts)} addresses`);
    }
  };
  await readText(chunks, limits.bytes, take);
  const { listed, allowed } = gathered;
  if (listed.size + allowed.size === 0) {
    throw refuse(leftOut.size > 0 ? "contains only sites that everybody uses" : "contains no address");
  }
  if (skipped > listed.size + allowed.size) throw refuse("does not consist mostly of addresses");
  return {
    listed: listed.list(),
    allowed: allowed.list(),
    hosts: listed.size,
    allowedHosts: allowed.size,
    skipped,
    leftOut: [...leftOut],
  };
}

type Take = (text: string, into: "listed" | "allowed") => void;

/** Characters after which the event loop is yielded. */
const step = 2048;

async function readText(chunks: AsyncIterable<Uint8Array>, maxBytes: number, take: Take): Promise<void> {
  const yieldToEventLoop = createYield();
  const decoder = new TextDecoder();
  let reader: Reader | undefined;
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw refuse(`is larger than ${Math.floor(maxBytes / 2 ** 20)} MB`);
    for (let at = 0; at < chunk.length; at += step) {
      const text = decoder.decode(chunk.subarray(at, at + step), { stream: true });
      reader ??= chooseReader(text, take);
      reader?.add(text);
      await yieldToEventLoop();
    }
  }
  reader?.end();
}

interface Reader {
  add(text: string): void;
  end(): void;
}

/** Chosen by a feed's beginning; undefined as long as nothing arrived. */
function chooseReader(begin: string, take: Take): Reader | undefined {
  const first = begin.trimStart()[0];
  if (first === undefined) return undefined;
  if (first === "<") throw refuse("is a web page");
  return first === "{" || first === "[" ? createJsonReader(take) : createLineReader(take);
}

function createJsonReader(take: Take): Reader {
  const strings = new JsonStrings((text, key) => {
    const into = key === undefined ? "listed" : Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (into) take(text, into);
  });
  return {
    add: (text) => strings.add(text),
    end() {
      if (!strings.isWhole()) throw refuse("is broken JSON");
    },
  };
}

function createLineReader(take: Take): Reader {
  let rest = "";
  return {
    add(text) {
      const lines = (rest + text).split(/\r\n?|\n/);
      rest = (lines.pop() ?? "").slice(0, longestLine);
      for (const line of lines) readLine(line, take);
    },
    end: () => readLine(rest, take),
  };
}

function readLine(line: string, take: Take): void {
  const said = line.replace(/[#!].*/s, "").trim();
  if (said === "") return;
  const names = said.replace(hostsFile, "");
  if (names === said) take(said, "listed");
  else for (const name of names.split(/\s+/)) take(name, "listed");
}

/**
 * The host for a list entry, in the form used for comparison; undefined if it is not a host, cannot be registered (it
 * would cover everybody), or is a single page of a site.
 */
export function readEntry(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/$/, "")
    .replace(/^\*\./, "");
  const host = readHost(bare);
  const owner = host === undefined ? undefined : registrableOf(host);
  if (host === undefined || owner === undefined) return undefined;
  return host.startsWith("www.") && host.length > owner.length ? host.slice(4) : host;
}

function refuse(why: string): AppError {
  return new AppError("invalid_input", why);
}
