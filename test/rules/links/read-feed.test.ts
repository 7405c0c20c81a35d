import { describe, expect, it } from "vitest";
import { HostSet, keyOf } from "../../../src/rules/links/host-set.ts";
import { readEntry, readFeed, type FeedLimits } from "../../../src/rules/links/read-feed.ts";

async function* inPieces(text: string, length = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function read(text: string, options: { allows?: boolean; limits?: FeedLimits; length?: number } = {}) {
  const { listed, allowed, ...counts } = await readFeed(inPieces(text, options.length), options);
  const sets = [listed, allowed].map((parts) => {
    const set = new HostSet(100);
    for (const part of parts) set.addAll(part);
    return (host: string) => set.has(keyOf(host));
  });
  return { ...counts, lists: sets[0] ?? (() => false), allows: sets[1] ?? (() => false) };
}

describe("a feed of bad links", () => {
  it.each([
    ["domains, one a line", "# bad\r\nevil.example\r\n\r\nB.Example # why\n! more\nc.example"],
    ["a hosts file", "127.0.0.1 localhost\n0.0.0.0 evil.example b.example\n::1 c.example\n"],
    ["a JSON list", ' ["evil.example", "b.\\u0065xample", "B.example", "c.example"]'],
    [
      "a wallet's list",
      '{"version": 2, "tolerance": 1, "fuzzylist": ["good.example"], "blacklist": ["evil.example", "b.example", "c.example"]}',
    ],
    [
      "a wallet's later list",
      '{"data": {"note": "x", "eth_phishing_detect_config": {"blocklist": ["evil.example", "b.example", "c.example"], "fuzzylist": ["good.example"]}}}',
    ],
    [
      "a list beside what objects have by themselves",
      '{"constructor": ["good.example"], "__proto__": ["good.example"], "blocklist": ["evil.example", "b.example", "c.example"]}',
    ],
    ["addresses of sites", "https://evil.example/\nhttp://b.example\n*.c.example\n"],
  ])("may be %s", async (_, text) => {
    const { lists, allows, hosts } = await read(text);
    expect(["evil.example", "b.example", "c.example"].filter(lists)).toHaveLength(3);
    expect(lists("good.example")).toBe(false);
    expect(allows("good.example")).toBe(false);
    expect(hosts).toBe(3);
  });

  it("tells what is not bad, where it has a list of that", async () => {
    const { lists, allows } = await read('{"whitelist": ["good.example"], "blacklist": ["evil.example"]}');
    expect([lists("evil.example"), allows("good.example"), lists("good.example")]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("is a list of what is not bad where the operator says so", async () => {
    const { lists, allows, allowedHosts } = await read("good.example\nfine.example", { allows: true });
    expect([lists("good.example"), allows("good.example"), allowedHosts]).toEqual([false, true, 2]);
  });

  it("has no lines for everybody, for a page, or for what is no host", async () => {
    const wrong = [
      "*",
      "com",
      "co.uk",
      "*.com",
      "github.io",
      "evil",
      "a b.example",
      "https://sites.example/x",
    ];
    const more = [
      "a.example:8443",
      "you@a.example",
      `${"a".repeat(300)}.example`,
      "x".repeat(5000),
      "-",
      ".",
    ];
    const right = Array.from({ length: 14 }, (_, index) => `bad${index}.example`);
    const { skipped, hosts } = await read([...wrong, ...more, ...right].join("\n"));
    expect([skipped, hosts]).toEqual([14, 14]);
  });

  it.each([
    ["a web page", "\n <!doctype html><p>evil.example"],
    ["contains no address", "# nothing\n"],
    ["contains no address", "[]"],
    ["contains no address", '{"blacklist": []}'],
    ["contains no address", ""],
    ["broken JSON", '["evil.example", "b.exam'],
    ["broken JSON", '["evil.example"}'],
    ["broken JSON", '["evil.example"] ["b.example"]'],
    ["does not consist mostly of addresses", "evil.example\nSign in\nto the network\nof the hotel"],
    ["does not consist mostly of addresses", `evil.example\n${"no host\n".repeat(10_000)}`],
    ["larger than 0 MB", "evil.example\n".repeat(100)],
    ["more than 2 addresses", "a.example\nb.example\nc.example"],
  ])("is refused where it is or has %s", async (why, text) => {
    await expect(
      read(text, { limits: why.includes("MB") ? { bytes: 1000, hosts: 1000 } : { bytes: 1e6, hosts: 2 } }),
    ).rejects.toThrow(why);
  });
});

describe("an entry of a list", () => {
  it.each([
    ["Evil.Example.", "evil.example"],
    ["www.evil.example", "evil.example"],
    ["münchen.example", "xn--mnchen-3ya.example"],
    ["metamаsk.example", "xn--metamsk-6fg.example"],
    ["evil.github.io", "evil.github.io"],
    ["203.0.113.7", "203.0.113.7"],
    ["[2001:DB8:0::1]", "[2001:db8::1]"],
  ])("%s stands for %s", (written, host) => {
    expect(readEntry(written)).toBe(host);
  });
});
