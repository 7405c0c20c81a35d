import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NewChannelEvent } from "../../../src/observe/events.ts";
import { AppError } from "../../../src/errors.ts";
import { createRuleContext } from "../../../src/rules/context.ts";
import { evaluatePending } from "../../support/jobs.ts";
import { useRuleEngine, guild } from "../../support/rule-engine.ts";
import { author, rule } from "../../support/rules.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2], members: [3] });
const { network } = engine;
const { database } = network.context;

async function fail(error: Error): Promise<never> {
  throw error;
}

describe("a rule in force", () => {
  it("asks for a case, decides, tells of the hit, and leaves nothing to evaluate", async () => {
    await engine.save(rule({ then: [{ hide: {} }, { ban: { for: "7d", reason: "scam" } }], stop: true }));
    const [event] = await engine.append(engine.cast("Free airdrop"));
    expect(await evaluatePending(engine.context)).toBe(1);
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
    expect(await engine.hits()).toMatchObject([
      {
        channel_id: "memes",
        subject_fid: author,
        depth: 1,
        data: { guildId: guild, ruleId: "scam", mode: "enforce", eventId: event?.id },
      },
    ]);
    expect(await engine.evaluations()).toEqual([]);
    expect(engine.woken).toEqual(["settle-cases memes"]);
    expect(await evaluatePending(engine.context)).toBe(0);
  });

  it("does nothing where it does not apply, and leaves no row", async () => {
    await engine.save(rule());
    await engine.append(engine.cast("gm"), engine.cast("gn"));
    expect(await evaluatePending(engine.context)).toBe(2);
    expect([await engine.cases(), await engine.decisions(), await engine.evaluations()]).toEqual([
      [],
      [],
      [],
    ]);
    expect(engine.woken).toEqual([]);
  });

  it("is in no doubt about who is exempt where what the store knows rules every rule out", async () => {
    await engine.save(
      rule({ then: [{ strike: { points: 1 } }] }),
      rule({ id: "ban", on: ["strike.added"], when: { "author.strikes": { gte: 2 } }, then: [{ ban: {} }] }),
    );
    await engine.append(engine.cast("Free airdrop"));
    expect([await evaluatePending(engine.context), (await engine.evaluations()).length]).toEqual([1, 1]);
    const channels = {
      ...engine.context.network.channels,
      get: () => fail(new Error("the roles were read")),
    };
    const reluctant = createRuleContext(
      { ...engine.context, network: { ...engine.context.network, channels } },
      engine.context,
    );
    expect([await evaluatePending(reluctant), await engine.evaluations()]).toEqual([1, []]);
  });

  it("says why it did not ask about who is exempt", async () => {
    await engine.save(rule());
    await engine.append(engine.cast("airdrop", { subjectFid: 2 }));
    await evaluatePending(engine.context);
    expect(await engine.decisions()).toEqual([]);
    expect(await engine.evaluations()).toMatchObject([{ note: "The author moderates the channel: exempt." }]);
    expect(await evaluatePending(engine.context)).toBe(0);
  });

  it("acts in each linked channel on a name, which belongs to none", async () => {
    await network.seed.channel("art", { owner: 1 });
    await engine.link("art");
    const when = { name: { matches: "^memes-support" } };
    await engine.save(rule({ id: "impostor", on: ["username_proof.merged"], when, then: [{ ban: {} }] }));
    const data = { name: "memes-support", owner: "0x0", change: "registered" as const };
    const name = {
      ...engine.cast(""),
      kind: "username_proof.merged",
      channelId: null,
      data,
    } as NewChannelEvent;
    await engine.append({ ...name, sourceKey: "name:1" });
    await evaluatePending(engine.context);
    const banned = await engine.cases();
    expect(banned.map((row) => row["channel_id"])).toEqual(expect.arrayContaining(["memes", "art"]));
    expect(banned).toHaveLength(2);
  });

  it.each([
    [3600, "acted", null],
    [3601, "held", "It happened more than an hour ago."],
  ])("on what happened %i seconds ago: %s", async (age, outcome, why) => {
    await engine.save(rule());
    await engine.append(engine.cast("airdrop", { occurredAt: engine.context.clock.now() / 1000 - age }));
    await evaluatePending(engine.context);
    expect(await engine.decisions()).toMatchObject([{ outcome, why }]);
    expect(await engine.cases()).toHaveLength(why ? 0 : 1);
  });

  it("does not act while rules are paused, and says why in decision and event", async () => {
    await engine.save(rule());
    await database.query.updateTable("castellan.links").set({ bot_role_lost_at_ms: 1 }).execute();
    await engine.append(engine.cast("airdrop"));
    await evaluatePending(engine.context);
    expect(await engine.decisions()).toMatchObject([
      { outcome: "paused", why: "The bot no longer moderates /memes." },
    ]);
    const [hit] = await engine.hits();
    expect(hit?.data).toMatchObject({
      actions: ["hide the cast: not done. The bot no longer moderates /memes."],
    });
    expect(await engine.cases()).toEqual([]);
  });

  it("skips what it cannot know, and keeps why", async () => {
    await engine.save(rule({ when: { "author.is_member": false } }));
    await engine.append(engine.cast("airdrop"));
    const { channelMembers } = engine.context.network;
    const silence = new AppError("network_unreachable", "The network does not answer.");
    const down = {
      ...engine.context.network,
      channelMembers: { ...channelMembers, list: () => fail(silence) },
    };
    await evaluatePending({ ...engine.context, network: down });
    expect(await engine.cases()).toEqual([]);
    const [decision] = await engine.decisions();
    expect(decision).toMatchObject({ outcome: "unknown" });
    expect(decision?.["tree"]).toContain("The network does not answer.");
  });

  it("asks the network about an author once in a flood", async () => {
    await engine.save(rule({ when: { "author.is_member": false } }));
    let calls = 0;
    const { list } = engine.context.network.channelMembers;
    const counted: typeof list = (...given) => {
      calls += 1;
      return list(...given);
    };
    const channelMembers = { ...engine.context.network.channelMembers, list: counted };
    await engine.append(...Array.from({ length: 20 }, () => engine.cast("spam")));
    await evaluatePending({ ...engine.context, network: { ...engine.context.network, channelMembers } });
    expect(await engine.cases()).toHaveLength(20);
    expect(calls).toBe(1);
  });
});

describe("a rule on trial", () => {
  it("writes what it would have done and proposes nothing, whatever the event", async () => {
    await engine.save(rule({ mode: "shadow", then: [{ hide: {} }, { ban: {} }] }));
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        await engine.append(engine.cast(`airdrop ${text}`));
        await evaluatePending(engine.context);
      }),
      { numRuns: 20 },
    );
    const outcomes = (await engine.decisions()).map((decision) => decision["outcome"]);
    expect(outcomes).toEqual(Array.from({ length: 40 }, () => "would_have"));
    expect(await engine.cases()).toEqual([]);
    expect(await engine.hits()).toHaveLength(20);
  });
});
