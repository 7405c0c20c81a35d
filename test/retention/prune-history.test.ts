import { describe, expect, it } from "vitest";
import type { ChannelEvent } from "../../src/observe/events.ts";
import { evaluatePending } from "../support/jobs.ts";
import { pruneHistory } from "../../src/retention/prune-history.ts";
import { useRuleEngine } from "../support/rule-engine.ts";
import { author, castRow, rule } from "../support/rules.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2], members: [3] });
const { network } = engine;
const { database, clock } = network.context;

const day = 86_400;

const shown = {
  embeds: JSON.stringify(["https://a.example"]),
  mentions: "[12]",
  mentions_positions: "[0]",
  quotes: JSON.stringify(["0x1"]),
};

/** Casts in the index and as events, `age` seconds ago. */
async function said(text: string, age = 0, fid = author): Promise<ChannelEvent> {
  const at = Math.floor(clock.now() / 1000) - age;
  const [event] = await engine.append(engine.cast(text, { occurredAt: at, subjectFid: fid }));
  if (event?.kind !== "cast.created") throw new Error("no cast was stored");
  const { castHash } = event.data;
  const row = castRow(castHash, { text, fid, ...shown, cast_at: at });
  await database.query.insertInto("castellan.casts").values(row).execute();
  return event;
}

const texts = async () => {
  const rows = await database.query
    .selectFrom("castellan.casts")
    .selectAll()
    .orderBy("cast_at")
    .orderBy("hash")
    .execute();
  return rows.map(({ text, embeds, mentions, mentions_positions, quotes }) => {
    // All that a cast shows is there, or nothing.
    for (const list of [mentions, mentions_positions, quotes]) expect(list).toHaveLength(embeds.length);
    return [text, embeds.length];
  });
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
      .select("hash")
      .orderBy("hash")
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
    const rows = Array.from({ length: 1202 }, (_, index) => {
      const hash = `0x${index.toString(16).padStart(40, "0")}`;
      return castRow(hash, { text: "x", ...shown, cast_at: past(index) ? at - 1 : at });
    });
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
