import { describe, expect, it } from "vitest";
import type { NewChannelEvent } from "../../../src/observe/events.ts";
import { evaluatePending } from "../../support/jobs.ts";
import { rehearse } from "../../../src/rules/rehearse/rehearse.ts";
import { useRuleEngine, guild } from "../../support/rule-engine.ts";
import { castRow, rule, ruleSetOf } from "../../support/rules.ts";

const engine = await useRuleEngine();
const { database, clock } = engine.network.context;

const hashOf = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;
const noting = (when: unknown, change = {}) =>
  rule({ id: "behaviour", when, then: [{ note: { text: "seen" } }], on_unknown: "review", ...change });

/** Stores the casts one after the other, in the index too; what the rule said of each, live and rehearsed. */
async function judge(when: unknown, ...casts: NewChannelEvent[]) {
  await engine.save(noting(when));
  const stored = [];
  for (const cast of casts) {
    await index(cast);
    const [event] = await engine.append(cast);
    await evaluatePending(engine.context);
    stored.push(event?.id ?? 0);
  }
  const decisions = await database.query
    .selectFrom("castellan.rule_decisions")
    .select(["event_id", "outcome"])
    .execute();
  const live = stored.map((id) => decisions.find(({ event_id }) => event_id === id)?.outcome === "acted");
  const hits: number[] = [];
  await rehearse(engine.context, {
    queue: "test",
    guildId: guild,
    channelIds: ["memes"],
    since: 0,
    before: undefined,
    after: ruleSetOf(noting(when)),
    timeoutMs: 60_000,
    onHit: (_, { event }) => void hits.push(event.id),
  });
  expect(stored.map((id) => hits.includes(id))).toEqual(live);
  return live;
}

async function index({ data, occurredAt, subjectFid }: NewChannelEvent): Promise<void> {
  if (!("castHash" in data) || data.castHash === null) return;
  const row = castRow(data.castHash, { fid: subjectFid ?? 0, cast_at: occurredAt });
  await database.query.insertInto("castellan.casts").values(row).execute();
}

const by = (subjectFid: number, text: string, embeds: string[] = []) => {
  const cast = engine.cast(text, { subjectFid });
  clock.advance(1);
  // The engine's casts are cast.created.
  return { ...cast, data: { ...cast.data, embeds } } as NewChannelEvent;
};

/** A reply of fid 7 to a cast of somebody, which is in the index. */
async function reply(number: number, answeredFid: number | null, text: string): Promise<NewChannelEvent> {
  const parentHash = hashOf(1000 + number);
  if (answeredFid !== null) {
    const row = castRow(parentHash, { fid: answeredFid });
    await database.query.insertInto("castellan.casts").values(row).execute();
  }
  const cast = by(7, text);
  // As above.
  return { ...cast, data: { ...cast.data, parentHash, threadDepth: 1 } } as NewChannelEvent;
}

describe("author.casts", () => {
  const first = { all: [{ "author.casts": { eq: 1 } }, { "text.links": { gte: 1 } }] };

  it("is 1 for the first cast of an account, live and replayed", async () => {
    const casts = [
      by(7, "https://a.example"),
      by(7, "https://b.example"),
      by(8, "gm"),
      by(8, "www.a.example"),
    ];
    expect(await judge(first, ...casts)).toEqual([true, false, false, false]);
  });

  it("knows casts from before the link, and those that are hidden or kept without their text", async () => {
    const rows = [
      castRow(hashOf(501), { fid: 8, from_past: true }),
      castRow(hashOf(502), { fid: 9, hidden: true, erased_at_ms: 1, text: "" }),
      castRow(hashOf(503), { fid: 10, channel_id: "art" }),
    ];
    await database.query.insertInto("castellan.casts").values(rows).execute();
    const casts = [8, 9, 10].map((fid) => by(fid, "https://a.example"));
    expect(await judge(first, ...casts)).toEqual([false, false, true]);
  });
});

