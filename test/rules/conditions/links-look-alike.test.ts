import { describe, expect, it } from "vitest";
import { channelLink } from "../../../src/rules/conditions/links-look-alike.ts";
import { createLeafReader, explain } from "../../../src/rules/evaluate/condition.ts";
import type { Occurrence } from "../../../src/rules/evaluate/occurrence.ts";
import { allNeeds } from "../../../src/rules/evaluate/evaluate.ts";
import { Facts } from "../../../src/rules/facts/fact.ts";
import { addFacts, type Known } from "../../../src/rules/facts/load-facts.ts";
import { TtlCache } from "../../../src/rules/facts/ttl-cache.ts";
import { castCreated, conditionOf, factsOf, known, notKnown, rule, ruleSetOf } from "../../support/rules.ts";
import { useWorld } from "../../support/test-cases.ts";

const bot = await useWorld();
const condition = conditionOf({ "links.look_alike": true }, "cast.created");
const judge = (occurrence: Occurrence, ...facts: Parameters<typeof factsOf>) =>
  explain(condition, createLeafReader(occurrence, factsOf(...facts)));
const about = (text: string, link: string | null) => judge(castCreated(text), known(channelLink, link));

describe("links.look_alike", () => {
  it("says what an address looks like", () => {
    expect(about("see https://metamask-claim.example/x", null)).toMatchObject({
      truth: true,
      value:
        "metamask-claim.example combines the name metamask with a word that lures people, whose site is metamask.io",
    });
  });

  it.each([
    ["https://memes-airdrop.example", "combines the name memes"],
    ["https://dankrnemes.example", "is written to be read as dankmemes"],
    ["https://dankmemes.example.evil.example", "begins like dankmemes.example"],
    ["https://dankmeme.com", "is nearly dankmemes"],
  ])("protects the channel's name and the site to which it links: %s", (text, why) => {
    expect(about(text, "https://www.dankmemes.example/about")).toMatchObject({
      truth: true,
      value: expect.stringContaining(why),
    });
  });

  it.each([
    "gm",
    "https://good.example",
    "https://dankmemes.example/x",
    "https://memes.example",
    "https://metamask.io",
  ])("has nothing against %s", (text) => {
    expect(about(text, "https://dankmemes.example")).toMatchObject({ truth: false });
  });

  it("has nothing against a channel's own site, whatever it is called", () => {
    expect(about("https://metamask-claims.example", "https://metamask-claims.example")).toMatchObject({
      truth: false,
    });
  });

  it("cannot tell about links as long as the channel's own is not known", () => {
    const silent = notKnown(channelLink, "the network is silent");
    expect(judge(castCreated("https://metamusk.example"), silent)).toMatchObject({
      truth: "unknown",
      why: "the network is silent",
    });
    expect(judge(castCreated("gm"), silent)).toMatchObject({ truth: false });
  });

  it("asks the network what the channel links to", async () => {
    const occurrence = castCreated("https://good.example");
    const rules = ruleSetOf(rule({ when: { "links.look_alike": true } }));
    const found: Known[] = [new Map()];
    const context = { ...bot, cache: new TtlCache(bot.clock) };
    await addFacts(context, [{ occurrence, needs: allNeeds(rules, occurrence) }], found);
    expect(new Facts(found[0]).read(channelLink)).toMatchObject({ known: true, value: null });
  });
});
