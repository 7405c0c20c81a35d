import { expect, it } from "vitest";
import { evaluateServer } from "../../../src/rules/pending/evaluate-pending.ts";
import type { RuleThreads } from "../../../src/rules/threads/rule-threads.ts";
import { saveRules } from "../../../src/rules/versions/rules-of-server.ts";
import { guild, useRuleEngine } from "../../support/rule-engine.ts";
import { rule, ruleSetOf } from "../../support/rules.ts";

const engine = await useRuleEngine();
const { database, clock } = engine.network.context;

const evidence = async () => (await engine.cases()).map((row) => row["evidence"]);

/** The engine with threads that do something else before, or instead of, considering. */
function withThreads(consider: RuleThreads["consider"]) {
  return { ...engine.context, ruleThreads: { ...engine.context.ruleThreads, consider } };
}

/** Another server with a rule for the same channel. */
async function addServer(guildId: string): Promise<void> {
  await engine.link("memes", guildId);
  const version = { guildId, ruleSet: ruleSetOf(rule()), change: "import", savedBy: "1", savedAt: 0 };
  await database.transaction((tx) => saveRules(tx, { ...version, baseVersion: 0 }));
}

it("a server's events are evaluated batch by batch, and each tells whether there may be more", async () => {
  await engine.save(rule());
  await engine.append(...Array.from({ length: 120 }, () => engine.cast("airdrop")));
  const batches = [];
  for (let batch = 0; batch < 3; batch += 1) batches.push(await evaluateServer(engine.context, guild));
  expect(batches).toEqual([
    { taken: 50, isMore: true },
    { taken: 50, isMore: true },
    { taken: 20, isMore: false },
  ]);
  expect([(await engine.cases()).length, await engine.evaluations()]).toEqual([120, []]);
});

it("one that asks for none of another's events leaves them", async () => {
  await engine.save(rule());
  await addServer("901");
  await engine.append(engine.cast("airdrop"));
  await evaluateServer(engine.context, "901");
  expect((await engine.cases()).map((row) => row["guild_id"])).toEqual(["901"]);
  expect(await engine.evaluations()).toMatchObject([{ guild_id: guild, attempts: 0 }]);
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
    expect(await evaluateServer(context, guild)).toEqual({ taken: 3, isMore: true });
  } finally {
    performance.now = now;
  }
  expect(await evidence()).toEqual(["airdrop one"]);
  const untouched = { attempts: 0, lease_token: null, leased_until_ms: null };
  expect(await engine.evaluations()).toMatchObject([
    { event_id: 2, ...untouched },
    { event_id: 3, ...untouched },
  ]);
  expect(await evaluateServer(engine.context, guild)).toEqual({ taken: 2, isMore: false });
  expect(await evidence()).toEqual(["airdrop one", "airdrop two", "airdrop three"]);
});

it("what fails is tried again when its lease is over", async () => {
  await engine.save(rule());
  await engine.append(engine.cast("airdrop"));
  const gone = withThreads(() => Promise.reject(new Error("the thread is gone")));
  await expect(evaluateServer(gone, guild)).rejects.toThrow("the thread is gone");
  expect(await evaluateServer(engine.context, guild)).toEqual({ taken: 0, isMore: false });
  clock.advance(61);
  await evaluateServer(engine.context, guild);
  expect([(await engine.cases()).length, await engine.evaluations()]).toEqual([1, []]);
});
