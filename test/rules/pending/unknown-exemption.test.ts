import { describe, expect, it } from "vitest";
import { AppError } from "../../../src/errors.ts";
import { createRuleContext, type RuleContext } from "../../../src/rules/context.ts";
import { maxPostponements } from "../../../src/rules/limits/apply-limits.ts";
import { evaluatePending } from "../../support/jobs.ts";
import { useRuleEngine } from "../../support/rule-engine.ts";
import { rule, ruleFile } from "../../support/rules.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2], members: [3] });
const { database, clock } = engine.network.context;

/** The network does not say who is a member of a channel and who moderates it, so nobody knows who is exempt. */
function withoutRoles(): RuleContext {
  const fail = () => Promise.reject(new AppError("network_unreachable", "No answer."));
  const { network } = engine.context;
  const channelMembers = { ...network.channelMembers, list: fail };
  const silent = { ...network, channelMembers, channels: { ...network.channels, get: fail } };
  return createRuleContext({ ...engine.context, network: silent }, engine.context);
}

const retry = (context: RuleContext) => {
  clock.advance(61);
  return evaluatePending(context);
};

/** Tries once, and so many times more. */
async function tryInVain(more: number): Promise<void> {
  await evaluatePending(withoutRoles());
  for (let time = 0; time < more; time += 1) await retry(withoutRoles());
}

const ban = { then: [{ ban: { reason: "scam" } }] };
const outcomes = async () =>
  (await engine.decisions()).map(({ rule_id, outcome }) => `${String(rule_id)}: ${String(outcome)}`);
const kinds = async () => (await engine.cases()).map(({ kind }) => kind);
const items = () => database.query.selectFrom("castellan.review_items").selectAll().execute();
const alerts = () =>
  database.query.selectFrom("castellan.events").selectAll().where("kind", "=", "rule.alert").execute();

describe("while it is unknown whether the author is exempt", () => {
  it.each(["skip", "review", "defer"])(
    "a rule with on_unknown %s waits, and then acts",
    async (onUnknown) => {
      await engine.save(rule({ on_unknown: onUnknown }));
      await engine.append(engine.cast("airdrop"));
      await tryInVain(maxPostponements - 1);
      expect([await outcomes(), await items()]).toEqual([["scam: postponed"], []]);
      await retry(engine.context);
      expect([await outcomes(), await engine.evaluations()]).toEqual([["scam: acted"], []]);
    },
  );

  it("it waits for an event of two hours ago, too", async () => {
    await engine.save(rule({ on_unknown: "review" }));
    await engine.append(engine.cast("airdrop", { occurredAt: clock.now() / 1000 - 7200 }));
    await tryInVain(1);
    expect([await outcomes(), await items()]).toEqual([["scam: postponed"], []]);
  });

  it("nobody is touched who turns out to be exempt", async () => {
    await engine.save(rule(ban));
    await engine.append(engine.cast("airdrop", { subjectFid: 2 }));
    await tryInVain(2);
    await retry(engine.context);
    expect(await engine.decisions()).toMatchObject([
      { outcome: "unknown", why: "The author moderates the channel: exempt." },
    ]);
    expect(await kinds()).toEqual([]);
  });
});

it("each rule's decision ends for its own reason: a lockdown does not apply to a moderator", async () => {
  await engine.save(rule(ban));
  await engine.lockDown();
  await engine.append(engine.cast("airdrop", { subjectFid: 2 }));
  await tryInVain(0);
  expect(await outcomes()).toEqual(["lockdown-memes: postponed", "scam: postponed"]);
  await retry(engine.context);
  expect([await outcomes(), await kinds()]).toEqual([["scam: unknown"], []]);
});

describe("if that stays unknown", () => {
  it.each(["review", "defer"])("a person decides with on_unknown %s", async (onUnknown) => {
    await engine.save(rule({ ...ban, on_unknown: onUnknown }));
    await engine.append(engine.cast("airdrop", { subjectFid: 2 }));
    await tryInVain(maxPostponements);
    expect([await outcomes(), await kinds(), await engine.evaluations()]).toEqual([["scam: held"], [], []]);
    expect(await items()).toMatchObject([
      { why: expect.stringContaining("It is not known whether the author is exempt: No answer.") },
    ]);
  });

  it("nothing is done with on_unknown skip, and an alert says so", async () => {
    await engine.save(rule(ban));
    await engine.append(engine.cast("airdrop"));
    await tryInVain(maxPostponements);
    expect([await outcomes(), await kinds(), await items()]).toEqual([["scam: unknown"], [], []]);
    expect(await alerts()).toMatchObject([{ data: { ruleId: "scam" } }]);
  });

  it("a rule in shadow changes nothing, and sends no alert", async () => {
    await engine.save(rule({ on_unknown: "review", mode: "shadow" }));
    await engine.append(engine.cast("airdrop"));
    await tryInVain(maxPostponements);
    expect([await outcomes(), await items(), await alerts()]).toEqual([["scam: unknown"], [], []]);
  });

  it("a lockdown hides after half a minute, and decides for no other rule", async () => {
    await engine.save(rule(ban));
    await engine.lockDown();
    await engine.append(engine.cast("airdrop"));
    await tryInVain(2);
    expect(await kinds()).toEqual([]);
    await retry(withoutRoles());
    expect([await outcomes(), await kinds()]).toEqual([
      ["lockdown-memes: acted", "scam: postponed"],
      ["hide"],
    ]);
    await retry(engine.context);
    expect([await outcomes(), await kinds()]).toEqual([
      ["lockdown-memes: acted", "scam: acted"],
      ["hide", "ban"],
    ]);
  });
});

it("a file that exempts nobody does not wait for a lockdown", async () => {
  await engine.saveFile(ruleFile([rule()], { exempt: [] }));
  await engine.lockDown();
  await engine.append(engine.cast("airdrop"));
  await tryInVain(0);
  expect(await outcomes()).toEqual(["lockdown-memes: postponed", "scam: acted"]);
});
