import { describe, expect, it } from "vitest";
import { textBody } from "../../src/observe/cast-body.ts";
import { castLine, isSeen, showCast, type CastBody } from "../../src/text/show-cast.ts";

const names = new Map([
  [12, "brook"],
  [5, "sam"],
]);
const body = (change: Partial<CastBody>): CastBody => ({ ...textBody(""), ...change });
const bytesUpTo = (text: string) => Buffer.byteLength(text);

describe("names", () => {
  it("stand at their positions, which count bytes and not characters", () => {
    const text = "🎉 you are a fraud,  give it back";
    const cast = body({ text, mentions: [12], mentionsPositions: [bytesUpTo("🎉 you are a fraud, ")] });
    expect(showCast(cast, names)).toBe("```\n🎉 you are a fraud, @brook give it back\n```");
    expect(castLine(cast, names, 100)).toBe("🎉 you are a fraud, @brook give it back");
  });

  it("stand at the beginning, the end, and side by side", () => {
    const cast = body({ text: "hi", mentions: [12, 5, 99], mentionsPositions: [0, 0, 2] });
    expect(showCast(cast, names)).toBe("```\n@brook @sam hi fid 99\n```");
  });

  it.each([
    ["hi .", 3, "hi @brook."],
    ["hi ...", 3, "hi @brook..."],
    ["hi -", 3, "hi @brook-"],
    ["hi .eth", 3, "hi @brook .eth"],
    ["hi -2", 3, "hi @brook -2"],
    ["hi s", 3, "hi @brook s"],
    ["a\u0301", 1, "a @brook \u0301"],
  ])("are parted from what would be taken for more of them: %j", (text, at, shown) => {
    expect(castLine(body({ text, mentions: [12], mentionsPositions: [at] }), names, 100)).toBe(shown);
  });

  it.each([
    ["inside of a character", [1]],
    ["beyond the end", [5]],
    ["before the beginning", [-1]],
    ["at no whole number", [0.5]],
    ["nowhere", []],
  ])("are listed below where they would stand %s", (_where, mentionsPositions) => {
    const cast = body({ text: "🎉", mentions: [12], mentionsPositions });
    expect(showCast(cast, names)).toBe("```\n🎉\n```\nMentions: `@brook`");
    expect(castLine(cast, names, 100)).toBe("🎉 @brook");
  });
});

describe("embeds", () => {
  const embeds = ["https://bad.example/x.png", "https://bad.example/v.mp4?t=1", "https://bad.example/claim"];

  it("stand below the text in code style, with what they are", () => {
    expect(showCast(body({ text: "look", embeds }), names)).toBe(
      "```\nlook\n```\nPicture: `https://bad.example/x.png`\nVideo: `https://bad.example/v.mp4?t=1`\nLink: `https://bad.example/claim`",
    );
  });

  it("stand alone where there is no text", () => {
    expect(showCast(body({ embeds: embeds.slice(0, 1) }), names)).toBe(
      "Picture: `https://bad.example/x.png`",
    );
    expect(showCast(body({}), names)).toBe("```\n \n```");
  });

  it.each(["\u200B", "\u3164", " \u2800\n", "\u0000"])("stand alone where no text shows: %j", (text) => {
    expect(showCast(body({ text, embeds: embeds.slice(2) }), names)).toBe(
      "Link: `https://bad.example/claim`",
    );
    expect(castLine(body({ text, embeds: embeds.slice(2) }), names, 100)).toBe("(link) bad.example");
    expect(castLine(body({ text }), names, 100)).toBe("(no text)");
    expect(isSeen(body({ text }))).toBe(false);
  });

  it("are at most four, and the others counted", () => {
    const many = [1, 2, 3, 4, 5, 6].map((each) => `https://${each}.example`);
    expect(showCast(body({ embeds: many.slice(0, 5) }), names)).toMatch(/4\.example`\nand 1 more embed$/);
    expect(showCast(body({ embeds: many }), names)).toMatch(/4\.example`\nand 2 more embeds$/);
  });

  it("are not pushed out of a line by a long text", () => {
    const cast = body({ text: "word ".repeat(100), embeds });
    const line = castLine(cast, names, 60);
    expect(line).toMatch(/^word .*… \(picture\) bad\.example \+2$/);
    expect(line.length).toBeLessThanOrEqual(60);
    expect(castLine(body({ embeds }), names, 60)).toBe("(picture) bad.example +2");
    expect(castLine(body({}), names, 60)).toBe("(no text)");
  });

  it("show the end of a long host, where it is registered", () => {
    const address = `https://farcaster.xyz.${"a".repeat(60)}.evil.example/x`;
    expect(castLine(body({ embeds: [address] }), names, 60)).toMatch(/^\(link\) …a+\.evil\.example$/);
  });

  it("name quoted casts", () => {
    const quotes = [`0x${"ab".repeat(20)}`];
    expect(showCast(body({ text: "this", quotes }), names)).toBe(
      `\`\`\`\nthis\n\`\`\`\nQuotes: \`${quotes[0]}\``,
    );
    expect(castLine(body({ quotes }), names, 60)).toBe("(quotes a cast)");
  });
});

describe("what strangers write", () => {
  const hostile = "```\n@everyone <@1> [x](https://evil.example) \u202e `y`";

  it("ends no block, notifies nobody and is no link, wherever it stands", () => {
    const cast = body({
      text: hostile,
      embeds: [`https://evil.example/${hostile}`, hostile],
      mentions: [7],
      mentionsPositions: [0],
      quotes: [hostile],
    });
    const shown = showCast(cast, new Map([[7, hostile]]));
    // Nothing of it is left outside of code.
    const outside = shown.replace(/```\n[^`]*\n```/g, "").replace(/`[^`\n]+`/g, "");
    expect(outside.replace(/\s+/g, " ").trim()).toBe("Link: Link: Quotes:");
    expect(shown).not.toContain("\u202e");
    expect(castLine(cast, names, 100)).not.toMatch(/\u202e|\n/);
  });
});
