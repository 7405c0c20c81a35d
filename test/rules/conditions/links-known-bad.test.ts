import { beforeEach, describe, expect, it } from "vitest";
import { allNeeds, evaluate } from "../../../src/rules/evaluate/evaluate.ts";
import type { Occurrence } from "../../../src/rules/evaluate/occurrence.ts";
import { Facts } from "../../../src/rules/facts/fact.ts";
import { addFacts, type Known } from "../../../src/rules/facts/load-facts.ts";
import { KeyParts, keyOf } from "../../../src/rules/links/host-set.ts";
import { readListRows, storeContent } from "../../../src/rules/links/stored-lists.ts";
import { textLimit } from "../../../src/rules/text/rule-text.ts";
import { castCreated, castHash, rule, ruleSetOf } from "../../support/rules.ts";
import { useWorld } from "../../support/test-cases.ts";
import { TtlCache } from "../../../src/rules/facts/ttl-cache.ts";

const bot = await useWorld();
const rules = ruleSetOf(rule({ when: { any: [{ "links.known_bad": true }] } }));

function pack(...hosts: string[]) {
  const parts = new KeyParts();
  for (const host of hosts) parts.add(keyOf(host));
  return parts.list();
}

async function name(list: string): Promise<void> {
  await bot.database.query
    .insertInto("castellan.link_lists")
    .values({ name: list, url: `https://lists.example/${list}`, allows: false, next_at_ms: 0 })
    .execute();
}

async function store(list: string, listed: string[], allowed: string[] = []): Promise<void> {
  const row = (await readListRows(bot.database.query)).find((one) => one.name === list);
  if (!row) throw new Error(`there is no ${list}`);
  const content = {
    listed: pack(...listed),
    allowed: pack(...allowed),
    skipped: 0,
    leftOut: [],
    etag: null,
    modified: null,
  };
  const counts = { hosts: listed.length, allowedHosts: allowed.length };
  await storeContent(bot, row, { ...content, ...counts }, 0);
}

async function judge(occurrence: Occurrence) {
  const known: Known[] = [new Map()];
  const context = { ...bot, cache: new TtlCache(bot.clock) };
  await addFacts(context, [{ occurrence, needs: allNeeds(rules, occurrence) }], known);
  const evaluation = evaluate(rules, occurrence, new Facts(known[0]), 99);
  const tree = evaluation.asked ? evaluation.verdicts[0]?.tree : undefined;
  return tree && "parts" in tree ? tree.parts[0] : undefined;
}

describe("links.known_bad", () => {
  beforeEach(async () => {
    await name("wallets");
    await store("wallets", ["evil.example", "bad.github.io"], ["fine.evil.example"]);
  });

  it("says which list has the address, and how old the list is", async () => {
    const at = bot.clock.now();
    bot.clock.advance(600);
    expect(await judge(castCreated("claim at https://a.evil.example/x"))).toMatchObject({
      truth: true,
      value: "a.evil.example, which belongs to evil.example",
      source: "list wallets",
      at,
    });
    expect(await judge(castCreated("claim: bad.github.io"))).toMatchObject({
      truth: true,
      value: "bad.github.io",
    });
  });

  it.each([
    "gm",
    "https://good.example",
    "https://notevil.example",
    "https://evil.example.com",
    "https://good.example/?to=evil.example",
    "https://good.example/evil.example",
    "https://fine.evil.example",
    "https://other.github.io",
    "https://evil.example@good.example",
  ])("has nothing against %s", async (text) => {
    expect(await judge(castCreated(text))).toBeUndefined();
  });

  it.each([
    "https://good.example@evil.example:8443/",
    "hxxps://evil[.]example",
    "https://good.example https://EVIL.example.",
    "see evil。example",
  ])("finds it in %s", async (text) => {
    expect(await judge(castCreated(text))).toMatchObject({ truth: true });
  });

  it("finds it among what the cast embeds", async () => {
    const cast = { hash: castHash, embeds: ["https://evil.example"], threadDepth: 0, mentions: 0 };
    expect(await judge(castCreated("gm", { cast }))).toMatchObject({ truth: true });
  });

  it("cannot tell about links as long as a list was not read, or the cast was not", async () => {
    await name("other");
    const unread = "the list other was not read yet";
    expect(await judge(castCreated("https://good.example"))).toMatchObject({ truth: "unknown", why: unread });
    expect(await judge(castCreated("https://evil.example"))).toMatchObject({ truth: true });
    expect(await judge(castCreated("gm"))).toBeUndefined();
    expect(await judge(castCreated(`gm${" ".repeat(textLimit)}`))).toMatchObject({ truth: "unknown" });
    expect(await judge(castCreated("gm", { cast: null }))).toMatchObject({ truth: "unknown" });
  });

  it("cannot tell about links where the operator names no list", async () => {
    await bot.database.query.deleteFrom("castellan.link_lists").execute();
    expect(await judge(castCreated("https://evil.example"))).toMatchObject({
      truth: "unknown",
      why: "the operator has set no list of bad links (LINK_LISTS)",
    });
  });
});
