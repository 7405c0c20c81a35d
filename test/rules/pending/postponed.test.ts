import { expect, it } from "vitest";
import { AppError } from "../../../src/errors.ts";
import { createRuleContext } from "../../../src/rules/context.ts";
import { countHits } from "../../../src/rules/verdicts/stored-verdicts.ts";
import { evaluatePending } from "../../support/jobs.ts";
import { guild, useRuleEngine } from "../../support/rule-engine.ts";
import { rule } from "../../support/rules.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2], members: [3] });
const { network } = engine;
const { database, clock } = network.context;

/** A rule for authors with, or without, a primary address, that waits while this is unknown. */
const walletRule = (id: string, has: boolean) =>
  rule({ id, on_unknown: "defer", when: { "author.has_primary_address": has }, then: [{ hide: {} }] });

/** Evaluates while the network does not say who has a primary address. */
async function evaluateInDoubt(): Promise<void> {
  const list = (): Promise<never> => Promise.reject(new AppError("network_unreachable", "No answer."));
  const { network: answering } = engine.context;
  const silent = { ...answering, primaryAddresses: { ...answering.primaryAddresses, list } };
  await evaluatePending(createRuleContext({ ...engine.context, network: silent }, engine.context));
}

const retry = () => {
  clock.advance(61);
  return evaluatePending(engine.context);
};
const hits = () => countHits(database.query, guild, ["wallet", "none"], 0);
const outcomes = async () =>
  (await engine.decisions()).map(({ rule_id, outcome }) => `${String(rule_id)}: ${String(outcome)}`);

it("forgets a postponed decision when the rule turns out not to apply", async () => {
  await engine.save(walletRule("wallet", true));
  await engine.append(engine.cast("gm"));
  await evaluateInDoubt();
  expect(await outcomes()).toEqual(["wallet: postponed"]);
  expect(await hits()).toEqual(new Map());
  expect(await retry()).toBe(1);
  expect(await engine.evaluations()).toEqual([]);
  expect(await outcomes()).toEqual([]);
});

it("forgets it also when another postponed rule applies", async () => {
  await engine.save(walletRule("wallet", true), walletRule("none", false));
  await engine.append(engine.cast("gm"));
  await evaluateInDoubt();
  expect((await outcomes()).toSorted()).toEqual(["none: postponed", "wallet: postponed"]);
  await retry();
  expect(await outcomes()).toEqual(["none: acted"]);
  expect(await hits()).toEqual(new Map([["none", 1]]));
});

it("says that it stays unknown when it is not evaluated again", async () => {
  await engine.save(walletRule("wallet", true));
  await engine.append(engine.cast("gm"));
  await evaluateInDoubt();
  await database.query.deleteFrom("castellan.links").execute();
  await retry();
  expect(await engine.decisions()).toMatchObject([
    { outcome: "unknown", why: "The channel was no longer linked, or no longer had rules." },
  ]);
});

it("says that the file is unreadable while a lockdown still runs", async () => {
  await engine.save(walletRule("wallet", true));
  await engine.lockDown();
  await engine.append(engine.cast("gm", { subjectFid: 3 }));
  await evaluateInDoubt();
  await database.query
    .updateTable("castellan.rule_sets")
    .set({
      source: "version: 1\nrules:\n  - {id: wallet, on: [cast.vanished], then: [{hide: {}}]}",
    })
    .execute();
  await retry();
  const unreadable = expect.stringContaining("can no longer read it");
  expect(await engine.decisions()).toMatchObject([{ outcome: "unknown", why: unreadable }]);
  expect(await engine.evaluations()).toMatchObject([{ note: unreadable }]);
});
