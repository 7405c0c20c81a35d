import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { evaluateAllPending, evaluatePending } from "../../../src/rules/pending/evaluate-pending.ts";
import type { RuleThreads } from "../../../src/rules/threads/rule-threads.ts";
import { saveRules } from "../../../src/rules/versions/rules-of-server.ts";
import { collectLog } from "../../support/log.ts";
import { guild, useRuleEngine } from "../../support/rule-engine.ts";
import { rule, ruleSetOf } from "../../support/rules.ts";

const engine = await useRuleEngine();
const { database, clock } = engine.network.context;

const stays = new AbortController().signal;
const evidence = async () => (await engine.cases()).map((row) => row["evidence"]);

/** The engine with threads that do something else before, or instead of, considering. */
function withThreads(consider: RuleThreads["consider"]) {
  return { ...engine.context, ruleThreads: { ...engine.context.ruleThreads, consider } };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(5);
}

/** Another server with a rule for the same channel. */
async function addServer(guildId: string): Promise<void> {
  await engine.link("memes", guildId);
  const version = { guildId, ruleSet: ruleSetOf(rule()), change: "import", savedBy: "1", savedAt: 0 };
  await database.transaction((tx) => saveRules(tx, { ...version, baseVersion: 0 }));
}

describe("all that waits is evaluated", () => {
  it("batch by batch, until nothing is left", async () => {
    await engine.save(rule());
    await engine.append(...Array.from({ length: 120 }, () => engine.cast("airdrop")));
    await evaluateAllPending(engine.context, stays);
    expect([(await engine.cases()).length, await engine.evaluations()]).toEqual([120, []]);
  });

  it("up to the end of the batch in which the signal comes", async () => {
    await engine.save(rule());
    await engine.append(...Array.from({ length: 60 }, () => engine.cast("airdrop")));
    const stop = new AbortController();
    const context = withThreads((...given) => {
      stop.abort();
      return engine.context.ruleThreads.consider(...given);
    });
    await evaluateAllPending(context, stop.signal);
    expect(await engine.cases()).toHaveLength(50);
    await evaluateAllPending(context, stop.signal);
    expect(await engine.cases()).toHaveLength(50);
  });

  it("also what another call is at: it ends when that does", async () => {
    await engine.save(rule());
    await addServer("901");
    await engine.append(engine.cast("airdrop"));
    let release = () => {};
    const held = new Promise<void>((end) => (release = end));
    const context = withThreads(async (queue, ...given) => {
      if (queue === `server ${guild}`) await held;
      return engine.context.ruleThreads.consider(queue, ...given);
    });
    const all = evaluateAllPending(context, stays);
    let ended = false;
    void all.then(() => (ended = true));
    await until(async () => (await engine.cases()).length === 1 && context.evaluating.size === 1);
    await engine.append(engine.cast("airdrop again"));
    const ofOther = async () => (await engine.cases()).filter((row) => row["guild_id"] === "901");
    await until(async () => (await ofOther()).length === 2);
    expect(ended).toBe(false);
    // The server that is busy keeps its second event for later.
    expect(await engine.evaluations()).toMatchObject([{ attempts: 1 }, { attempts: 0, lease_token: null }]);
    release();
    await all;
    expect([(await engine.cases()).length, await engine.evaluations()]).toEqual([4, []]);
  });

  it("also of a server whose run ends just while it is asked what waits for the others", async () => {
    await engine.save(rule());
    await engine.append(engine.cast("airdrop"));
    const { evaluating } = engine.context;
    let end = () => {};
    evaluating.set(guild, new Promise<void>((ended) => (end = ended)));
    // The time is read for the question, after it is known which servers are busy.
    const now = () => {
      if (evaluating.delete(guild)) end();
      return clock.now();
    };
    const context = { ...engine.context, clock: { now, monotonic: () => clock.monotonic() } };
    await evaluateAllPending(context, stays);
    expect([(await engine.cases()).length, await engine.evaluations()]).toEqual([1, []]);
  });
});

it("only others' events are a reason to let a server go on by itself", async () => {
  await engine.save(rule());
  await engine.append(engine.cast("airdrop"));
  let release = () => {};
  const held = new Promise<void>((end) => (release = end));
  const context = withThreads(async (...given) => {
    await held;
    return engine.context.ruleThreads.consider(...given);
  });
  const run = evaluatePending(context);
  await until(async () => context.evaluating.size > 0);
  await engine.append(engine.cast("airdrop again"));
  // Longer than others' events are left waiting.
  expect(await Promise.race([run, sleep(1500).then(() => "goes on")])).toBe("goes on");
  await addServer("901");
  await engine.append(engine.cast("airdrop for both"));
  expect(await run).toBe(1);
  release();
  await evaluateAllPending(engine.context, stays);
  expect(await engine.evaluations()).toEqual([]);
});

it("events that there was no time for are given back as they were", async () => {
  await engine.save(rule());
  await engine.append(engine.cast("airdrop one"), engine.cast("airdrop two"), engine.cast("airdrop three"));
  // oxlint-disable-next-line typescript/unbound-method
  const { now } = performance;
  const context = withThreads(async (queue, ruleSets, events, tooSlow) => {
    const considered = await engine.context.ruleThreads.consider(
      queue,
      ruleSets,
      { ...events, items: events.items.slice(0, 1) },
      tooSlow,
    );
    // The first is decided; then the time is over.
    if (events.final || considered.some((found) => "evaluations" in found))
      performance.now = () => now.call(performance) + 60_000;
    return considered;
  });
  try {
    expect(await evaluatePending(context)).toBe(3);
  } finally {
    performance.now = now;
  }
  expect(await evidence()).toEqual(["airdrop one"]);
  const untouched = { attempts: 0, lease_token: null, leased_until_ms: null };
  expect(await engine.evaluations()).toMatchObject([
    { event_id: 2, ...untouched },
    { event_id: 3, ...untouched },
  ]);
  expect(await evaluatePending(engine.context)).toBe(2);
  expect(await evidence()).toEqual(["airdrop one", "airdrop two", "airdrop three"]);
});

it("what fails after others were let go first is logged, and tried again", async () => {
  await engine.save(rule());
  await addServer("901");
  await engine.append(engine.cast("airdrop"));
  let failIt = (_: Error) => {};
  const failing = new Promise<never>((_, reject) => (failIt = reject));
  const { log, lines } = collectLog();
  const slow = withThreads((queue, ...given) =>
    queue === `server ${guild}` ? failing : engine.context.ruleThreads.consider(queue, ...given),
  );
  const first = evaluatePending({ ...slow, log });
  await until(async () => (await engine.cases()).length === 1);
  await engine.append(engine.cast("airdrop again"));
  expect(await first).toBe(2);
  expect(lines).toEqual([]);
  failIt(new Error("the thread is gone"));
  await expect(slow.evaluating.get(guild)).rejects.toThrow("the thread is gone");
  await sleep(0);
  expect(lines).toMatchObject([
    { msg: "rules could not be evaluated", err: { message: "the thread is gone" } },
  ]);
  clock.advance(61);
  await evaluateAllPending(engine.context, stays);
  expect([(await engine.cases()).length, await engine.evaluations()]).toEqual([4, []]);
});