describe("same_address", () => {
  const spread = (of: string) => ({ same_address: { of, within: "10m", gte: 3 } });

  it("counts the authors who cast an address of one domain within its time", async () => {
    const casts = [
      by(7, "look https://scam.example/a"),
      by(7, "again https://scam.example/b"),
      by(8, "hi", ["https://win.scam.example/c"]),
      by(9, "gm"),
      by(9, "www.SCAM.example"),
      by(10, "https://one.github.io"),
      by(11, "https://two.github.io"),
      by(12, "https://three.github.io"),
    ];
    expect(await judge(spread("domain"), ...casts)).toEqual(casts.map((_, place) => place === 4));
  });

  it("counts those of the very page, however it is written", async () => {
    const casts = [
      by(7, "https://news.example/a"),
      by(8, "https://news.example/b"),
      by(9, "http://www.news.example/a/."),
      by(10, "see (https://news.example/a)"),
    ];
    expect(await judge(spread("address"), ...casts)).toEqual([false, false, false, true]);
  });

  it("forgets what is too old, and other channels", async () => {
    const early = [by(7, "https://a.example"), by(8, "https://a.example")];
    clock.advance(601);
    const casts = [...early, by(9, "https://a.example")];
    expect(await judge(spread("domain"), ...casts)).toEqual([false, false, false]);
  });

  it("cannot tell of a cast with a link that came before addresses were compared; of others it can", async () => {
    await engine.save(noting(spread("domain")));
    await engine.append(by(7, "https://a.example"), by(7, "gm"));
    await database.query.deleteFrom("castellan.cast_addresses").execute();
    await evaluatePending(engine.context);
    expect(await engine.decisions()).toMatchObject([{ outcome: "held" }]);
  });
});

describe("same_reply", () => {
  const canned = { same_reply: { within: "1h", gte: 3 } };
  const lure = "I love your work! Come and claim a free mint in my new collection";

  it("counts the people whom the author answers with nearly the same", async () => {
    const casts = [
      await reply(1, 20, `${lure} https://a.example/1`),
      await reply(2, 21, `Hi Anna! ${lure}`),
      await reply(3, 21, lure),
      await reply(4, 22, "What a lovely photo, where was it taken?"),
      await reply(5, 23, `@carl ${lure} 🔥🔥`),
      by(7, lure),
      await reply(6, 7, lure),
      await reply(7, null, lure.toUpperCase()),
    ];
    expect(await judge(canned, ...casts)).toEqual([false, false, false, false, true, false, false, true]);
  });

  it("counts no replies of others, and none that are too old", async () => {
    const early = [await reply(1, 20, lure), await reply(2, 21, lure)];
    clock.advance(3601);
    const late = await reply(3, 22, lure);
    const other = { ...(await reply(4, 23, lure)), subjectFid: 8 };
    expect(await judge(canned, ...early, late, other)).toEqual([false, false, false, false]);
  });
});

describe("author.renamed", () => {
  const renamed = { "author.renamed": { within: "1d" } };
  const named = (subjectFid: number, data: object) => ({
    ...by(subjectFid, ""),
    sourceKey: `proof:${subjectFid}:${clock.now()}`,
    kind: "username_proof.merged" as const,
    channelId: null,
    data: { name: "new", owner: hashOf(1), change: "replaced" as const, ...data },
  });

  it("is so for who gave up a name for another lately, and for nobody with a first name", async () => {
    await engine.append(named(7, { previousName: "old" }), named(8, {}));
    expect(await judge(renamed, by(7, "gm"), by(8, "gm"), by(9, "gm"))).toEqual([true, false, false]);
    clock.advance(86_400);
    await database.query.deleteFrom("castellan.rule_decisions").execute();
    expect(await judge(renamed, by(7, "gm"))).toEqual([false]);
  });
});

describe("casts from before the link", () => {
  it.each([
    [{ same_address: { of: "domain", within: "10m", gte: 2 } }, 1],
    [{ same_reply: { within: "1h", gte: 2 } }, 1],
    [{ "author.renamed": { within: "1d" } }, 2],
    [{ "author.casts": { eq: 1 } }, 0],
  ])("are not known to %j where it would matter", async (when, unknown) => {
    const past = { from_past: true, text: "https://a.example", cast_at: 100 };
    await database.query
      .insertInto("castellan.casts")
      .values([
        castRow(hashOf(1), { ...past, thread_depth: 1, parent_hash: hashOf(3) }),
        castRow(hashOf(2), { ...past, text: "gm" }),
      ])
      .execute();
    const plan = { queue: "test", guildId: guild, channelIds: ["memes"], since: 0, timeoutMs: 60_000 };
    const after = ruleSetOf(noting(when));
    const { rules } = await rehearse(engine.context, { ...plan, before: undefined, after });
    expect(rules).toMatchObject([{ unknown }]);
  });
});
