import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { NewChannelEvent } from "../../src/observe/event.ts";
import { AppError } from "../../src/errors.ts";
import { createRuleContext, type RuleContext } from "../../src/rules/context.ts";
import { evaluatePending } from "../../src/rules/evaluate-pending.ts";
import { takePending } from "../../src/rules/pending.ts";
import { createRuleEngine, guild } from "../support/rule-engine.ts";
import { author, rule } from "../support/rules.ts";

const engine = await createRuleEngine();
const { network } = engine;
let { context } = engine;
const { database } = network.context;
afterAll(() => database.close());

beforeEach(async () => {
  await database.truncate();
  engine.poked.length = 0;
  // What a worker remembers goes with it.
  context = createRuleContext(context, context);
  await network.seed.channel("memes", { owner: 1, moderators: [2], members: [3] });
  await engine.link("memes");
});

async function fail(error: Error): Promise<never> {
  throw error;
}

let casts = 0;
function cast(text: string, change: Partial<NewChannelEvent> = {}): NewChannelEvent {
  casts += 1;
  const castHash = `0x${casts.toString(16).padStart(40, "0")}`;
  const now = context.clock.now();
  const data = { castHash, text, rootHash: castHash, threadDepth: 0, mentions: [], embeds: [] };
  const event = {
    sourceKey: `cast:${castHash}`,
    kind: "cast.created" as const,
    channelId: "memes",
    subjectFid: author,
  };
  const when = { occurredAt: Math.floor(now / 1000), observedAt: now, depth: 0, caseId: null };
  // A change keeps the kind.
  return { ...event, ...when, data, ...change } as NewChannelEvent;
}

const waiting = () => database.query.selectFrom("castellan.rule_evaluations").selectAll().execute();
const events = (kind: string) =>
  database.query.selectFrom("castellan.events").selectAll().where("kind", "=", kind).execute();

describe("a rule in force", () => {
  it("asks for a case, decides, tells of the hit, and leaves nothing to evaluate", async () => {
    await engine.save(rule({ then: [{ hide: {} }, { ban: { for: "7d", reason: "scam" } }], stop: true }));
    const [event] = await engine.append(cast("Free airdrop"));
    expect(await evaluatePending(context)).toBe(1);
    const [hide, ban] = await engine.cases();
    expect(hide).toMatchObject({
      kind: "hide",
      state: "requested",
      actor_kind: "rule",
      rule_id: "scam",
      rule_version: 1,
      cause_event_id: event?.id,
      depth: 1,
      evidence: "Free airdrop",
    });
    expect(ban).toMatchObject({ kind: "ban", target_fid: author, public_reason: "scam", action_index: 1 });
    expect(await engine.decisions()).toMatchObject([
      { outcome: "acted", why: null, case_id: hide?.["id"], mode: "enforce", action: "hide the cast" },
      { outcome: "acted", case_id: ban?.["id"], action_index: 1 },
    ]);
    expect(await events("rule.hit")).toMatchObject([
      {
        channel_id: "memes",
        subject_fid: author,
        depth: 1,
        data: { guildId: guild, ruleId: "scam", mode: "enforce", eventId: event?.id },
      },
    ]);
    expect(await waiting()).toEqual([]);
    expect(engine.poked).toEqual(["settle-cases"]);
    expect(await evaluatePending(context)).toBe(0);
  });

  it("does nothing where it does not apply, and leaves no row", async () => {
    await engine.save(rule());
    await engine.append(cast("gm"), cast("gn"));
    expect(await evaluatePending(context)).toBe(2);
    expect([await engine.cases(), await engine.decisions(), await waiting()]).toEqual([[], [], []]);
    expect(engine.poked).toEqual([]);
  });

  it("says why it did not ask about who is exempt", async () => {
    await engine.save(rule());
    await engine.append(cast("airdrop", { subjectFid: 2 }));
    await evaluatePending(context);
    expect(await engine.decisions()).toEqual([]);
    expect(await waiting()).toMatchObject([{ note: "The author moderates the channel: exempt." }]);
    expect(await evaluatePending(context)).toBe(0);
  });

  it("acts in each linked channel on a name, which belongs to none", async () => {
    await network.seed.channel("art", { owner: 1 });
    await engine.link("art");
    const when = { name: { matches: "^memes-support" } };
    await engine.save(rule({ id: "impostor", on: ["username_proof.merged"], when, then: [{ ban: {} }] }));
    const data = { name: "memes-support", owner: "0x0", change: "registered" as const };
    const name = { ...cast(""), kind: "username_proof.merged", channelId: null, data } as NewChannelEvent;
    await engine.append({ ...name, sourceKey: "name:1" });
    await evaluatePending(context);
    const banned = await engine.cases();
    expect(banned.map((row) => row["channel_id"])).toEqual(expect.arrayContaining(["memes", "art"]));
    expect(banned).toHaveLength(2);
  });

  it.each([
    [3600, "acted", null],
    [3601, "too_old", "It happened more than an hour ago."],
  ])("on what happened %i seconds ago: %s", async (age, outcome, why) => {
    await engine.save(rule());
    await engine.append(cast("airdrop", { occurredAt: context.clock.now() / 1000 - age }));
    await evaluatePending(context);
    expect(await engine.decisions()).toMatchObject([{ outcome, why }]);
    expect(await engine.cases()).toHaveLength(why ? 0 : 1);
  });

  it("does not act while rules are paused, and says why in decision and event", async () => {
    await engine.save(rule());
    await database.query.updateTable("castellan.links").set({ bot_role_lost_at_ms: 1 }).execute();
    await engine.append(cast("airdrop"));
    await evaluatePending(context);
    expect(await engine.decisions()).toMatchObject([
      { outcome: "paused", why: "The bot does not moderate /memes any more." },
    ]);
    const [hit] = await events("rule.hit");
    expect(hit?.data).toMatchObject({
      actions: ["hide the cast: not done. The bot does not moderate /memes any more."],
    });
    expect(await engine.cases()).toEqual([]);
  });

  it("skips what it cannot know, and keeps why", async () => {
    await engine.save(rule({ when: { "author.is_member": false } }));
    await engine.append(cast("airdrop"));
    const { channelMembers } = context.network;
    const silence = new AppError("network_unreachable", "The network does not answer.");
    const down = { ...context.network, channelMembers: { ...channelMembers, list: () => fail(silence) } };
    await evaluatePending({ ...context, network: down });
    expect(await engine.cases()).toEqual([]);
    const [decision] = await engine.decisions();
    expect(decision).toMatchObject({ outcome: "unknown" });
    expect(decision?.["tree"]).toContain("The network does not answer.");
  });

  it("asks the network about an author once in a flood", async () => {
    await engine.save(rule({ when: { "author.is_member": false } }));
    let calls = 0;
    const { list } = context.network.channelMembers;
    const counted: typeof list = (...given) => {
      calls += 1;
      return list(...given);
    };
    const channelMembers = { ...context.network.channelMembers, list: counted };
    await engine.append(...Array.from({ length: 20 }, () => cast("spam")));
    await evaluatePending({ ...context, network: { ...context.network, channelMembers } });
    expect(await engine.cases()).toHaveLength(20);
    expect(calls).toBe(1);
  });
});

