import { describe, expect, it } from "vitest";
import { createRuleContext } from "../../../src/rules/context.ts";
import { evaluatePending } from "../../support/jobs.ts";
import { caseCount, strikePoints } from "../../../src/rules/conditions/author-record.ts";
import { copies, fingerprintOf } from "../../../src/rules/conditions/duplicate.ts";
import { eventCount } from "../../../src/rules/conditions/event-counts.ts";
import { author, castCreated, loadFacts, rule } from "../../support/rules.ts";
import { useRuleEngine, guild } from "../../support/rule-engine.ts";
import { watchNetwork } from "../../support/observer.ts";

const engine = await useRuleEngine();
const { database, clock } = engine.network.context;

const firedOn = async () => (await engine.decisions()).map((row) => row["event_id"]);

describe("duplicate", () => {
  const copiesRule = (by: string) =>
    rule({
      when: { duplicate: { of: "text", by, within: "1h", gte: 3 } },
      then: [{ note: { text: "copy" } }],
    });

  it("counts what says the same to a reader, by the author or in the channel, within its time", async () => {
    await engine.save(copiesRule("author"));
    const [first] = await engine.append(
      engine.cast("Claim your airdrop!"),
      engine.cast("claim YOUR аirdrор"),
      engine.cast("claim your airdrop", { subjectFid: 8 }),
      engine.cast("claim your other airdrop"),
      engine.cast("c l a i m your\u200b air-drop..."),
    );
    await evaluatePending(engine.context);
    expect(await firedOn()).toEqual([(first?.id ?? 0) + 4]);
  });

  it("of the channel takes everybody together, and forgets what is too old", async () => {
    await engine.save(copiesRule("channel"));
    await engine.append(engine.cast("gm all"), engine.cast("gm all", { subjectFid: 8 }));
    clock.advance(3601);
    const [third] = await engine.append(engine.cast("gm all", { subjectFid: 9 }));
    await engine.append(engine.cast("gm all"), engine.cast("gm all", { subjectFid: 10 }));
    await evaluatePending(engine.context);
    expect(await firedOn()).toEqual([(third?.id ?? 0) + 2]);
  });

  it("is asked apart of the author and of the channel; of an author only where one is known", async () => {
    const [first] = await engine.append(engine.cast("gm all"), engine.cast("!!!"));
    const needs = (["author", "channel"] as const).map((by) => copies(3600, by));
    const read = async (eventId: number, authorFid: number | null) => {
      const cast = castCreated("gm all", { authorFid });
      const event = { ...cast.event, id: eventId, occurredAt: clock.now() / 1000 };
      const [facts] = await loadFacts(engine.context, [{ occurrence: { ...cast, event }, needs }]);
      return needs.map((need) => facts?.read(need));
    };
    const id = first?.id ?? 0;
    const told = { source: "texts of the channel", at: clock.now() };
    expect(await read(id, 7)).toEqual([1, 1].map((value) => ({ known: true, value, ...told })));
    expect(await read(id, 8)).toMatchObject([{ value: 0 }, { value: 1 }]);
    expect(await read(id, null)).toMatchObject([{ why: "the author is not known" }, { value: 1 }]);
    expect(await read(id + 1, 7)).toMatchObject([{ value: 0 }, { value: 0 }]);
  });

  it("finds no copies of what has no words, and keeps nothing of an event that is gone", async () => {
    expect([fingerprintOf("!!! ..."), fingerprintOf("\u200b")]).toEqual([undefined, undefined]);
    await engine.append(engine.cast("gm"));
    await database.query.deleteFrom("castellan.events").execute();
    expect(await database.query.selectFrom("castellan.cast_fingerprints").selectAll().execute()).toEqual([]);
  });
});

describe("rate in the channel", () => {
  it("counts what everybody did, up to the event in question", async () => {
    await engine.save(rule({ when: { rate: { of: "cast.created", by: "channel", within: "1m", gte: 3 } } }));
    const stored = await engine.append(...[7, 8, 9, 10].map((fid) => engine.cast("gm", { subjectFid: fid })));
    await evaluatePending(engine.context);
    expect(await firedOn()).toEqual(stored.slice(2).map(({ id }) => id));
  });
});

