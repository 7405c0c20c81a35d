import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLeafReader, truthOf } from "../../../src/rules/evaluate/condition.ts";
import { Facts } from "../../../src/rules/facts/fact.ts";
import { findAddresses, hostsOfAddress } from "../../../src/rules/links/address.ts";
import { hostsOf } from "../../../src/rules/links/hosts.ts";
import { domainsOf } from "../../../src/rules/text/web-links.ts";
import { castCreated, castHash, rule, ruleSetOf } from "../../support/rules.ts";

const domainsIn = (text: string) => domainsOf(castCreated(text));
const embedding = (embed: string) =>
  castCreated("", { cast: { hash: castHash, embeds: [embed], threadDepth: 0, mentions: 0 } });

describe("an address that touches something", () => {
  it.each([
    ..."测试https://evil.example测试 テストhttp://evil.exampleテスト 「https://evil.example」 （https://evil.example）".split(
      " ",
    ),
    ..."https://evil.example, https://evil.example! https://evil.example; https://evil.example: (https://evil.example)".split(
      " ",
    ),
    ..."[x](https://evil.example) **https://evil.example** “https://evil.example” _https://evil.example_".split(
      " ",
    ),
    ..."~~https://evil.example~~ ||https://evil.example|| https://evil.example’ https://evil.example… "
      .trim()
      .split(" "),
    ..."https://evil.example…more https://evil.example/x测试 «https://evil.example» https://evil.example。请看".split(
      " ",
    ),
    ..."смотриhttps://evil.exampleсюда https://evil.exampleşimdi 🎁https://evil.example🎁 https://evil.example)now".split(
      " ",
    ),
    ..."https://evil.example，now https://evil.example-_ https://evil.example,https://evil.example".split(
      " ",
    ),
    ..."https://user@evil.example, https://evil.example:8080！ HTTPS://EVIL.EXAMPLE】 https://evil.example’s".split(
      " ",
    ),
    ..."测试evil[.]example测试 _evil(dot)example_ 看hxxps://evil[.]example， https://evil.example%20now".split(
      " ",
    ),
    "https://evil.example\u200B, now",
    ..."https://evil.example@ https://evil.example@alice https:///evil.example 1️⃣https://evil.example".split(
      " ",
    ),
    ..."①https://evil.example: ™https://evil.example".split(" "),
  ])("%s", (text) => {
    expect(domainsIn(text)).toEqual(["evil.example"]);
    expect(hostsOf(castCreated(text))).toEqual(["evil.example"]);
  });

  it.each([
    ..."https://evil.example™ https://evil.example¹ https://evil.example①https://a.example".split(" "),
    ..."https://evil.example1️⃣ https://evil.example\u200Bnow https://evil.example\u0001now".split(" "),
    ..."https://evil.example。Then https://a.examplehttps://evil.example".split(" "),
    ..."https://a.example/x,https://evil.example https://a.example/x|https://evil.example".split(" "),
    ..."https://a.example/x，https://evil.example https://a.example/x。https://evil.example".split(" "),
    ..."https://a.example/xhttps://evil.example https://a.example/x)(https://evil.example".split(" "),
  ])("and what may belong to another reading: %s", (text) => {
    expect(domainsIn(text)).toContain("evil.example");
    expect(hostsOf(castCreated(text))).toContain("evil.example");
  });

  it.each([
    ["https://пример.рф", "xn--e1afmkfd.xn--p1ai"],
    ["https://пример.рфtest", "xn--e1afmkfd.xn--p1ai"],
    ["https://münchen.de!", "xn--mnchen-3ya.de"],
    ["看https://例え.jp测试", "xn--r8jz45g.jp"],
    ["https://app.例example.jp/", "app.xn--example-ff6k.jp"],
    ["https://metаmask.io", "xn--metmask-4fg.io"],
    ["https://app.metаmask.io", "app.xn--metmask-4fg.io"],
    ["https://a.vermögensberater", "a.xn--vermgensberater-ctb"],
    ["https://例え.中国测试", "xn--r8jz45g.xn--fiqs8s"],
    ["https://i❤.ws", "xn--i-7iq.ws"],
    ["https://evil.com看good.example", "evil.com"],
    ["(https://[2001:db8::1])", "[2001:db8::1]"],
    ["https://203.0.113.7。测试", "203.0.113.7"],
  ])("keeps international names: %s is %s", (text, host) => {
    expect(domainsIn(text)).toEqual([host]);
  });

  it.each([
    ["请看evil-site.com领取", "evil-site.com"],
    ["(evil.com), at:evil.com", "evil.com"],
    ["_evil.com_", "evil.com"],
    ["сайт:evil.com。", "evil.com"],
    ["…evil.com", "evil.com"],
    ["at...evil.com", "evil.com"],
    ["-evil.com", "evil.com"],
    ["#evil.com", "evil.com"],
    ["=evil.com", "evil.com"],
    ["evil.com@ now", "evil.com"],
    ["evil.com™", "evil.com"],
    ["①evil.com②", "evil.com"],
    ["//evil.com", "evil.com"],
    ["ftp://evil.com", "evil.com"],
    ["http(s)://evil.com", "evil.com"],
    [`${"a.".repeat(30)}evil.com`, `${"a.".repeat(30)}evil.com`],
  ])("is read without a scheme: %s", (text, host) => {
    expect(hostsOf(castCreated(text))).toContain(host);
  });

  it.each([
    "https://notevil.example",
    "https://evil.example.com",
    "https://good.example/?q=evil.example",
    "evil@good.example",
    "https://good.example/?q=https://evil.example",
    "https://good.example/https://evil.example",
    "good.example/?evil.example",
    "good.example/#a=evil.example",
    "me.evil.example@good.example",
  ])("is no other's: %s", (text) => {
    expect(domainsIn(text)).not.toContain("evil.example");
    expect(hostsOf(castCreated(text))).not.toContain("evil.example");
  });

  it.each([
    ["https://evil.example,", ["evil.example"]],
    ["https://evil.example/x”", ["evil.example"]],
    ["evil.example/path", ["evil.example"]],
    [" https:\\\\ev\u00ADil.example\\x", ["evil.example"]],
    ["https:evil.example", ["evil.example"]],
    ["https://ev%69l.example", ["evil.example"]],
    ["https://ｅｖｉｌ．example", ["evil.example"]],
    ["https://evil.example,@alice.com", ["alice.com", "evil.example"]],
    ["https://good.example@evil.example", ["evil.example"]],
    ["https://[2001:db8::1]", ["[2001:db8::1]"]],
    ["ipfs://bafy/x.png", []],
    ["chain://eip155:8453/erc721:0x00", []],
    ["nonsense", []],
  ])("is read the same where it is embedded: %s", (embed, hosts) => {
    expect(domainsOf(embedding(embed))).toEqual(hosts);
    expect(hostsOf(embedding(embed))).toEqual(hosts);
  });
});

