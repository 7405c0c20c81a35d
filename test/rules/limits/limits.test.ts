import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRuleContext } from "../../../src/rules/context.ts";
import { evaluatePending } from "../../support/jobs.ts";
import { beginCooldown, pruneCooldowns } from "../../../src/rules/limits/cooldown.ts";
import { pauseRules, resumeRules } from "../../../src/rules/limits/pause.ts";
import { findRules } from "../../../src/rules/versions/rules-of-server.ts";
import { useRuleEngine, guild } from "../../support/rule-engine.ts";
import { castCreated, rule, ruleSetOf } from "../../support/rules.ts";
import { showMoment } from "../../../src/text/since.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2] });
const { network } = engine;
const { database, clock } = network.context;

const outcomes = async () => (await engine.decisions()).map((row) => row["outcome"]);
const events = (kind: string) =>
  database.query.selectFrom("castellan.events").selectAll().where("kind", "=", kind).orderBy("id").execute();

async function see(...authors: number[]): Promise<void> {
  await engine.append(...authors.map((subjectFid) => engine.cast("airdrop", { subjectFid })));
  while ((await evaluatePending(engine.context)) > 0);
}

describe("a cooldown", () => {
  const cooled = (per: string, change = {}) => rule({ limits: { cooldown: { per, for: "10m" } }, ...change });

  it.each([
    ["author", ["acted", "cooling", "acted"]],
    ["channel", ["acted", "cooling", "cooling"]],
    ["rule", ["acted", "cooling", "cooling"]],
  ])("per %s", async (per, expected) => {
    await engine.save(cooled(per));
    await see(7, 7, 8);
    expect(await outcomes()).toEqual(expected);
    const until = showMoment(clock.now() + 600_000);
    expect((await engine.decisions())[1]?.["why"]).toBe(
      `It acted recently and is in cooldown until ${until}.`,
    );
    expect(await engine.hits()).toHaveLength(expected.filter((outcome) => outcome === "acted").length);
    clock.advance(600);
    await see(7);
    expect((await outcomes()).at(-1)).toBe("acted");
  });

  it("holds when workers look at once, and after a restart", async () => {
    await engine.save(cooled("author"));
    await engine.append(...Array.from({ length: 120 }, () => engine.cast("airdrop")));
    await Promise.all([1, 2, 3].map(() => evaluatePending(engine.context)));
    engine.context = createRuleContext(engine.context, engine.context);
    await see(7);
    expect((await outcomes()).filter((outcome) => outcome === "acted")).toHaveLength(1);
  });

  it("per author is the channel's where the author is not known", async () => {
    const [cooling] = ruleSetOf(cooled("author")).rules;
    const begin = (change: { authorFid: number | null; channelId?: string }) =>
      database.transaction(async (tx) => cooling && beginCooldown(tx, cooling, castCreated("x", change)));
    const end = (1_700_000_000 + 600) * 1000;
    expect(await begin({ authorFid: null })).toBeUndefined();
    expect(await begin({ authorFid: null })).toBe(end);
    expect(await begin({ authorFid: null, channelId: "art" })).toBeUndefined();
    expect(await begin({ authorFid: 7 })).toBeUndefined();
  });

  it("is not begun by what does nothing", async () => {
    await engine.save(cooled("author", { mode: "shadow" }));
    await see(7);
    await engine.save(cooled("author"));
    await see(7);
    expect(await outcomes()).toEqual(["would_have", "acted"]);
  });

  it("never ends sooner for a shorter one, nor later for what claims to be from the future", async () => {
    const times = fc.array(
      fc.record({ at: fc.integer({ min: 0, max: 5000 }), length: fc.integer({ min: 1, max: 60 }) }),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    await fc.assert(
      fc.asyncProperty(times, async (casts) => {
        await database.query.deleteFrom("castellan.rule_cooldowns").execute();
        let end = -Infinity;
        for (const { at, length } of casts) {
          const [cooling] = ruleSetOf(
            rule({ limits: { cooldown: { per: "author", for: `${length}m` } } }),
          ).rules;
          const occurrence = castCreated("airdrop");
          const observedAt = 2_000_000;
          const seen = { ...occurrence, event: { ...occurrence.event, occurredAt: at, observedAt } };
          const until = cooling && (await database.transaction((tx) => beginCooldown(tx, cooling, seen)));
          const now = Math.min(at * 1000, observedAt);
          expect(until).toBe(now >= end ? undefined : end);
          if (now >= end) end = now + length * 60_000;
        }
      }),
      { numRuns: 15 },
    );
  });

  it("is deleted a day after its end", async () => {
    await engine.save(cooled("author"));
    await see(7);
    const left = () => database.query.selectFrom("castellan.rule_cooldowns").selectAll().execute();
    clock.advance(600 + 86_399);
    await pruneCooldowns(database.query, clock);
    expect(await left()).toHaveLength(1);
    clock.advance(1);
    await pruneCooldowns(database.query, clock);
    expect(await left()).toEqual([]);
  });
});

describe("a breaker", () => {
  const broken = (change = {}, breaker = {}) =>
    rule({ limits: { breaker: { max: 2, per: "1h", ...breaker } }, ...change });

  it("moves a rule that acts too often to review, in a version of its own, and says so once", async () => {
    await engine.save(broken());
    await see(7, 7, 7, 7);
    expect(await outcomes()).toEqual(["acted", "acted", "held", "held"]);
    const inForce = await findRules(engine.context, guild);
    expect(inForce).toMatchObject({ version: 2, ruleSet: { rules: [{ id: "scam", mode: "review" }] } });
    const version = await database.query
      .selectFrom("castellan.rule_sets")
      .select(["saved_by", "change"])
      .where("version", "=", 2)
      .executeTakeFirst();
    expect(version).toEqual({ saved_by: "castellan", change: "breaker of scam: review" });
    expect(await events("rule.tripped")).toMatchObject([
      {
        channel_id: "memes",
        depth: 1,
        data: { guildId: guild, ruleId: "scam", acted: 2, perSeconds: 3600, mode: "review" },
      },
    ]);
    expect((await engine.decisions())[2]?.["why"]).toBe("The rule acted too often.");
    await see(7);
    expect((await outcomes()).at(-1)).toBe("held");
  });

  it("counts anew once a person lets the rule act again", async () => {
    await engine.save(broken());
    await see(7, 7, 7);
    clock.advance(1);
    await engine.save(broken());
    await see(7, 7, 7);
    expect((await outcomes()).slice(3)).toEqual(["acted", "acted", "held"]);
    expect(await events("rule.tripped")).toHaveLength(2);
  });

  it("lets slow acting be", async () => {
    await engine.save(broken());
    for (let hour = 0; hour < 4; hour += 1) {
      await see(7);
      clock.advance(1801);
    }
    expect(await outcomes()).toEqual(["acted", "acted", "acted", "acted"]);
  });

  it("counts events that it acted on, not what it held, nor each of its actions", async () => {
    await engine.save(broken({ then: [{ hide: {} }, { ban: {} }] }));
    const now = clock.now() / 1000;
    await engine.append(...[1, 2, 3].map(() => engine.cast("airdrop", { occurredAt: now - 3601 })));
    await see(7, 7, 7);
    const rows = (await engine.decisions()).filter((row) => row["action_index"] === 0);
    const acted = ["acted", "acted", "held"];
    expect(rows.map((row) => row["outcome"])).toEqual(["held", "held", "held", ...acted]);
  });

  it("may turn the rule off instead", async () => {
    await engine.save(broken({}, { max: 1, then: "off" }));
    await see(7, 7);
    expect(await outcomes()).toEqual(["acted", "would_have"]);
    await see(7);
    expect(await outcomes()).toHaveLength(2);
  });

  it("lets no more through when several workers act at once", async () => {
    await engine.save(broken());
    await engine.append(...Array.from({ length: 120 }, () => engine.cast("airdrop")));
    await Promise.all([1, 2, 3].map(() => evaluatePending(engine.context)));
    expect(await engine.cases()).toHaveLength(2);
    expect(await events("rule.tripped")).toHaveLength(1);
  });

  it("neither acts nor holds where the rules in force cannot be changed at all", async () => {
    await engine.save(broken());
    await see(7, 7);
    const edit = () => Promise.reject(new Error("no file can be made of it"));
    await engine.append(engine.cast("airdrop"));
    await evaluatePending({ ...engine.context, ruleThreads: { ...engine.context.ruleThreads, edit } });
    expect(await outcomes()).toEqual(["acted", "acted"]);
    expect(await engine.evaluations()).toMatchObject([{ note: null, attempts: 1 }]);
  });

  it("holds what it cannot count while somebody changes the rules, and trips with the next", async () => {
    await engine.save(broken());
    await see(7, 7);
    await engine.append(engine.cast("airdrop"));
    const { get } = engine.context.network.channels;
    const savedMeanwhile: typeof get = async (...given) => {
      await engine.save(broken(), rule({ id: "other", when: { text: { contains: "zzz" } } }));
      return get(...given);
    };
    const changed = {
      ...engine.context.network,
      channels: { ...engine.context.network.channels, get: savedMeanwhile },
    };
    await evaluatePending(createRuleContext({ ...engine.context, network: changed }, engine.context));
    expect([(await outcomes()).at(-1), await events("rule.tripped")]).toEqual(["held", []]);
    await see(7);
    expect((await outcomes()).at(-1)).toBe("held");
    const inForce = await findRules(engine.context, guild);
    expect(inForce?.ruleSet.rules.map(({ id, mode }) => [id, mode])).toEqual([
      ["other", "enforce"],
      ["scam", "review"],
    ]);
  });
});

describe("a pause", () => {
  const pause = (until: number | null) =>
    database.transaction((tx) =>
      pauseRules(tx, clock, { guildId: guild, channelId: "memes", pausedBy: "5", reason: null, until }),
    );

  it("stops acting and holding, until it ends by itself or is ended", async () => {
    await engine.save(rule(), rule({ id: "asks", mode: "review" }), rule({ id: "tries", mode: "shadow" }));
    await pause(clock.now() + 60_000);
    await see(7);
    expect(await outcomes()).toEqual(["paused", "paused", "would_have"]);
    clock.advance(60);
    await see(7);
    expect((await outcomes()).slice(3)).toEqual(["held", "acted", "would_have"]);
    await pause(null);
    await see(7);
    expect((await outcomes()).slice(6)).toEqual(["paused", "paused", "would_have"]);
    const resume = () => database.transaction((tx) => resumeRules(tx, clock, guild, "memes"));
    expect([await resume(), await resume()]).toEqual([true, false]);
    await pause(clock.now() + 1000);
    expect(await resume()).toBe(true);
    await pause(clock.now());
    expect(await resume()).toBe(false);
    await see(7);
    expect((await outcomes()).at(-2)).toBe("acted");
  });

  it("stops a batch that is being worked on", async () => {
    await engine.save(rule());
    await engine.append(engine.cast("airdrop"));
    const { get } = engine.context.network.channels;
    const pausedMeanwhile: typeof get = async (...given) => {
      await pause(null);
      return get(...given);
    };
    const network = {
      ...engine.context.network,
      channels: { ...engine.context.network.channels, get: pausedMeanwhile },
    };
    await evaluatePending(createRuleContext({ ...engine.context, network }, engine.context));
    expect(await outcomes()).toEqual(["paused"]);
    expect((await engine.decisions())[0]?.["why"]).toBe(
      "Rules are paused here. /status shows by whom and until when.",
    );
  });

  it("of one channel or server leaves others alone", async () => {
    await engine.link("art");
    await network.seed.channel("art", { owner: 1 });
    await engine.save(rule());
    await pause(null);
    await engine.append(engine.cast("airdrop", { channelId: "art" }));
    await evaluatePending(engine.context);
    expect(await outcomes()).toEqual(["acted"]);
  });
});
