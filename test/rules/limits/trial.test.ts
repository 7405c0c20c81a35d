import { describe, expect, it } from "vitest";
import { evaluatePending } from "../../support/jobs.ts";
import { useRuleEngine } from "../../support/rule-engine.ts";
import { rule } from "../../support/rules.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2] });
const { database, clock } = engine.network.context;

const inShadow = (change: Record<string, unknown>) => rule({ mode: "shadow", ...change });
const breaker = (max: number) => ({ limits: { breaker: { max, per: "1h", then: "review" } } });

/** Each of these casts, a second after the one before. */
async function see(...authors: number[]): Promise<void> {
  for (const subjectFid of authors) {
    clock.advance(1);
    await engine.append(engine.cast("airdrop", { subjectFid }));
    while ((await evaluatePending(engine.context)) > 0);
  }
}

const outcomes = async () => (await engine.decisions()).map((row) => row["outcome"]);
const whys = async () => (await engine.decisions()).map((row) => row["why"]);
const told = async () => (await engine.hits()).map(({ data }) => JSON.stringify(data));

describe("a rule in shadow", () => {
  it("would have acted only where its cooldown would have let it", async () => {
    await engine.save(inShadow({ limits: { cooldown: { per: "author", for: "10m" } } }));
    await see(7, 7, 8, 7);
    expect(await outcomes()).toEqual(["would_have", "cooling", "would_have", "cooling"]);
    expect(await told()).toHaveLength(2);
  });

  it("would have acted as often as its breaker lets it, and says once that it trips", async () => {
    await engine.save(inShadow(breaker(2)));
    await see(7, 8, 9, 10);
    expect(await outcomes()).toEqual(["would_have", "would_have", "cooling", "cooling"]);
    const stopped = "Its breaker stops it, because it would have acted too often.";
    expect(await whys()).toEqual([null, null, stopped, stopped]);
    expect((await told()).map((data) => data.includes(stopped))).toEqual([false, false, true]);
    const [, , third] = await engine.decisions();
    expect((await engine.hits())[2]).toMatchObject({ data: { eventId: third?.["event_id"] } });
    const tripped = database.query.selectFrom("castellan.events").where("kind", "=", "rule.tripped");
    expect(await tripped.selectAll().execute()).toEqual([]);
  });

  it("leaves no mark on the same rule in force", async () => {
    const limits = { cooldown: { per: "author", for: "10m" }, ...breaker(1).limits };
    await engine.save(inShadow({ limits }));
    await see(7, 8);
    expect(await outcomes()).toEqual(["would_have", "cooling"]);
    await engine.save(rule({ limits }));
    await see(7);
    expect((await outcomes()).at(-1)).toBe("acted");
  });

  it("counts nothing that the same rule did in force", async () => {
    await engine.save(rule(breaker(3)));
    await see(7, 7);
    await engine.save(inShadow(breaker(3)));
    await see(7, 7, 7, 7);
    expect((await outcomes()).slice(2)).toEqual(["would_have", "would_have", "would_have", "cooling"]);
  });

  it.each([
    [3600, "would_have", null],
    [3601, "too_old", "It happened more than an hour ago, so it would have gone to review."],
  ])("on what happened %i seconds ago: %s", async (age, outcome, why) => {
    await engine.save(inShadow({}));
    await engine.append(engine.cast("airdrop", { occurredAt: clock.now() / 1000 - age }));
    await evaluatePending(engine.context);
    expect(await engine.decisions()).toMatchObject([{ outcome, why }]);
  });

  it("counts nothing towards a breaker where it would only ask a person", async () => {
    await engine.save(inShadow({ ...breaker(1), then: [{ review: {} }] }));
    await see(7, 8, 9);
    expect(await outcomes()).toEqual(Array(3).fill("would_have"));
  });
});