describe("a rule on trial", () => {
  it("writes what it would have done and proposes nothing, whatever the event", async () => {
    await engine.save(rule({ mode: "shadow", then: [{ hide: {} }, { ban: {} }] }));
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        await engine.append(cast(`airdrop ${text}`));
        await evaluatePending(context);
      }),
      { numRuns: 20 },
    );
    const outcomes = (await engine.decisions()).map((decision) => decision["outcome"]);
    expect(outcomes).toEqual(Array.from({ length: 40 }, () => "would_have"));
    expect(await engine.cases()).toEqual([]);
    expect(await events("rule.hit")).toHaveLength(20);
  });
});

describe("once", () => {
  it("acts once on an event that is seen twice", async () => {
    await engine.save(rule());
    const seen = cast("airdrop");
    await engine.append(seen);
    await engine.append(seen);
    await evaluatePending(context);
    await engine.append(seen);
    await evaluatePending(context);
    expect(await engine.cases()).toHaveLength(1);
  });

  it("acts once when several workers look at the same time", async () => {
    await engine.save(rule());
    await engine.append(...Array.from({ length: 120 }, () => cast("airdrop")));
    const taken = await Promise.all([1, 2, 3, 4].map(() => evaluatePending(context)));
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(120);
    const cases = await engine.cases();
    expect(new Set(cases.map((row) => row["cause_event_id"])).size).toBe(120);
    expect(cases).toHaveLength(120);
  });

  it("acts once when a worker dies after taking the row, and only after its lease", async () => {
    await engine.save(rule());
    await engine.append(cast("airdrop"));
    expect(await takePending(context, randomUUID())).toHaveLength(1);
    expect(await evaluatePending(context)).toBe(0);
    network.context.clock.advance(61);
    expect(await evaluatePending(context)).toBe(1);
    expect(await engine.cases()).toHaveLength(1);
  });

  it.each([
    ["has settled it", (other: RuleContext) => evaluatePending(other), 1],
    ["is at it", async (other: RuleContext) => (await takePending(other, randomUUID())).length, 0],
  ])(
    "leaves a row to the worker that took it over while this one was slow and %s",
    async (_, take, cases) => {
      await engine.save(rule());
      await engine.append(cast("airdrop"));
      const { get } = context.network.channels;
      const slowGet: typeof get = async (...given) => {
        network.context.clock.advance(61);
        expect(await take(context)).toBe(1);
        return get(...given);
      };
      const channels = { ...context.network.channels, get: slowGet };
      const slow = createRuleContext({ ...context, network: { ...context.network, channels } }, context);
      expect(await evaluatePending(slow)).toBe(1);
      expect(await engine.cases()).toHaveLength(cases);
      expect(await events("rule.hit")).toHaveLength(cases);
      network.context.clock.advance(61);
      await evaluatePending(context);
      expect(await engine.cases()).toHaveLength(1);
    },
  );

  it("keeps nothing of an event that it could not finish, goes on with the others, and tries again", async () => {
    await engine.save(rule());
    await engine.append(cast("airdrop one"), cast("airdrop two"));
    let failures = 1;
    const propose: typeof context.propose = async (tx, action) => {
      const caseId = await context.propose(tx, action);
      if (failures-- > 0) throw new Error("died here");
      return caseId;
    };
    await evaluatePending({ ...context, propose });
    expect(await engine.cases()).toMatchObject([{ evidence: "airdrop two" }]);
    expect(await engine.decisions()).toHaveLength(1);
    network.context.clock.advance(61);
    await evaluatePending(context);
    expect((await engine.cases()).map((row) => row["evidence"])).toEqual(["airdrop two", "airdrop one"]);
  });

  it("puts aside what fails again and again", async () => {
    await engine.save(rule());
    await engine.append(cast("airdrop"));
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await evaluatePending({ ...context, propose: () => fail(new Error("always")) })).toBe(1);
      network.context.clock.advance(61);
    }
    expect(await evaluatePending(context)).toBe(0);
  });
});

