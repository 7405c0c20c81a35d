import { describe, expect, it } from "vitest";
import { leavesOf } from "../../../src/rules/evaluate/condition.ts";
import { beforeLink } from "../../../src/rules/evaluate/occurrence.ts";
import { useRuleEngine } from "../../support/rule-engine.ts";
import { author, castCreated, castRow, conditionOf, loadFacts } from "../../support/rules.ts";

const engine = await useRuleEngine();
const { database } = engine.network.context;

const now = 1_700_000_000;
const link = "https://evil.example/";
let casts = 0;

interface Said {
  age: number;
  fid?: number;
  channelId?: string;
  embeds?: string[];
  erased?: boolean;
  fromPast?: boolean;
}

/** A cast of so many seconds ago; gives its event. */
async function said(
  text: string,
  { age, fid = author, channelId = "memes", embeds = [], erased, fromPast }: Said,
) {
  casts += 1;
  const castHash = `0x${casts.toString(16).padStart(40, "0")}`;
  const row = castRow(castHash, {
    fid,
    channel_id: channelId,
    text,
    cast_at: now - age,
    embeds: JSON.stringify(embeds),
  });
  const flags = { ...(erased && { erased_at_ms: 1 }), ...(fromPast && { from_past: true }) };
  await database.query
    .insertInto("castellan.casts")
    .values({ ...row, ...flags })
    .execute();
  if (fromPast) return beforeLink;
  const data = { castHash, text, rootHash: castHash, threadDepth: 0, mentions: [], embeds };
  const place = { channelId, subjectFid: fid, occurredAt: now - age, data };
  const [event] = await engine.append(engine.cast(text, { sourceKey: `cast:${castHash}`, ...place }));
  return event?.id ?? 0;
}

const linkFlood = {
  of: "cast.created",
  by: "author",
  within: "5m",
  gte: 3,
  when: { "text.links": { gte: 1 } },
};

/** What the condition finds at an event of now. */
async function ask(eventId: number, rate: object = linkFlood, kind = "rate") {
  const [found] = leavesOf(conditionOf({ [kind]: rate }, "cast.created"));
  if (!found) throw new Error("no condition was read");
  const given = castCreated("x");
  const occurrence = { ...given, event: { ...given.event, id: eventId, occurredAt: now } };
  const [facts] = await loadFacts(engine.context, [{ occurrence, needs: found.leaf.needs }]);
  if (!facts) throw new Error("nothing was loaded");
  return found.leaf.read(occurrence, facts);
}

describe("a rate of casts that a condition selects", () => {
  it("counts those of the author in the time, the present one included", async () => {
    await said(link, { age: 299 });
    await said("gm", { age: 200 });
    await said("see", { age: 100, embeds: [link] });
    const before = await said("again, no link", { age: 1 });
    expect(await ask(before)).toMatchObject({
      truth: false,
      value: 2,
      source: "texts of the channel's casts",
    });
    expect(await ask(await said(link, { age: 0 }))).toMatchObject({ truth: true, value: 3 });
  });

  it("leaves out what is older, of others, elsewhere, or came after the event", async () => {
    await said(link, { age: 300 });
    await said(link, { age: 10, fid: 8 });
    await said(link, { age: 10, channelId: "art" });
    await said(link, { age: 10 });
    const event = await said(link, { age: 5 });
    await said(link, { age: 0 });
    expect(await ask(event)).toMatchObject({ truth: false, value: 2 });
    expect(await ask(event, { ...linkFlood, by: "channel" })).toMatchObject({ truth: true, value: 3 });
  });

  it("takes a tree of conditions, on each cast by its own author", async () => {
    await said(`claim ${link}`, { age: 20, fid: 8 });
    await said(`claim ${link}`, { age: 10 });
    const event = await said(`news ${link}`, { age: 0 });
    const when = { all: [{ "text.links": { gte: 1 } }, { not: { text: { contains: "news" } } }] };
    const both = { ...linkFlood, by: "channel", gte: 2, when };
    expect(await ask(event, both)).toMatchObject({ truth: true, value: 2 });
    expect(await ask(event, { ...both, when: { "author.fid": { eq: 8 } } })).toMatchObject({
      truth: false,
      value: 1,
    });
  });

  it("does not guess where a text that would settle it is not stored any more", async () => {
    await said(link, { age: 30, erased: true });
    await said(link, { age: 20 });
    const event = await said(link, { age: 0 });
    expect(await ask(event)).toMatchObject({
      truth: "unknown",
      why: "some of the casts are no longer stored",
    });
    expect(await ask(event, { ...linkFlood, gte: 2 })).toMatchObject({ truth: true, value: 2 });
    expect(await ask(event, { ...linkFlood, gte: 4 })).toMatchObject({ truth: false, value: 2 });
  });

  it("says that it looked at the latest two hundred alone, where there were more", async () => {
    let event = 0;
    for (let age = 201; age >= 0; age -= 1) event = await said("gm", { age });
    expect(await ask(event)).toMatchObject({
      truth: "unknown",
      why: "only the latest 200 casts were examined",
    });
  });

  it("counts casts from before the link as the network still has them", async () => {
    await said(link, { age: 20, fromPast: true });
    await said(link, { age: 10, fromPast: true });
    expect(await ask(beforeLink, { ...linkFlood, gte: 2 })).toMatchObject({ truth: true, value: 2 });
  });
});

it("a history of casts that a condition selects reaches as far back", async () => {
  await said(link, { age: 29 * 86_400 });
  const event = await said(link, { age: 0 });
  const history = { event: "cast.created", by: "author", within: "30d", gte: 2, when: linkFlood.when };
  expect(await ask(event, history, "history")).toMatchObject({ truth: true, value: 2 });
});
