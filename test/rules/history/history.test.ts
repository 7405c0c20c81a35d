import { describe, expect, it } from "vitest";
import type { ChannelEvent } from "../../../src/observe/event.ts";
import { evaluatePending } from "../../../src/rules/pending/evaluate-pending.ts";
import { eraseAuthor, erased } from "../../../src/rules/history/erase-author.ts";
import { pruneHistory } from "../../../src/rules/history/prune-history.ts";
import { useRuleEngine, guild } from "../../support/rule-engine.ts";
import { author, rule } from "../../support/rules.ts";
import { readTables } from "../../support/tables.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2], members: [3] });
const { network } = engine;
const { database, clock } = network.context;

const day = 86_400;

function indexed(hash: string, text: string, fid: number) {
  return {
    hash,
    channel_id: "memes",
    fid,
    text,
    parent_hash: null,
    root_hash: hash,
    thread_depth: 0,
    embeds: JSON.stringify(["https://a.example"]),
    cast_at: 0,
    removed_at: null,
  };
}

/** Casts in the index and as events, `age` seconds ago. */
async function said(text: string, age = 0, fid = author): Promise<ChannelEvent> {
  const at = Math.floor(clock.now() / 1000) - age;
  const [event] = await engine.append(engine.cast(text, { occurredAt: at, subjectFid: fid }));
  if (event?.kind !== "cast.created") throw new Error("no cast was stored");
  const { castHash } = event.data;
  await database.query
    .insertInto("castellan.casts")
    .values({ ...indexed(castHash, text, fid), cast_at: at })
    .execute();
  return event;
}

const texts = async () => {
  const rows = await database.query.selectFrom("castellan.casts").selectAll().orderBy("cast_at").execute();
  return rows.map(({ text, embeds }) => [text, embeds.length]);
};
const kept = async () => {
  const rows = await database.query.selectFrom("castellan.events").select("id").orderBy("id").execute();
  return rows.map(({ id }) => id);
};
const keeping = (history: { seconds: number; events: number }) => ({
  ...engine.context,
  settings: { ...engine.context.settings, history },
});

describe("pruning", () => {
  it("takes what is older than history is kept, and blanks its texts", async () => {
    await said("old", 30 * day + 1);
    const young = await said("young", 30 * day);
    expect(await pruneHistory(keeping({ seconds: 30 * day, events: 1000 }))).toBe(1);
    expect(await kept()).toEqual([young.id]);
    expect(await texts()).toEqual([
      ["", 0],
      ["young", 1],
    ]);
  });

  it("keeps the few events that rules count for as long as they can look back", async () => {
    const hidden = (age: number) =>
      engine.cast("", {
        kind: "record.hidden",
        data: { castHash: "0x1" },
        sourceKey: `record:${age}`,
        occurredAt: clock.now() / 1000 - age,
      });
    await engine.append(hidden(91 * day), hidden(90 * day), hidden(31 * day));
    await pruneHistory(keeping({ seconds: 30 * day, events: 1000 }));
    expect(await kept()).toEqual([2, 3]);
    await pruneHistory(keeping({ seconds: 120 * day, events: 1000 }));
    expect(await kept()).toEqual([2, 3]);
  });

  it("takes the oldest of more than history holds, in statements of a few", async () => {
    await engine.append(...Array.from({ length: 1203 }, () => engine.cast("x")));
    expect(await pruneHistory(keeping({ seconds: 30 * day, events: 100 }))).toBe(1103);
    expect(await kept()).toEqual(Array.from({ length: 100 }, (_, index) => 1104 + index));
  });

  it("blanks the texts of casts that are one too many, and not of those whose removal is", async () => {
    await said("removed since");
    await said("one too many");
    await database.query.deleteFrom("castellan.events").where("id", "=", 1).execute();
    const [{ hash } = { hash: "" }] = await database.query
      .selectFrom("castellan.casts")
      .selectAll()
      .execute();
    await engine.append(
      engine.cast("", { kind: "cast.removed", data: { castHash: hash }, sourceKey: "removed:1" }),
      engine.cast("x"),
    );
    expect(await pruneHistory(keeping({ seconds: 30 * day, events: 1 }))).toBe(2);
    expect(await texts()).toEqual([
      ["removed since", 1],
      ["", 0],
    ]);
  });

  it("blanks old texts that came with a channel's past, however many", async () => {
    const at = Math.floor(clock.now() / 1000) - 30 * day;
    const past = (index: number) => index < 1201;
    const rows = Array.from({ length: 1202 }, (_, index) => ({
      ...indexed(`0x${index.toString(16).padStart(40, "0")}`, "x", author),
      cast_at: past(index) ? at - 1 : at,
    }));
    await database.query.insertInto("castellan.casts").values(rows).execute();
    expect(await pruneHistory(keeping({ seconds: 30 * day, events: 1000 }))).toBe(0);
    expect((await texts()).filter(([text]) => text === "x")).toHaveLength(1);
  });

  it("leaves what a room or a rule still waits for", async () => {
    const waiting = await said("waiting", 40 * day);
    const bound = await said("bound", 40 * day);
    const sent = await said("sent", 40 * day);
    const message = {
      room_id: "1",
      embeds_json: "[]",
      discord_id: null,
      error: null,
      bound_at_ms: 1,
      settled_at_ms: 1,
    };
    const messages = await database.query
      .insertInto("castellan.feed_messages")
      .values([
        { ...message, state: "bound" },
        { ...message, state: "sent" },
      ])
      .returning("id")
      .execute();
    await database.query
      .insertInto("castellan.feed_rows")
      .values([
        { room_id: "1", event_id: waiting.id, message_id: null },
        { room_id: "1", event_id: bound.id, message_id: messages[0]?.id ?? 0 },
        { room_id: "1", event_id: sent.id, message_id: messages[1]?.id ?? 0 },
      ])
      .execute();
    await engine.save(rule());
    const due = await said("airdrop", 40 * day);
    await pruneHistory(keeping({ seconds: 30 * day, events: 1000 }));
    expect(await kept()).toEqual([waiting.id, bound.id, due.id]);
  });

  it("forgets decisions on trial with their event, and keeps why a case was made", async () => {
    await engine.save(rule(), rule({ id: "trial", mode: "shadow" }));
    await said("airdrop");
    await evaluatePending(engine.context);
    clock.advance(31 * day);
    await pruneHistory(keeping({ seconds: 30 * day, events: 1000 }));
    expect(await engine.decisions()).toMatchObject([{ rule_id: "scam", outcome: "acted" }]);
    expect((await engine.cases())[0]).toMatchObject({ evidence: "airdrop" });
  });
});

