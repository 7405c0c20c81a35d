import * as fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { evaluatePending } from "../../support/jobs.ts";
import { rehearse } from "../../../src/rules/rehearse/rehearse.ts";
import { createRuleEngine, guild } from "../../support/rule-engine.ts";
import { rule, ruleSetOf } from "../../support/rules.ts";

const engine = await createRuleEngine();
const { network } = engine;
const { database, clock } = network.context;
afterAll(() => database.close());

const begin = () => engine.begin({ owner: 1, moderators: [2] });

interface Said {
  by: number;
  /** Seconds since the one before it. */
  after: number;
}

/** Puts a rule in force, lets people cast, and gives for each cast what became of it. */
async function live(
  mode: string,
  change: Record<string, unknown>,
  casts: readonly Said[],
): Promise<string[]> {
  await begin();
  await engine.save(rule({ ...change, mode }));
  for (const { by, after } of casts) {
    clock.advance(after);
    await engine.append(engine.cast("airdrop", { subjectFid: by }));
    while ((await evaluatePending(engine.context)) > 0);
  }
  return (await engine.decisions()).map((row) => String(row["outcome"]));
}

async function rehearsed(before: Record<string, unknown> | undefined, after: Record<string, unknown>) {
  const { rules } = await rehearse(engine.context, {
    queue: "test",
    guildId: guild,
    channelIds: ["memes"],
    since: 0,
    timeoutMs: 60_000,
    before: before && ruleSetOf(rule(before)),
    after: ruleSetOf(rule(after)),
  });
  const [{ counts, keptBack, samples } = {}] = rules;
  return { ...counts, keptBack, texts: samples?.newly.map(({ eventId }) => eventId) };
}

const cooldown = (per: string, length: string) => ({ limits: { cooldown: { per, for: length } } });
const breaker = (max: number) => ({ limits: { breaker: { max, per: "1h" } } });
const oneAfterTheOther = (...authors: number[]): Said[] => authors.map((by) => ({ by, after: 1 }));

beforeEach(begin);

describe("a rehearsal", () => {
  it("counts nothing towards a breaker where a person would only be asked", async () => {
    const asks = { ...breaker(1), then: [{ review: {} }] };
    expect(await live("enforce", asks, oneAfterTheOther(7, 8, 9))).toEqual(Array(3).fill("held"));
    expect(await rehearsed(undefined, asks)).toMatchObject({ newly: 3, keptBack: 0 });
  });

  it("counts what limits let through, and what they keep back, against the limits in force", async () => {
    await live("enforce", {}, oneAfterTheOther(7, 7, 8, 7));
    expect(await rehearsed({}, cooldown("author", "10m"))).toMatchObject({
      same: 2,
      no_longer: 2,
      keptBack: 2,
    });
    expect(await rehearsed(cooldown("rule", "10m"), {})).toMatchObject({ same: 1, newly: 3, keptBack: 0 });
    expect(await rehearsed(undefined, breaker(3))).toMatchObject({ newly: 3, keptBack: 1 });
    expect(await rehearsed(undefined, { ...breaker(3), mode: "review" })).toMatchObject({ newly: 4 });
  });

  it("shows the latest of those that were let through", async () => {
    await live("enforce", {}, oneAfterTheOther(7, 7, 8, 9, 10));
    const ids = (await engine.decisions()).map((row) => row["event_id"]);
    const { texts } = await rehearsed(undefined, cooldown("author", "10m"));
    expect(texts).toEqual([ids[4], ids[3], ids[2]]);
  });
});

it("in shadow, rehearsed and in force, a rule acts on the same casts", async () => {
  const cooldowns = fc.record({
    per: fc.constantFrom("author", "channel", "rule"),
    for: fc.constantFrom("30s", "2m", "10m"),
  });
  const breakers = fc.record({
    max: fc.integer({ min: 1, max: 4 }),
    per: fc.constantFrom("1m", "5m"),
    then: fc.constantFrom("review", "shadow", "off"),
  });
  const limits = fc.record({ cooldown: cooldowns, breaker: breakers }, { requiredKeys: [] });
  const casts = fc.array(
    fc.record({ by: fc.integer({ min: 7, max: 9 }), after: fc.integer({ max: 90, min: 0 }) }),
    {
      minLength: 1,
      maxLength: 12,
    },
  );
  await fc.assert(
    fc.asyncProperty(limits, casts, async (limits, casts) => {
      const inShadow = await live("shadow", { limits }, casts);
      const times = inShadow.filter((outcome) => outcome === "would_have").length;
      expect(await rehearsed(undefined, { limits })).toMatchObject({
        newly: times,
        keptBack: casts.length - times,
      });
      const inForce = await live("enforce", { limits }, casts);
      // Turned off or to shadow by its breaker, a rule writes less, or begins to count anew.
      const until = inForce.findIndex((outcome) => !["acted", "cooling"].includes(outcome));
      const same = until < 0 ? casts.length : until;
      expect(inForce.slice(0, same).map((outcome) => outcome === "acted")).toEqual(
        inShadow.slice(0, same).map((outcome) => outcome === "would_have"),
      );
      expect(inForce.filter((outcome) => outcome === "acted")).toHaveLength(times);
    }),
    { numRuns: 25 },
  );
});
