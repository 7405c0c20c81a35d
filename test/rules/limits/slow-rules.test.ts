import { expect, it } from "vitest";
import { findSlowRules, turnOffSlow } from "../../../src/rules/limits/slow-rules.ts";
import { evaluateServer } from "../../../src/rules/pending/evaluate-pending.ts";
import { evaluatePending } from "../../support/jobs.ts";
import type { RuleThreads } from "../../../src/rules/threads/rule-threads.ts";
import { findRules, listVersions, saveRules } from "../../../src/rules/versions/rules-of-server.ts";
import { guild, useRuleEngine } from "../../support/rule-engine.ts";
import { rule, ruleSetOf } from "../../support/rules.ts";

const engine = await useRuleEngine();
const { database } = engine.network.context;

/** Threads that find a rule too slow at each look; that they do is tested beside them. */
function findSlow(id: string): RuleThreads {
  const { ruleThreads } = engine.context;
  return {
    ...ruleThreads,
    async consider(queue, ruleSets, events, tooSlow) {
      tooSlow[0]?.add(id);
      return ruleThreads.consider(queue, ruleSets, events, tooSlow);
    },
  };
}

const told = () =>
  database.query.selectFrom("castellan.events").select("data").where("kind", "=", "rules.slow").execute();

it("a rule that takes too long is turned off and told of; the others act, and nothing is lost", async () => {
  await engine.save(rule({ id: "slow" }), rule({ id: "held", on_unknown: "review" }), rule({ id: "quick" }));
  await engine.append(engine.cast("airdrop"), engine.cast("airdrop"));
  await evaluatePending({ ...engine.context, ruleThreads: findSlow("slow") });
  const decisions = (await engine.decisions()).map(
    ({ rule_id, outcome }) => `${String(rule_id)} ${String(outcome)}`,
  );
  expect(decisions.filter((one) => one === "quick acted")).toHaveLength(2);
  expect(decisions.filter((one) => one === "slow unknown")).toHaveLength(2);
  const [slow] = (await engine.decisions()).filter(({ rule_id }) => rule_id === "slow");
  expect(slow?.["why"]).toContain("the rule, or all rules together, took too long on the event");
  expect(await engine.evaluations()).toEqual([]);
  const inForce = await findRules(engine.context, guild);
  if (!inForce) throw new Error("no rules are in force");
  expect(inForce).toMatchObject({ version: 2 });
  expect(inForce.ruleSet.rules.map(({ id, mode }) => [id, mode])).toEqual([
    ["held", "enforce"],
    ["quick", "enforce"],
    ["slow", "off"],
  ]);
  expect(await told()).toEqual([{ data: { guildId: guild, version: 2, ruleIds: ["slow"] } }]);
  expect([...(await findSlowRules(engine.context, guild, inForce)).keys()]).toEqual(["slow"]);
  const [version] = await listVersions(database.query, guild, 1);
  expect(version).toMatchObject({ change: "too slow, turned off: slow", saved_by: "castellan" });
});

it("several at once are told in each channel, and each is known as slow until it is on again", async () => {
  const slow = [rule({ id: "one" }), rule({ id: "two" })];
  const quick = rule({ id: "quick", mode: "off" });
  await engine.save(...slow, quick);
  await engine.link("art");
  const before = await findRules(engine.context, guild);
  if (!before) throw new Error("no rules are in force");
  await turnOffSlow(engine.context, guild, before, new Set(["one", "two"]));
  const channels = database.query.selectFrom("castellan.events").where("kind", "=", "rules.slow");
  expect(await channels.select("channel_id").orderBy("id").execute()).toEqual([
    { channel_id: "art" },
    { channel_id: "memes" },
  ]);
  const slowNow = async () => {
    const inForce = await findRules(engine.context, guild);
    return inForce && [...(await findSlowRules(engine.context, guild, inForce))];
  };
  const turnedOffAt = engine.context.clock.now();
  expect(await slowNow()).toEqual([
    ["one", turnedOffAt],
    ["two", turnedOffAt],
  ]);
  await engine.save(rule({ id: "one" }), rule({ id: "two", mode: "off" }), quick);
  expect(await slowNow()).toEqual([["two", turnedOffAt]]);
});

it("whose turning off cannot be stored is a failure that is heard of", async () => {
  await engine.save(rule({ id: "slow" }));
  const before = await findRules(engine.context, guild);
  if (!before) throw new Error("no rules are in force");
  const appendEvents = () => Promise.reject(new Error("no room left"));
  const failing = turnOffSlow({ ...engine.context, appendEvents }, guild, before, new Set(["slow"]));
  await expect(failing).rejects.toThrow("no room left");
  expect(await findRules(engine.context, guild)).toMatchObject({ version: 1 });
});

it("is not turned off in a version that somebody made meanwhile", async () => {
  await engine.save(rule({ id: "slow" }));
  await engine.append(engine.cast("airdrop"));
  const slow = findSlow("slow");
  const consider: RuleThreads["consider"] = async (...given) => {
    const found = await slow.consider(...given);
    await engine.save(rule({ id: "slow", when: { text: { contains: "quick now" } } }));
    return found;
  };
  // Once: facts are asked for in between.
  let saved = false;
  const once: RuleThreads["consider"] = (...given) => {
    if (saved) return slow.consider(...given);
    saved = true;
    return consider(...given);
  };
  await evaluatePending({ ...engine.context, ruleThreads: { ...slow, consider: once } });
  const inForce = await findRules(engine.context, guild);
  expect(inForce?.ruleSet.rules.map(({ mode }) => mode)).toEqual(["enforce"]);
  expect(await told()).toEqual([]);
});

it("one server's slow rules do not hold up another's events", async () => {
  await engine.save(rule());
  await engine.append(engine.cast("airdrop"));
  let release = () => {};
  const held = new Promise<void>((end) => (release = end));
  const consider: RuleThreads["consider"] = async (queue, ...given) => {
    if (queue === `server ${guild}`) await held;
    return engine.context.ruleThreads.consider(queue, ...given);
  };
  const context = { ...engine.context, ruleThreads: { ...engine.context.ruleThreads, consider } };
  const first = evaluateServer(context, guild);
  await engine.link("art", "901");
  const other = { guildId: "901", ruleSet: ruleSetOf(rule({ channels: ["memes"] })), change: "import" };
  await database.transaction((tx) => saveRules(tx, { ...other, savedBy: "1", savedAt: 0, baseVersion: 0 }));
  await engine.append(engine.cast("airdrop", { channelId: "art" }));
  expect(await evaluateServer(context, "901")).toEqual({ taken: 1, isMore: false });
  expect(await engine.cases()).toEqual([]);
  release();
  expect(await first).toEqual({ taken: 1, isMore: false });
  expect(await engine.cases()).toHaveLength(1);
});