describe("erasing an author's text", () => {
  it("leaves none of it anywhere of ours, and nothing of others changes", async () => {
    await engine.save(
      rule({ then: [{ hide: {} }, { ban: {} }] }),
      rule({ id: "held", mode: "review", then: [{ hide: {} }] }),
      rule({ id: "trial", mode: "shadow" }),
    );
    await said("airdrop SECRET of the author");
    await said("airdrop of somebody else", 0, 8);
    await evaluatePending(engine.context);
    const before = JSON.stringify(await readTables(database.query));
    expect(before).toContain("SECRET");
    expect(await eraseAuthor(engine.context, author)).toEqual({ casts: 1, cases: 2 });
    const after = JSON.stringify(await readTables(database.query));
    expect(after).not.toContain("SECRET");
    const count = (text: string) => text.split("airdrop of somebody else").length;
    expect(count(after)).toBe(count(before));
    expect((await engine.cases()).map(({ kind, evidence }) => [kind, evidence])).toEqual([
      ["hide", erased],
      ["ban", erased],
      ["hide", "airdrop of somebody else"],
      ["ban", "airdrop of somebody else"],
    ]);
    expect(await eraseAuthor(engine.context, author)).toEqual({ casts: 0, cases: 0 });
  });

  it("leaves why a rule acted, but for the author's words", async () => {
    const when = { all: [{ text: { contains: "airdrop" } }, { not: { "text.length": { lt: 3 } } }] };
    await engine.save(rule({ when, then: [{ ban: {} }] }));
    await said("airdrop SECRET");
    await evaluatePending(engine.context);
    const tree = async () => JSON.parse(String((await engine.decisions())[0]?.["tree"])) as unknown;
    const before = JSON.stringify(await tree());
    expect(before).toContain("airdrop SECRET");
    await eraseAuthor(engine.context, author);
    expect(await tree()).toEqual(JSON.parse(before.replaceAll("airdrop SECRET", erased)));
  });

  it("leaves what happened to the cast, and posts of it no words", async () => {
    const event = await said("SECRET");
    const castHash = event.kind === "cast.created" ? event.data.castHash : "";
    const [hidden] = await engine.append(
      engine.cast("", { kind: "record.hidden", data: { castHash }, sourceKey: "r:1" }),
    );
    const message = {
      embeds_json: "SECRET",
      discord_id: null,
      error: null,
      bound_at_ms: 1,
      settled_at_ms: 1,
    };
    const [sent] = await database.query
      .insertInto("castellan.feed_messages")
      .values({ ...message, room_id: "1", state: "sent" })
      .returning("id")
      .execute();
    await database.query
      .insertInto("castellan.feed_rows")
      .values({ room_id: "1", event_id: hidden?.id ?? 0, message_id: sent?.id ?? 0 })
      .execute();
    await eraseAuthor(engine.context, author);
    expect(await kept()).toEqual([hidden?.id]);
    expect(
      await database.query.selectFrom("castellan.feed_messages").select("embeds_json").execute(),
    ).toEqual([{ embeds_json: "[]" }]);
  });

  it("makes later events about the cast say that its text is not known", async () => {
    const event = await said("airdrop");
    await eraseAuthor(engine.context, author);
    await engine.save(rule({ on: ["record.hidden"], then: [{ ban: {} }], on_unknown: "skip" }));
    const castHash = event.kind === "cast.created" ? event.data.castHash : "";
    await engine.append(engine.cast("", { kind: "record.hidden", data: { castHash }, sourceKey: "r:1" }));
    await evaluatePending(engine.context);
    expect(await engine.decisions()).toMatchObject([{ outcome: "unknown", guild_id: guild }]);
  });

  it("gets through many casts", async () => {
    const rows = Array.from({ length: 450 }, (_, index) => ({
      ...indexed(`0x${index.toString(16).padStart(40, "0")}`, "x", author),
      cast_at: index,
    }));
    await database.query.insertInto("castellan.casts").values(rows).execute();
    expect(await eraseAuthor(engine.context, author)).toEqual({ casts: 450, cases: 0 });
  });
});
