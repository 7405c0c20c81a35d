import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NewChannelEvent } from "../../../src/observe/events.ts";
import { evaluatePending } from "../../../src/rules/pending/evaluate-pending.ts";
import { rehearse, type Plan, type Rehearsal } from "../../../src/rules/rehearse/rehearse.ts";
import { useRuleEngine, guild } from "../../support/rule-engine.ts";
import { castRow, rule, ruleSetOf } from "../../support/rules.ts";
import { readTables } from "../../support/database.ts";
import { watchNetwork } from "../../support/observer.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2], members: [3] });
const { network } = engine;
const { database, clock } = network.context;

function run(after: unknown[], plan: Partial<Plan> = {}): Promise<Rehearsal> {
  const whole = { queue: "test", guildId: guild, channelIds: ["memes"], since: 0, patience: 60_000 };
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
    expect(rest).toMatchObject({ events: 7, notAsked: 0, done: 1 });
    expect(rules).toMatchObject([
      { ruleId: "scam", mode: "shadow", counts: { newly: 4, no_longer: 1, same: 1 }, unknown: 0 },
      { ruleId: "gone", mode: undefined, counts: { newly: 0, no_longer: 1, same: 0 } },
    ]);
    const [scam] = rules;
    expect(scam?.samples.newly.map(({ text }) => text)).toEqual(["claim four", "claim three", "claim two"]);
    expect(scam?.samples.no_longer).toMatchObject([{ text: "airdrop", eventId: 5, channelId: "memes" }]);
  });

  it("names the proposed rules that hit nothing, for silence would read as harmless", async () => {
    await engine.append(engine.cast("airdrop"));
    const { rules, withoutHit } = await run([rule(), rule({ id: "greeting", when: contains("gm") })]);
    expect(rules.map(({ ruleId }) => ruleId)).toEqual(["scam"]);
    expect(withoutHit).toEqual(["greeting"]);
  });

  it("does not call a rule gone that listens elsewhere now", async () => {
    await engine.append(engine.cast("airdrop"));
    const { rules } = await run([rule({ channels: ["art-*"] })], { before: ruleSetOf(rule()) });
    expect(rules).toMatchObject([{ ruleId: "scam", mode: "enforce", counts: { no_longer: 1 } }]);
  });

  it("looks at a single event as well", async () => {
    await engine.append(engine.cast("airdrop"));
    const { tookMs, ...rest } = await run([rule()]);
    expect(rest).toMatchObject({ events: 1, notAsked: 0, done: 1, rules: [{ counts: { newly: 1 } }] });
    expect(tookMs).toBeLessThan(60_000);
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
    expect(rehearsal).toMatchObject({ events: 2, notAsked: 1 });
    expect(rehearsal.rules).toMatchObject([{ counts: { newly: 1 } }]);
  });

  it("ends when its time is over, and says how far it came", async () => {
    await engine.append(...Array.from({ length: 1200 }, () => engine.cast("airdrop")));
    const heard: number[] = [];
    const whole = await run([rule()], { onProgress: async (done) => void heard.push(done) });
    expect(whole).toMatchObject({ events: 1200, done: 1, rules: [{ counts: { newly: 1200 } }] });
    expect(heard).toEqual([500 / 1200, 1000 / 1200, 1]);
    expect(await run([rule()], { patience: -1 })).toMatchObject({ events: 500, done: 500 / 1200 });
  });

  it("leaps over ids that no event has, and looks at nothing where nothing happened since", async () => {
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
    expect(heard).toHaveLength(2);
    expect(await run([rule()], { since: clock.now(), onProgress })).toMatchObject({ events: 0, done: 1 });
    expect(heard).toHaveLength(2);
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
        patience: 60_000,
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
        expect(new Map(rehearsed)).toEqual(counts);
      }),
      { numRuns: 20 },
    );
  });
});
