import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NewChannelEvent } from "../../../src/observe/events.ts";
import { evaluatePending } from "../../support/jobs.ts";
import { rehearse, type Plan, type Rehearsal } from "../../../src/rules/rehearse/rehearse.ts";
import { useRuleEngine, guild } from "../../support/rule-engine.ts";
import { castRow, rule, ruleSetOf } from "../../support/rules.ts";
import { readTables } from "../../support/database.ts";
import { watchNetwork } from "../../support/observer.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2], members: [3] });
const { database, clock } = engine.network.context;

function run(after: unknown[], plan: Partial<Plan> = {}): Promise<Rehearsal> {
  const whole = { queue: "test", guildId: guild, channelIds: ["memes"], since: 0, timeoutMs: 60_000 };
  return rehearse(engine.context, { ...whole, before: undefined, after: ruleSetOf(...after), ...plan });
}

const contains = (word: string) => ({ text: { contains: word } });

describe("a rehearsal", () => {
  it("says what would be hit newly, no longer, and as before, with the latest samples", async () => {
    await engine.append(
      ...["claim one", "claim two", "claim three", "claim four", "airdrop", "claim airdrop", "gm"].map(
        (text) => engine.cast(text),
      ),
    );
    const before = ruleSetOf(rule(), rule({ id: "gone", when: contains("gm") }));
    const { rules, ...rest } = await run([rule({ when: contains("claim"), mode: "shadow" })], { before });
    expect(rest).toMatchObject({ events: 7, notEvaluated: 0, done: 1 });
    expect(rules).toMatchObject([
      { ruleId: "scam", mode: "shadow", counts: { newly: 4, no_longer: 1, same: 1 }, unknown: 0 },
      { ruleId: "gone", mode: undefined, counts: { newly: 0, no_longer: 1, same: 0 } },
    ]);
    const [scam] = rules;
    expect(scam?.samples.newly.map(({ text }) => text)).toEqual(["claim four", "claim three", "claim two"]);
    expect(scam?.samples.no_longer).toMatchObject([{ text: "airdrop", eventId: 5, channelId: "memes" }]);
  });

  it("names what is tried first, also where it hits nothing, for silence would read as harmless", async () => {
    await engine.append(engine.cast("airdrop"));
    const [scam, quiet] = [rule(), rule({ id: "quiet", when: contains("zebra") })];
    const greeting = rule({ id: "greeting", when: contains("gm") });
    const { rules, onTrial, withoutHit } = await run([scam, quiet, greeting], {
      before: ruleSetOf(scam, quiet),
    });
    expect(rules).toMatchObject([
      { ruleId: "greeting", mode: "enforce", counts: { newly: 0, no_longer: 0, same: 0 } },
      { ruleId: "scam", counts: { same: 1 } },
    ]);
    expect(onTrial).toEqual(["greeting"]);
    expect(withoutHit).toEqual(["quiet"]);
  });

  it("says of rules for other channels that nothing was tried", async () => {
    await engine.append(engine.cast("airdrop"));
    const found = await run([rule({ id: "far", channels: ["gard*"] }), rule({ channels: ["mem*"] })]);
    expect(found).toMatchObject({ elsewhere: ["far"], rules: [{ ruleId: "scam" }] });
  });

  it("tries all rules where those in force are tried as they are", async () => {
    await engine.append(engine.cast("airdrop"));
    const rules = [rule(), rule({ id: "quiet", when: contains("zebra") })];
    const rehearsal = await run(rules, { before: ruleSetOf(...rules) });
    expect(rehearsal.rules.map(({ ruleId }) => ruleId)).toEqual(["scam", "quiet"]);
    expect(rehearsal.withoutHit).toEqual([]);
  });

  it("finds nothing in no channel", async () => {
    expect(await run([rule()], { channelIds: [] })).toMatchObject({ events: 0, elsewhere: ["scam"] });
  });

  it("asks the network for the roles of no channel that was read lately", async () => {
    await engine.append(engine.cast("airdrop"));
    const called: string[] = [];
    const context = { ...engine.context, network: watchNetwork(engine.context.network, called) };
    const plan = { queue: "test", guildId: guild, channelIds: ["memes"], since: 0, timeoutMs: 60_000 };
    const tried = { ...plan, before: undefined, after: ruleSetOf(rule()) };
    const asksWhoModerates = async () => {
      called.length = 0;
      const { rules } = await rehearse(context, tried);
      expect(rules).toMatchObject([{ ruleId: "scam", counts: { newly: 1 } }]);
      return called.length > 0;
    };
    expect(await asksWhoModerates()).toBe(true);
    const channel = JSON.stringify({ leadFid: 1, moderatorFids: [2] });
    await database.query
      .insertInto("castellan.channel_snapshots")
      .values({ channel_id: "memes", channel_json: channel })
      .execute();
    const source = { source: "listings/memes", channel_id: "memes", has_baseline: true };
    await database.query
      .insertInto("castellan.sources")
      .values({ ...source, succeeded_at_ms: clock.now() })
      .execute();
    expect(await asksWhoModerates()).toBe(false);
    await database.query
      .updateTable("castellan.sources")
      .set({ succeeded_at_ms: clock.now() - 7 * 3_600_000 })
      .execute();
    expect(await asksWhoModerates()).toBe(true);
  });

  describe("of a channel with a past", () => {
    const linkedAt = 1_000_000;
    const early = (index: number) => `0x${(0xe000 + index).toString(16).padStart(40, "0")}`;

    /** Casts that were there before the link, one a second up to it, as they are indexed. */
    async function hadBefore(texts: readonly string[], change: Parameters<typeof castRow>[1] = {}) {
      const rows = texts.map((text, index) =>
        castRow(early(index), { text, cast_at: linkedAt - texts.length + index, from_past: true, ...change }),
      );
      await database.query.insertInto("castellan.casts").values(rows).execute();
    }

    async function watch(past_page: string | null) {
      const watched = { channel_id: "memes", url: "u", since_ms: linkedAt * 1000, past_page };
      await database.query
        .insertInto("castellan.watched_channels")
        .values(watched)
        .onConflict((conflict) => conflict.column("channel_id").doUpdateSet(watched))
        .execute();
    }

    it("looks at casts from before the link, after the events, and says from when and how many", async () => {
      await watch(null);
      await hadBefore(["gm one", "hello", "gm two"]);
      await hadBefore(["gm elsewhere"], { hash: early(7), channel_id: "art" });
      await hadBefore(["gm erased"], { hash: early(8), erased_at_ms: 1 });
      await hadBefore(["gm that an event told"], { hash: early(9), from_past: false });
      await engine.append(engine.cast("gm three"));
      const { rules, ...rest } = await run([rule({ when: contains("gm") })]);
      expect(rest).toMatchObject({ events: 4, done: 1 });
      expect(rest.coverage).toEqual([
        {
          channelId: "memes",
          casts: 4,
          known: 4,
          beforeLink: 3,
          from: linkedAt - 3,
          linkedAt,
          missing: "not_kept",
        },
      ]);
      expect(rules).toMatchObject([{ ruleId: "scam", counts: { newly: 3 } }]);
      expect(rules[0]?.samples.newly).toMatchObject([
        { text: "gm three", eventId: 1 },
        { text: "gm two", eventId: null, castHash: early(2), authorFid: 7, at: linkedAt - 1 },
        { text: "gm one" },
      ]);
    });

    it("reads them page by page, and says how many of how many where there was no time for all", async () => {
      await watch(null);
      await hadBefore(Array.from({ length: 1201 }, () => "gm"));
      const heard: number[] = [];
      const onProgress = async (done: number) => void heard.push(done);
      const whole = await run([rule({ when: contains("gm") })], { onProgress });
      expect(whole).toMatchObject({ events: 1201, done: 1, rules: [{ counts: { newly: 1201 } }] });
      expect(heard).toEqual([500 / 1201, 1000 / 1201, 1]);
      const cut = await run([rule()], { timeoutMs: -1 });
      expect(cut).toMatchObject({ events: 500, done: 500 / 1201 });
      expect(cut.coverage).toMatchObject([{ casts: 500, known: 1201, from: linkedAt - 500 }]);
    });

    it("says that older ones are still being fetched", async () => {
      await watch("");
      const { coverage } = await run([rule()], { since: clock.now() / 1000 - 60 });
      expect(coverage).toMatchObject([{ casts: 0, from: null, linkedAt, missing: "fetching" }]);
      await watch(null);
      const over = await run([rule()], { since: clock.now() / 1000 - 60 });
      expect(over.coverage).toMatchObject([{ missing: null }]);
    });

    it("counts casts of that time, and does not pretend to know what else happened then", async () => {
      await watch(null);
      await hadBefore(["a", "b", "c"]);
      const often = rule({
        id: "often",
        when: { rate: { of: "cast.created", by: "author", within: "1m", gte: 3 } },
      });
      const before = { history: { event: "record.hidden", by: "author", within: "30d", gte: 1 } };
      const copied = { duplicate: { of: "text", by: "channel", within: "1h", gte: 2 } };
      const { rules } = await run([
        often,
        rule({ id: "hidden", when: before }),
        rule({ id: "copied", when: copied }),
      ]);
      const found = new Map(rules.map(({ ruleId, counts, unknown }) => [ruleId, [counts.newly, unknown]]));
      expect(found).toEqual(
        new Map([
          ["often", [1, 0]],
          ["hidden", [0, 3]],
          ["copied", [0, 3]],
        ]),
      );
    });

    it("counts limits in the order of time, whichever channel was linked when", async () => {
      await watch(null);
      await hadBefore(["gm", "gm"]);
      const at = { occurredAt: linkedAt - 10, observedAt: (linkedAt - 10) * 1000 };
      await engine.append(engine.cast("gm", at));
      const limited = rule({ when: contains("gm"), limits: { cooldown: { per: "author", for: "5s" } } });
      const { rules } = await run([limited]);
      expect(rules).toMatchObject([{ counts: { newly: 2 }, keptBack: 1 }]);
      expect(rules[0]?.samples.newly.map(({ eventId }) => eventId)).toEqual([null, 1]);
    });
  });

  it("does not call a rule gone that listens elsewhere now", async () => {
    await engine.append(engine.cast("airdrop"));
    const { rules } = await run([rule({ channels: ["art-*"] })], { before: ruleSetOf(rule()) });
    expect(rules).toMatchObject([{ ruleId: "scam", mode: "enforce", counts: { no_longer: 1 } }]);
  });

  it("looks at a single event as well", async () => {
    await engine.append(engine.cast("airdrop"));
    const found = await run([rule()]);
    expect(found).toMatchObject({ events: 1, notEvaluated: 0, done: 1, rules: [{ counts: { newly: 1 } }] });
  });

  it("looks at the channels and the time that were asked for, at nothing erased, and not at who is exempt", async () => {
    const old = { occurredAt: clock.now() / 1000 - 1000 };
    await engine.append(
      engine.cast("airdrop"),
      engine.cast("airdrop of old", old),
      engine.cast("airdrop elsewhere", { channelId: "art" }),
      engine.cast("airdrop by a moderator", { subjectFid: 2 }),
      engine.cast("erased"),
    );
    const [, , , , erased] = await database.query.selectFrom("castellan.events").selectAll().execute();
    const row = castRow(erased?.cast_hash ?? "", { text: "", erased_at_ms: 1 });
    await database.query.insertInto("castellan.casts").values(row).execute();
    const rehearsal = await run([rule()], { since: clock.now() / 1000 - 999 });
    expect(rehearsal).toMatchObject({ events: 2, notEvaluated: 1 });
    expect(rehearsal.rules).toMatchObject([{ counts: { newly: 1 } }]);
  });

  it("ends when its time is over, and says how far it came", async () => {
    await engine.append(...Array.from({ length: 1200 }, () => engine.cast("airdrop")));
    const heard: number[] = [];
    const whole = await run([rule()], { onProgress: async (done) => void heard.push(done) });
    expect(whole).toMatchObject({ events: 1200, done: 1, rules: [{ counts: { newly: 1200 } }] });
    expect(heard).toEqual([500 / 1200, 1000 / 1200, 1]);
    expect(await run([rule()], { timeoutMs: -1 })).toMatchObject({ events: 500, done: 500 / 1200 });
  });

  it("looks through ever more ids where few events are the server's, and looks at nothing where nothing happened since", async () => {
    const leap = () =>
      database.query
        .updateTable("castellan.counters")
        .set((is) => ({ last_id: is("last_id", "+", 1_000_000_000) }))
        .where("name", "=", "events")
        .execute();
    await engine.append(engine.cast("airdrop"), engine.cast("gm"));
    await leap();
    await engine.append(engine.cast("airdrop"));
    const heard: number[] = [];
    const onProgress = async (done: number) => void heard.push(done);
    expect(await run([rule()], { onProgress })).toMatchObject({ events: 3, done: 1 });
    expect(heard.splice(0).length).toBeLessThan(20);
    expect(await run([rule()], { since: clock.now(), onProgress })).toMatchObject({ events: 0, done: 1 });
    expect(heard).toEqual([]);
  });

  it("changes no table, and only reads from the network", async () => {
    await engine.save(rule({ then: [{ hide: {} }, { ban: {} }] }));
    await engine.append(
      ...Array.from({ length: 30 }, (_, index) => engine.cast("airdrop", { subjectFid: index + 1 })),
    );
    const tables = await readTables(database.query);
    const woken = engine.woken.length;
    const called: string[] = [];
    const watched = watchNetwork(engine.context.network, called);
    const acting = rule({ when: { "author.is_member": false }, then: [{ hide: {} }, { ban: {} }] });
    const rehearsal = await rehearse(
      { ...engine.context, network: watched },
      {
        queue: "test",
        guildId: guild,
        channelIds: ["memes"],
        since: 0,
        timeoutMs: 60_000,
        before: ruleSetOf(rule()),
        after: ruleSetOf(acting),
      },
    );
    expect(rehearsal.rules[0]?.counts.same).toBe(27);
    expect(await readTables(database.query)).toEqual(tables);
    expect(engine.woken).toHaveLength(woken);
    expect(new Set(called)).toEqual(new Set(["channels.get", "channelMembers.list"]));
  });

  it("fires on the same events as enforcement does", async () => {
    const word = fc.constantFrom("airdrop", "claim", "gm", "free", "zebra");
    const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(" "));
    const leaf = fc.oneof(
      word.map(contains),
      fc.boolean().map((wanted) => ({ "author.is_member": wanted })),
      fc.constant({ history: { event: "cast.created", by: "author", within: "1h", gte: 3 } }),
    );
    const when = fc.oneof(
      leaf,
      fc.array(leaf, { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
      fc.array(leaf, { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
      leaf.map((not) => ({ not })),
    );
    const rules = fc.array(fc.tuple(when, fc.boolean(), fc.constantFrom("shadow", "enforce")), {
      minLength: 1,
      maxLength: 4,
    });
    const casts = fc.array(fc.tuple(text, fc.integer({ min: 1, max: 5 })), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(rules, casts, async (made, said) => {
        await database.query.deleteFrom("castellan.rule_decisions").execute();
        await database.query.deleteFrom("castellan.events").execute();
        const written = made.map(([when, stop, mode], index) => rule({ id: `r${index}`, when, stop, mode }));
        await engine.save(...written);
        const events: NewChannelEvent[] = said.map(([text, subjectFid]) => engine.cast(text, { subjectFid }));
        await engine.append(...events);
        while ((await evaluatePending(engine.context)) > 0);
        const counts = new Map<string, number>();
        for (const { rule_id } of await engine.decisions()) {
          counts.set(String(rule_id), (counts.get(String(rule_id)) ?? 0) + 1);
        }
        const rehearsed = (await run(written)).rules.map(
          ({ ruleId, counts }) => [ruleId, counts.newly] as const,
        );
        expect(new Map(rehearsed.filter(([, hits]) => hits > 0))).toEqual(counts);
      }),
      { numRuns: 20 },
    );
  });
});