describe("history of the author and rate of the channel", () => {
  it("are asked apart; of an author only where one is known", async () => {
    const stored = await engine.append(engine.cast("gm"), engine.cast("gn", { subjectFid: 8 }));
    const needs = (["author", "channel"] as const).map((by) => eventCount("cast.created", 60, by));
    const read = async (authorFid: number | null) => {
      const cast = castCreated("gm", { authorFid });
      const event = { ...cast.event, id: stored[1]?.id ?? 0, occurredAt: clock.now() / 1000 };
      const [facts] = await loadFacts(engine.context, [{ occurrence: { ...cast, event }, needs }]);
      return needs.map((need) => facts?.read(need));
    };
    expect(await read(author)).toMatchObject([{ value: 1 }, { value: 2 }]);
    expect(await read(null)).toMatchObject([{ why: "the author is not known" }, { value: 2 }]);
  });
});

describe("what this server has against the author", () => {
  const read = async (authorFid: number | null = author) => {
    const cast = castCreated("gm", { authorFid });
    const occurrence = { ...cast, guildId: guild, event: { ...cast.event, id: 100, observedAt: 50_000 } };
    const [facts] = await loadFacts(engine.context, [{ occurrence, needs: [strikePoints, caseCount] }]);
    return [facts?.read(strikePoints), facts?.read(caseCount)].map((fact) =>
      fact?.known ? fact.value : fact?.why,
    );
  };
  const strike = (points: number, change: Record<string, unknown> = {}) =>
    database.query
      .insertInto("castellan.strikes")
      .values({
        guild_id: guild,
        channel_id: "memes",
        fid: author,
        points,
        given_at_ms: 1,
        expires_at_ms: null,
        event_id: 1,
        rule_id: `r${points}`,
        rule_version: 1,
        action_index: 0,
        ...change,
      })
      .execute();

  it("are the points that still count, here and of before", async () => {
    await strike(1);
    await strike(2, { expires_at_ms: 50_001 });
    await strike(4, { expires_at_ms: 50_000 });
    await strike(8, { event_id: 100 });
    await strike(16, { guild_id: "901" });
    await strike(32, { channel_id: "art" });
    await strike(64, { fid: 8 });
    expect(await read()).toEqual([3, 0]);
  });

  it("are not known where the author is not", async () => {
    expect(await read(null)).toEqual(["the author is not known", "the author is not known"]);
  });

  it("are the cases that were applied, whoever asked for them", async () => {
    const states = ["applied", "already", "outside", "failed", "requested"] as const;
    for (const [number, state] of states.entries()) {
      await database.query
        .insertInto("castellan.cases")
        .values({
          guild_id: guild,
          channel_id: "memes",
          number,
          target_key: "x",
          kind: state === "outside" ? "hide" : "ban",
          state,
          target_fid: author,
          subject_fid: author,
          actor_kind: "outside",
          requested_at_ms: 49_999,
        })
        .execute();
    }
    expect(await read()).toEqual([0, 3]);
  });
});

describe("what is asked of the network", () => {
  it("is nothing about a text that settles the rule, and nothing that the store settles", async () => {
    const calls: string[] = [];
    const network = watchNetwork(engine.context.network, calls);
    engine.context = createRuleContext({ ...engine.context, network }, engine.context);
    await engine.save(
      rule({ when: { all: [{ "author.is_member": false }, { text: { contains: "airdrop" } }] } }),
      rule({
        id: "b",
        when: { all: [{ "author.follows_channel": false }, { "author.strikes": { gte: 1 } }] },
      }),
    );
    await engine.append(engine.cast("gm"));
    await evaluatePending(engine.context);
    expect(calls).toEqual([]);
    await engine.append(engine.cast("airdrop"));
    await evaluatePending(engine.context);
    expect(new Set(calls)).toEqual(new Set(["channelMembers.list", "channels.get"]));
  });
});
