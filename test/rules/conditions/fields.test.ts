import { describe, expect, it } from "vitest";
import { explain, truthOf, createLeafReader } from "../../../src/rules/evaluate/condition.ts";
import type { Occurrence, RuleCast } from "../../../src/rules/evaluate/occurrence.ts";
import { readText } from "../../../src/rules/text/rule-text.ts";
import { castCreated, castHash, conditionOf, factsOf, recordHidden } from "../../support/rules.ts";

const judge = (when: object, occurrence: Occurrence) =>
  truthOf(conditionOf(when, "cast.created"), createLeafReader(occurrence, factsOf()));
const withCast = (text: string, cast: Partial<RuleCast>) =>
  castCreated(text, { cast: { hash: castHash, embeds: [], threadDepth: 0, mentions: 0, ...cast } });

describe("numbers of a cast", () => {
  it.each<[object, Occurrence, boolean]>([
    [{ "text.length": { eq: 2 } }, castCreated("gm"), true],
    [{ "text.length": { eq: 1 } }, castCreated("👍"), true],
    [{ "text.length": { lte: 2 } }, castCreated("g\u200b\u200b\u200bm"), true],
    [{ "text.length": { lt: 2 } }, castCreated("gm"), false],
    [{ "text.length": { gt: 2 } }, castCreated("gm"), false],
    [{ "text.length": { gte: 2 } }, castCreated("gm"), true],
    [{ "text.length": { ne: 2 } }, castCreated("gm"), false],
    [{ "text.length": { between: [2, 3] } }, castCreated("gms"), true],
    [{ "text.length": { between: [2, 3] } }, castCreated("gm gm"), false],
    [{ "text.length": { in: [1, 2] } }, castCreated("gm"), true],
    [{ "text.length": { in: [1, 3] } }, castCreated("gm"), false],
    [{ "text.links": { eq: 2 } }, castCreated("https://a.example and www.b.example"), true],
    [{ "text.links": { gte: 1 } }, castCreated("a.example"), false],
    [{ "text.links": { eq: 2 } }, withCast("www.a.example", { embeds: ["https://b.example"] }), true],
    [{ "mentions.count": { gte: 5 } }, withCast("", { mentions: 5 }), true],
    [{ "mentions.count": { gte: 5 } }, withCast("", { mentions: 4 }), false],
    [{ "thread.depth": { eq: 3 } }, withCast("", { threadDepth: 3 }), true],
    [{ is_reply: true }, withCast("", { threadDepth: 1 }), true],
    [{ is_reply: true }, withCast("", { threadDepth: 0 }), false],
    [{ is_reply: false }, withCast("", { threadDepth: 0 }), true],
    [{ "author.fid": { lt: 8 } }, castCreated("", { authorFid: 7 }), true],
    [{ "author.fid": { in: [8, 9] } }, castCreated("", { authorFid: 7 }), false],
  ])("%j of %#: %s", (when, occurrence, expected) => {
    expect(judge(when, occurrence)).toBe(expected);
  });
});

it("text.links says of a cast whose embeds the index lacks only what its text proves", () => {
  const gte = conditionOf({ "text.links": { gte: 1 } }, "record.hidden");
  const linked = recordHidden({ text: readText("https://a.example") });
  expect(truthOf(gte, createLeafReader(linked, factsOf()))).toBe(true);
  expect(truthOf(gte, createLeafReader(recordHidden({ text: readText("gm") }), factsOf()))).toBe("unknown");
});

describe("embed.domain", () => {
  it.each<[object, string[], string, boolean]>([
    [{ eq: "free-mint.example" }, ["https://free-mint.example/claim"], "", true],
    [{ eq: "free-mint.example" }, ["https://a.b.free-mint.example:8080/"], "", true],
    [{ eq: "free-mint.example" }, ["https://not-free-mint.example/"], "", false],
    [{ eq: "free-mint.example" }, ["https://free-mint.example.evil.test/"], "", false],
    [{ eq: "free-mint.example" }, [], "go to HTTPS://Free-Mint.Example now", true],
    [{ eq: "free-mint.example" }, [], "www.free-mint.example", true],
    [{ in: ["a.example", "münchen.example"] }, ["https://xn--mnchen-3ya.example"], "", true],
    [{ in: ["a.example"] }, ["not a url", "ftp:"], "", false],
    [{ eq: "example.com" }, ["https://user:x@example.com./"], "", true],
  ])("%j in %j %j: %s", (test, embeds, text, expected) => {
    expect(judge({ "embed.domain": test }, withCast(text, { embeds }))).toBe(expected);
  });

  it("shows which domain it was", () => {
    const condition = conditionOf({ "embed.domain": { eq: "a.example" } }, "cast.created");
    const cast = withCast("", { embeds: ["https://x.example/", "https://b.a.example/"] });
    expect(explain(condition, createLeafReader(cast, factsOf()))).toMatchObject({
      truth: true,
      value: "b.a.example",
    });
  });
});

describe("time", () => {
  // Wednesday, 15 November 2023, 22:13:20 UTC is 23:13 in Berlin.
  const at = (occurredAt: number) => {
    const cast = castCreated("gm");
    return { ...cast, event: { ...cast.event, occurredAt } };
  };
  const evening = at(1_700_086_400);

  it.each([
    [{ between: ["22:00", "23:00"] }, true],
    [{ between: ["22:14", "23:00"] }, false],
    [{ between: ["21:00", "22:13"] }, false],
    [{ between: ["21:00", "06:00"] }, true],
    [{ between: ["23:00", "06:00"] }, false],
    [{ between: ["23:00", "06:00"], zone: "Europe/Berlin" }, true],
    [{ days: ["wed"] }, true],
    [{ days: ["thu", "fri"] }, false],
    [{ days: ["thu"], zone: "Asia/Tokyo" }, true],
    [{ days: ["wed"], between: ["00:00", "12:00"] }, false],
  ])("%j: %s", (time, expected) => {
    expect(judge({ time }, evening)).toBe(expected);
  });
});

describe("text with borrowed letters", () => {
  it.each([
    [{ contains: "airdrop" }, "free аirdrор", true],
    [{ matches: "(?i)claim your" }, "Сlаim your prize", true],
    [{ starts_with: "GM" }, "gm all", true],
    [{ starts_with: "all" }, "gm all", false],
    [{ eq: "gm" }, "GM", true],
    [{ ne: "gm" }, "GM", false],
    [{ ne: "gm" }, "gm!", true],
    [{ in: ["gm", "gn"] }, "Gn", true],
  ])("%j of %s: %s", (text, written, expected) => {
    expect(judge({ text }, castCreated(written))).toBe(expected);
  });

  it("keeps what was written besides what is read", () => {
    expect(readText("Аirdrор")).toMatchObject({ raw: "Аirdrор", folded: "аirdrор", latin: "airdrop" });
  });
});
