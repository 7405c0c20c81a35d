import { describe, expect, it } from "vitest";
import { createRuleContext } from "../../../src/rules/context.ts";
import { evaluatePending } from "../../support/jobs.ts";
import { fireTimers, hasTimers } from "../../../src/rules/pending/fire-timers.ts";
import { useRuleEngine, guild } from "../../support/rule-engine.ts";
import { rule } from "../../support/rules.ts";

const engine = await useRuleEngine();
const { database, clock } = engine.network.context;

const day = 86_400;
const daily = (change: Record<string, unknown> = {}) =>
  rule({
    id: "daily",
    on: [{ timer: { every: "1d" } }],
    when: undefined,
    then: [{ alert: { text: "Look around." } }],
    ...change,
  });
const fired = async () => {
  const events = database.query.selectFrom("castellan.events").select(["channel_id", "data", "subject_fid"]);
  return events.where("kind", "=", "timer.fired").orderBy("id").execute();
};

describe("a timer", () => {
  it("fires one interval after its rule came into force, and then once in every interval", async () => {
    await engine.save(rule());
    expect(await hasTimers(engine.context)).toBe(false);
    await engine.save(daily());
    expect(await hasTimers(engine.context)).toBe(true);
    expect(await fireTimers(engine.context)).toBe(0);
    clock.advance(day - 1);
    expect(await fireTimers(engine.context)).toBe(0);
    clock.advance(1);
    expect(await fireTimers(engine.context)).toBe(1);
    expect(await fireTimers(engine.context)).toBe(0);
    clock.advance(day);
    await fireTimers(engine.context);
    expect(await fired()).toEqual(
      [1, 2].map(() => ({ channel_id: "memes", data: { guildId: guild, every: day }, subject_fid: null })),
    );
  });

  it("fires once for all the times that nobody was there, and keeps its hour", async () => {
    await engine.save(daily());
    await fireTimers(engine.context);
    const { due_at_ms: first } = await database.query
      .selectFrom("castellan.rule_timers")
      .selectAll()
      .executeTakeFirstOrThrow();
    clock.advance(10 * day + 5);
    // Whoever comes now starts from what is stored.
    expect(await fireTimers(createRuleContext(engine.context, engine.context))).toBe(1);
    expect(await database.query.selectFrom("castellan.rule_timers").select("due_at_ms").execute()).toEqual([
      { due_at_ms: first + 10 * day * 1000 },
    ]);
  });

  it("fires once when several workers look at the same moment", async () => {
    await engine.save(daily());
    await fireTimers(engine.context);
    clock.advance(day);
    const counts = await Promise.all([1, 2, 3].map(() => fireTimers(engine.context)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
  });

  it("fires in each linked channel that its rule is for, and not for rules that are off or gone", async () => {
    await engine.link("art-one");
    await engine.link("art-two");
    await engine.save(daily({ channels: ["art-*"] }), daily({ id: "off", mode: "off" }));
    await fireTimers(engine.context);
    await database.query.deleteFrom("castellan.links").where("channel_id", "=", "art-two").execute();
    clock.advance(day);
    expect(await fireTimers(engine.context)).toBe(1);
    expect(await fired()).toMatchObject([{ channel_id: "art-one" }]);
    await engine.save(daily({ on: [{ timer: { every: "2d" } }] }));
    clock.advance(day);
    expect(await fireTimers(engine.context)).toBe(0);
  });

  it("is heard by the rule that it belongs to alone, and not by another server", async () => {
    await engine.link("memes", "901");
    await engine.save(daily(), daily({ id: "hourly", on: [{ timer: { every: "1h" } }] }));
    await fireTimers(engine.context);
    clock.advance(3600);
    expect(await fireTimers(engine.context)).toBe(1);
    expect(
      await database.query.selectFrom("castellan.rule_evaluations").select("guild_id").execute(),
    ).toEqual([{ guild_id: guild }]);
    await evaluatePending(engine.context);
    expect((await engine.decisions()).map((row) => row["rule_id"])).toEqual(["hourly"]);
  });

  it("is for every channel that one of its rule's names fits", async () => {
    await engine.link("art");
    await engine.save(daily({ channels: ["music", "art"] }));
    await fireTimers(engine.context);
    clock.advance(day);
    await fireTimers(engine.context);
    expect(await fired()).toMatchObject([{ channel_id: "art" }]);
  });

  it("has nothing written while it is not due, and nothing changed", async () => {
    let written = 0;
    const transaction: typeof database.transaction = (work) => {
      written += 1;
      return database.transaction(work);
    };
    const counting = createRuleContext(
      { ...engine.context, database: { ...database, transaction } },
      engine.context,
    );
    const look = async () => {
      written = 0;
      await fireTimers(counting);
      return written;
    };
    const [once, twice] = [daily(), daily({ id: "twice", on: [{ timer: { every: "12h" } }] })];
    await engine.save(once);
    expect([await look(), await look()]).toEqual([1, 0]);
    await engine.save(once, twice);
    expect([await look(), await look()]).toEqual([1, 0]);
    await engine.save(twice);
    expect([await look(), await look()]).toEqual([1, 0]);
    await engine.save(daily());
    expect([await look(), await look()]).toEqual([1, 0]);
    await engine.link("art");
    expect([await look(), await look()]).toEqual([1, 0]);
    clock.advance(day);
    expect([await look(), await look()]).toEqual([1, 0]);
  });
});
