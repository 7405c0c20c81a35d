import { beforeEach, expect, it } from "vitest";
import { createRuleContext } from "../../../src/rules/context.ts";
import { explainEvent } from "../../../src/rules/explain/explain-event.ts";
import { evaluatePending } from "../../support/jobs.ts";
import { announceUnreadable } from "../../../src/rules/versions/announce-unreadable.ts";
import { fireTimers } from "../../../src/rules/pending/fire-timers.ts";
import { saveRules } from "../../../src/rules/versions/rules-of-server.ts";
import { useRuleEngine, guild } from "../../support/rule-engine.ts";
import { rule, ruleSetOf } from "../../support/rules.ts";

const engine = await useRuleEngine();
const { network } = engine;
const { database } = network.context;

const other = "901";

beforeEach(async () => {
  await engine.link("memes", other);
  await engine.save(rule());
  const rules = { guildId: other, ruleSet: ruleSetOf(rule()), change: "import", savedBy: "1", savedAt: 0 };
  await database.transaction((tx) => saveRules(tx, { ...rules, baseVersion: 0 }));
  // As an earlier Castellan may have taken it.
  await database.query
    .updateTable("castellan.rule_sets")
    .set({ source: "version: 1\nrules:\n  - {id: scam, on: [cast.vanished], then: [{hide: {}}]}" })
    .where("guild_id", "=", guild)
    .execute();
});

const told = () =>
  database.query
    .selectFrom("castellan.events")
    .select("data")
    .where("kind", "=", "rules.unreadable")
    .execute();

it("unreadable rules of one server do not delay those of others, and are announced once", async () => {
  await engine.append(engine.cast("Free airdrop"));
  await evaluatePending(engine.context);
  await announceUnreadable(engine.context);
  await engine.append(engine.cast("Free airdrop again"));
  await evaluatePending(engine.context);
  await announceUnreadable(engine.context);
  expect((await engine.cases()).map((one) => one["guild_id"])).toEqual([other, other]);
  expect(await told()).toMatchObject([
    {
      data: {
        guildId: guild,
        version: 1,
        mistakes: [expect.stringMatching(/^line 3, column 21: .*must be one of/)],
      },
    },
  ]);
});

it("what they were not asked about says so", async () => {
  const [event] = await engine.append(engine.cast("Free airdrop"));
  await evaluatePending(engine.context);
  const { note, present } = await explainEvent(engine.context, guild, "memes", event?.id ?? 0);
  expect(note).toContain("can no longer read it");
  expect(present).toMatchObject({ asked: false, why: expect.stringContaining("can no longer read it") });
});

it("act again from the version on that can be read", async () => {
  await engine.append(engine.cast("Free airdrop"));
  await evaluatePending(engine.context);
  await engine.save(rule({ id: "mended" }));
  await engine.append(engine.cast("Free airdrop again"));
  await evaluatePending(engine.context);
  const rules = (await engine.cases()).map((one) => `${String(one["guild_id"])} ${String(one["rule_id"])}`);
  expect(rules.toSorted()).toEqual([`${guild} mended`, `${other} scam`, `${other} scam`]);
});

it("keep the hour of their timers until they are mended", async () => {
  const timer = rule({
    id: "weekly",
    on: [{ timer: { every: "7d" } }],
    when: undefined,
    then: [{ alert: { text: "x" } }],
  });
  await engine.save(timer);
  await fireTimers(engine.context);
  const timers = () => database.query.selectFrom("castellan.rule_timers").selectAll().execute();
  const begun = await timers();
  expect(begun).toHaveLength(1);
  await database.query
    .updateTable("castellan.rule_sets")
    .set({ source: "version: 3" })
    .where("guild_id", "=", guild)
    .execute();
  engine.context = createRuleContext(engine.context, engine.context);
  await fireTimers(engine.context);
  await announceUnreadable(engine.context);
  expect([await timers(), await told()]).toMatchObject([begun, [{ data: { version: 2 } }]]);
});