describe("whatever stands next to an address", () => {
  const host = fc.constantFrom(
    ["evil.example", "evil.example"],
    ["www.evil.co.uk", "www.evil.co.uk"],
    ["evil-site.com", "evil-site.com"],
    ["EVIL.Example", "evil.example"],
    ["пример.рф", "xn--e1afmkfd.xn--p1ai"],
    ["münchen.de", "xn--mnchen-3ya.de"],
    ["例え.jp", "xn--r8jz45g.jp"],
    ["203.0.113.7", "203.0.113.7"],
  );
  const rest = fc.constantFrom("", "/", "/claim", "?x=1", "#a", ":8080", ":8080/claim?x=1");
  const sign = fc.constantFrom(...Array.from(",!;:)]}>»”’'\"*_~|…、。，！）】」』›\u3000 \n🎁⚠️"));
  const letter = fc.constantFrom(...Array.from("测试テすอ한שاहбжωა"), "سلام", "领取");
  const before = fc.oneof(sign, letter, fc.constantFrom("", "see ", "(", "[x](", "**", "“", "「", "_"));

  it("its host is read", () => {
    const after = fc.oneof(
      sign,
      letter,
      fc.tuple(sign, letter).map((pair) => pair.join("")),
    );
    fc.assert(
      fc.property(
        before,
        fc.constantFrom("https://", "http://", "HTTPS://"),
        host,
        rest,
        after,
        (start, scheme, [written, read], path, end) => {
          // One script's letters after a name of the same script cannot be told apart.
          fc.pre(/[a-z0-9]$/i.test(written) || !/^[\p{L}]/u.test(end));
          const text = `${start}${scheme}${written}${path}${end}`;
          const hosts = domainsOf(castCreated(text));
          expect([text, hosts]).toEqual([text, [read]]);
          expect(hostsOf(castCreated(text))).toContain(read);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("rules about domains see it, and none of them is left out before", () => {
    const rules = ruleSetOf(rule({ id: "domain", when: { "embed.domain": { eq: "evil.example" } } }));
    fc.assert(
      fc.property(before, rest, fc.oneof(sign, letter), (start, path, end) => {
        const occurrence = castCreated(`${start}https://x.evil.example${path}${end}`);
        const truths = rules
          .findCandidates(occurrence)
          .map(({ when }) => truthOf(when, createLeafReader(occurrence, new Facts())));
        expect(truths).toEqual([true]);
      }),
      { numRuns: 1_000 },
    );
  });
});

it("an address of ASCII whose host is a name leads where a browser goes", () => {
  const piece = fc.constantFrom(
    ...Array.from("a.b1:/?#@%\\x"),
    ..."https:// http:// www. xn-- .example 0x7f 127.1 [::1] :8080 :99999 @evil.example".split(" "),
  );
  const name = /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/;
  fc.assert(
    fc.property(
      fc.constantFrom("https://", "http://"),
      fc.string({ unit: piece, maxLength: 12 }),
      (scheme, after) => {
        const address = `${scheme}${after}`;
        const host = URL.canParse(address) ? new URL(address).hostname : "";
        fc.pre(name.test(host));
        expect([address, hostsOfAddress(address)[0]]).toEqual([address, host]);
      },
    ),
    { numRuns: 2_000 },
  );
});

it("addresses are found in any text without end, and each is where it says", () => {
  const piece = fc.constantFrom(
    ..."https:// www. a.example ) ( , _ 测试 . … @ : / % \uD83D 🎁".split(" "),
    " ",
  );
  fc.assert(
    fc.property(fc.string({ unit: piece, maxLength: 30 }), (text) => {
      let end = 0;
      for (const { address, from, until } of findAddresses(text)) {
        expect(from).toBeGreaterThanOrEqual(end);
        expect(text.slice(from, until)).toBe(address);
        end = until;
      }
    }),
    { numRuns: 2_000 },
  );
});