describe("what rules caused", () => {
  const both = rule({ on: ["cast.created", "record.hidden"], then: [{ ban: {} }] });
  const hiddenBy = (caseId: unknown, depth: number): NewChannelEvent => ({
    ...cast(""),
    kind: "record.hidden",
    data: { castHash: `0x${"c".repeat(40)}` },
    caseId: Number(caseId),
    depth,
  });

  it.each([
    ["not the rule that caused it", "scam", 1],
    ["other rules", "other", 2],
  ])("is seen by %s", async (_, id, cases) => {
    await engine.save(both);
    await engine.append(cast("airdrop"));
    await evaluatePending(context);
    const [first] = await engine.cases();
    await engine.save({ ...both, id, when: { not: { text: { contains: "never" } } } });
    const event = hiddenBy(first?.["id"], 1);
    await database.query
      .insertInto("castellan.casts")
      .values({
        ...{ hash: `0x${"c".repeat(40)}`, channel_id: "memes", fid: author, text: "seen in the index" },
        ...{
          parent_hash: null,
          root_hash: "0x1",
          thread_depth: 0,
          embeds: "[]",
          cast_at: 0,
          removed_at: null,
        },
      })
      .execute();
    await engine.append({ ...event, subjectFid: null });
    expect(await evaluatePending(context)).toBe(1);
    const found = await engine.cases();
    expect(found).toHaveLength(cases);
    if (cases === 2) {
      expect(found[1]).toMatchObject({
        rule_id: id,
        depth: 2,
        target_fid: author,
        evidence: "seen in the index",
      });
    }
  });

  it("is not evaluated when it is too deep, which is said", async () => {
    await engine.save(both);
    await engine.append(cast("airdrop", { depth: 4 }));
    await evaluatePending(context);
    expect(await waiting()).toMatchObject([{ note: "Rules acting on rules, 4 deep: not evaluated." }]);
  });
});

describe("a link that ends", () => {
  it.each([
    ["is unlinked", () => database.query.deleteFrom("castellan.links").execute()],
    [
      "is suspended",
      () => database.query.updateTable("castellan.links").set({ suspended_at_ms: 1 }).execute(),
    ],
    ["has its rules taken away", () => database.query.deleteFrom("castellan.rules_in_force").execute()],
  ])("is not acted on when the channel %s while an event waits", async (_, end) => {
    await engine.save(rule());
    await engine.append(cast("airdrop"));
    await end();
    expect(await evaluatePending(context)).toBe(1);
    expect(await engine.cases()).toEqual([]);
    expect(await waiting()).toMatchObject([
      { note: "The channel was not linked, or had no rules, any more." },
    ]);
  });
});
