import { describe, expect, it } from "vitest";
import { linksIn } from "../../../src/rules/text/links-in.ts";
import { countLinks, countPictures, domainsOf, leadsOf } from "../../../src/rules/text/web-links.ts";
import { readText } from "../../../src/rules/text/rule-text.ts";
import { castCreated, castHash, nameTaken, recordHidden } from "../../support/rules.ts";

const withEmbeds = (text: string, embeds: string[]) =>
  castCreated(text, { cast: { hash: castHash, embeds, threadDepth: 0, mentions: 0 } });

describe("links in a text", () => {
  it.each([
    ["see https://a.example/x?y=1 now", ["https://a.example/x?y=1"]],
    ["HTTP://A.example and www.B.example", ["HTTP://A.example", "www.B.example"]],
    ["WWW.B.example", ["WWW.B.example"]],
    ["(https://a.example)", ["https://a.example"]],
    [
      "see https://a.example/x_(y), or https://a.example/z).",
      ["https://a.example/x_(y)", "https://a.example/z"],
    ],
    ["测试https://a.example测试", ["https://a.example"]],
    ["https://a.example,https://b.example;", ["https://a.example", "https://b.example"]],
    ["<https://a.example>", ["https://a.example"]],
    [
      "\"https://a.example\" 'www.b.example' `www.c.example`",
      ["https://a.example", "www.b.example", "www.c.example"],
    ],
    ["xhttps://a.example ywww.b.example", []],
    ["a.example, http:// and www.", []],
  ])("%s: %j", (text, expected) => {
    expect(linksIn(text)).toEqual(expected);
  });

  it("are a hundred at most", () => {
    const text = Array.from({ length: 130 }, (_, index) => `https://a.example/${index}`).join(" ");
    expect(linksIn(text).at(-1)).toBe("https://a.example/99");
    expect(linksIn(text)).toHaveLength(100);
  });
});

describe("the links of a cast", () => {
  it.each<[string, string[], number]>([
    ["gm", [], 0],
    ["gm", ["https://a.example/1"], 1],
    ["gm", ["https://a.example/1", "https://a.example/2", "https://a.example/1"], 2],
    ["https://a.example https://a.example", [], 2],
    ["see https://a.example/.", ["https://a.example"], 1],
    ["(see www.A.example/x?y=1)", ["https://a.example/x?y=1"], 1],
    ["https://a.example/x?y=1", ["https://a.example/x?y=2", "https://a.example/x?y=1#z"], 3],
    ["(https://a.example/x).", ["https://a.example/x"], 1],
    ["https://my.www.a.example", ["https://my.a.example"], 2],
    ["https://a.example/x/y", ["https://a.example/x/y/"], 1],
    ["https://a.example/x/", ["https://a.example/x"], 1],
    ["http://[", [], 1],
    ["see https://a.example, and", ["https://a.example,"], 1],
    ["测试https://a.example测试", ["https://a.example"], 1],
    ["gm", ["chain://eip155:1/erc721:0x00", "not a url", ""], 0],
  ])("%s with %j: %d", (text, embeds, expected) => {
    expect(countLinks(withEmbeds(text, embeds))).toBe(expected);
  });

  it("are counted where only the text is known, or only what is embedded", () => {
    expect(countLinks({ cast: null, text: readText("www.a.example") })).toBe(1);
    expect(countLinks({ ...withEmbeds("", ["https://a.example"]), text: null })).toBe(1);
  });

  it("are of the first hundred embeds", () => {
    const embeds = Array.from({ length: 130 }, (_, index) => `https://a${index}.example`);
    expect(countLinks(withEmbeds("", embeds))).toBe(100);
  });
});

describe("pictures of a cast", () => {
  const shown = "https://imagedelivery.net/BXluQx4ige9GuW0Ia56BHw/1a2b/original";

  it.each([
    [[shown], 1],
    [[shown, shown, "https://wrpcd.net/cdn-cgi/image/x/y"], 2],
    [["https://customer-x.cloudflarestream.com/1/manifest/video.m3u8"], 1],
    [["https://i.imgur.com/a1b2.PNG?x=1", "https://media.giphy.com/media/x/giphy.gif"], 2],
    [["https://gateway.pinata.cloud/ipfs/Qm/1.webp,"], 1],
    [["https://supercast.mypinata.cloud/ipfs/Qm?filename=image.png"], 1],
    [["https://pbs.twimg.com/media/F1a2?format=jpg&name=large"], 1],
  ])("are no links: %j", (embeds, count) => {
    const cast = withEmbeds("look", embeds);
    expect(countLinks(cast)).toBe(0);
    expect(countPictures({ embeds })).toBe(count);
    expect(leadsOf(cast)).toEqual([]);
    // Who names their host means it.
    expect(domainsOf(cast)).not.toEqual([]);
  });

  it.each([
    ["https://ipfs.io/ipfs/Qm/index.html"],
    ["https://imgur.com/gallery/x"],
    ["https://ipfs.io/ipfs/Qm?filename=image.png&format=png"],
    ["https://farcaster.xyz/~/mini-apps/launch?filename=x.png#.png"],
    ["https://pbs.twimg.com/media/F1a2?format=html"],
    ["https://evil.example/x.png"],
    ["https://imagedelivery.net.evil.example/x.png"],
    ["https://notimagedelivery.net/x"],
  ])("are not elsewhere, where a page may call itself one: %s", (embed) => {
    expect(countLinks(withEmbeds("look", [embed]))).toBe(1);
    expect(countPictures({ embeds: [embed] })).toBe(0);
    expect(leadsOf(withEmbeds("look", [embed]))).toEqual([embed]);
  });

  it("written out in a text are links", () => {
    expect(countLinks(castCreated(`look ${shown}`))).toBe(1);
  });
});

describe("domains of a cast", () => {
  it("are those that it embeds, then those in its text, each once", () => {
    const cast = withEmbeds("www.b.example https://A.example/again https://c.example:8080", [
      "https://a.example/1",
      "http://d.example",
      "e.example/path",
      "not a url",
      "https://localhost/",
    ]);
    expect(domainsOf(cast)).toEqual(["a.example", "d.example", "e.example", "www.b.example", "c.example"]);
  });

  it("are looked for in the text as people see it", () => {
    expect(domainsOf(castCreated("https://a.exa\u200Bmple"))).toEqual(["a.example"]);
  });

  it("are none where there is no cast, and no text", () => {
    expect(domainsOf(nameTaken("a.example"))).toEqual([]);
    expect(domainsOf(recordHidden({ text: readText("http://a.example") }))).toEqual(["a.example"]);
  });

  it("are of the first hundred embeds", () => {
    const embeds = Array.from({ length: 101 }, (_, index) => `https://a${index}.example`);
    expect(domainsOf(withEmbeds("", embeds)).at(-1)).toBe("a99.example");
  });
});
