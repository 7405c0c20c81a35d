import { describe, expect, it } from "vitest";
import { AppError } from "../../src/errors.ts";
import { createRuleContext, type RuleContext } from "../../src/rules/context.ts";
import { evaluatePending } from "../support/jobs.ts";
import { maxPostponements } from "../../src/rules/limits/apply-limits.ts";
import { queueFeedRows } from "../../src/feed/feed-rows.ts";
import { newEvent } from "../../src/observe/events.ts";
import { useRuleEngine, guild } from "../support/rule-engine.ts";
import { author, rule } from "../support/rules.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2] });
const { network } = engine;
const { database, clock } = network.context;

const items = () => database.query.selectFrom("castellan.review_items").selectAll().orderBy("id").execute();
const events = (kind: string) =>
  database.query.selectFrom("castellan.events").selectAll().where("kind", "=", kind).orderBy("id").execute();
const outcomes = async () => (await engine.decisions()).map((row) => row["outcome"]);

async function see(text = "airdrop", change = {}): Promise<void> {
  await engine.append(engine.cast(text, change));
  await evaluatePending(engine.context);
}

/** Holds one cast that a rule would hide and strike; gives the item's number. */
async function hold(change = {}): Promise<number> {
  await engine.save(rule({ mode: "review", then: [{ hide: {} }, { strike: { points: 3 } }], ...change }));
  await see();
  return (await items())[0]?.id ?? 0;
}

describe("what is held for a person", () => {
  it("is a rule's whole wish, in mode review", async () => {
    await hold({ then: [{ hide: {} }, { strike: {} }, { review: { queue: "scam-links" } }] });
    expect(await items()).toMatchObject([
      {
        guild_id: guild,
        channel_id: "memes",
        queue: "scam-links",
        rule_id: "scam",
        rule_version: 1,
        depth: 1,
        fid: author,
        evidence: "airdrop",
        why: null,
        state: "open",
      },
    ]);
    const [item] = await items();
    expect(JSON.parse(item?.actions ?? "")).toEqual([
      { actionIndex: 0, sentence: "hide the cast", action: { kind: "hide", castHash: item?.cast_hash } },
      {
        actionIndex: 1,
        sentence: "give 1 strike point",
        action: { kind: "strike", fid: author, points: 1, ttlSeconds: null },
      },
    ]);
    expect(await outcomes()).toEqual(["held", "held", "held"]);
    expect([await engine.cases(), await engine.hits()]).toEqual([[], []]);
    expect((await events("review.held")).map(({ data }) => data)).toEqual([
      { guildId: guild, itemId: item?.id, ruleId: "scam", queue: "scam-links" },
    ]);
  });

  it("is only the look, where an acting rule asks for one", async () => {
    await hold({ mode: "enforce", then: [{ hide: {} }, { review: {} }] });
    expect(await outcomes()).toEqual(["acted", "held"]);
    expect(await items()).toMatchObject([{ queue: "scam", actions: "[]" }]);
  });

  it("is not what a rule in shadow would hold", async () => {
    await hold({ mode: "shadow", then: [{ review: {} }] });
    expect([await outcomes(), await items()]).toEqual([["would_have"], []]);
  });

  it("is what happened more than an hour ago, with why", async () => {
    await engine.save(rule());
    await see("airdrop", { occurredAt: clock.now() / 1000 - 3601 });
    expect(await items()).toMatchObject([{ why: "It happened more than an hour ago.", state: "open" }]);
  });

  it("keeps stopped what comes after it", async () => {
    await engine.save(rule({ mode: "review", stop: true, priority: 1 }), rule({ id: "next" }));
    await see();
    expect((await engine.decisions()).map((row) => row["rule_id"])).toEqual(["scam"]);
  });
});

describe("what cannot be known", () => {
  const asked = (onUnknown: string, change = {}) =>
    rule({ when: { "author.is_member": false }, on_unknown: onUnknown, ...change });
  const silence = new AppError("network_unreachable", "The network does not answer.");
  const fail = () => Promise.reject(silence);

  function withoutMembers(): RuleContext {
    const members = { ...engine.context.network.channelMembers, list: fail };
    return createRuleContext(
      { ...engine.context, network: { ...engine.context.network, channelMembers: members } },
      engine.context,
    );
  }

  it("goes to a person with on_unknown review, with what was not known", async () => {
    await engine.save(asked("review"));
    await engine.append(engine.cast("gm"));
    await evaluatePending(withoutMembers());
    expect(await items()).toMatchObject([
      {
        why: "It is not known whether the rule applies. author.is_member: The network does not answer.",
      },
    ]);
  });

  it("is told fact by fact, each once, without what is known", async () => {
    const member = { "author.is_member": false };
    const follows = { "author.follows_channel": true };
    const when = { all: [{ text: { contains: "gm" } }, member, { any: [follows, member] }] };
    await engine.save(asked("review", { when }));
    await engine.append(engine.cast("gm"));
    const channelFollows = { ...engine.context.network.channelFollows, status: fail };
    const dark = withoutMembers();
    await evaluatePending({ ...dark, network: { ...dark.network, channelFollows } });
    const silent = (name: string) => `${name}: The network does not answer.`;
    expect((await items())[0]?.why).toBe(
      `It is not known whether the rule applies. ${silent("author.is_member")} ${silent("author.follows_channel")}`,
    );
  });

  it.each([
    ["skip", "enforce"],
    ["review", "shadow"],
    ["defer", "shadow"],
  ])("ends there with on_unknown %s in mode %s", async (onUnknown, mode) => {
    await engine.save(asked(onUnknown, { mode }));
    await engine.append(engine.cast("gm"));
    await evaluatePending(withoutMembers());
    expect([await outcomes(), await items(), await engine.evaluations()]).toEqual([["unknown"], [], []]);
  });

  it("is no reason to forget an event: where nobody knows who is exempt, all rules wait", async () => {
    await engine.save(rule());
    await engine.append(engine.cast("airdrop"));
    const channels = { ...engine.context.network.channels, get: fail };
    const dark = () =>
      createRuleContext(
        { ...engine.context, network: { ...engine.context.network, channels } },
        engine.context,
      );
    expect([await evaluatePending(dark()), await evaluatePending(engine.context)]).toEqual([1, 0]);
    clock.advance(4);
    expect(await evaluatePending(engine.context)).toBe(0);
    clock.advance(1);
    expect(await evaluatePending(engine.context)).toBe(1);
    expect(await outcomes()).toEqual(["acted"]);
    await engine.append(engine.cast("airdrop"));
    for (let time = 0; time <= maxPostponements; time += 1) {
      expect(await evaluatePending(dark())).toBe(1);
      clock.advance(60);
    }
    expect(await evaluatePending(dark())).toBe(0);
    expect([await outcomes(), await engine.evaluations()]).toEqual([["acted", "unknown"], []]);
  });

  it("is asked again soon with defer, of that rule alone, and then acted on", async () => {
    // Asked again, it would cool down instead.
    const limits = { cooldown: { per: "author", for: "10m" } };
    await engine.save(asked("defer"), rule({ id: "sure", when: { text: { contains: "gm" } }, limits }));
    await engine.append(engine.cast("gm"));
    await evaluatePending(withoutMembers());
    expect(await outcomes()).toEqual(["postponed", "acted"]);
    expect(await evaluatePending(engine.context)).toBe(0);
    clock.advance(60);
    expect(await evaluatePending(engine.context)).toBe(1);
    expect(await outcomes()).toEqual(["acted", "acted"]);
    expect((await engine.cases()).map((row) => row["rule_id"])).toEqual(["sure", "scam"]);
    expect(await engine.evaluations()).toEqual([]);
  });

  it.each(["review", "defer"])("is not held with on_unknown %s while rules are paused", async (onUnknown) => {
    await engine.save(asked(onUnknown));
    await engine.append(engine.cast("gm"));
    await database.query.updateTable("castellan.links").set({ bot_role_lost_at_ms: 1 }).execute();
    await evaluatePending(withoutMembers());
    expect([await outcomes(), await items()]).toEqual([["paused"], []]);
  });

  it("is held once in a cooldown, and not put off when it is more than an hour old", async () => {
    await engine.save(asked("defer", { limits: { cooldown: { per: "author", for: "10m" } } }));
    const old = { occurredAt: clock.now() / 1000 - 3601 };
    await engine.append(engine.cast("gm", old), engine.cast("gn", old));
    await evaluatePending(withoutMembers());
    expect([await outcomes(), (await items()).length]).toEqual([["held", "cooling"], 1]);
  });

  it("is put off while it is no more than an hour old", async () => {
    await engine.save(asked("defer"));
    await engine.append(engine.cast("gm", { occurredAt: clock.now() / 1000 - 3600 }));
    await evaluatePending(withoutMembers());
    expect(await outcomes()).toEqual(["postponed"]);
  });

  it("goes to a person once it was asked often enough", async () => {
    await engine.save(asked("defer"));
    await engine.append(engine.cast("gm"));
    for (let time = 0; time <= maxPostponements; time += 1) {
      expect(await items()).toEqual([]);
      expect(await evaluatePending(withoutMembers())).toBe(1);
      clock.advance(60);
    }
    expect([await items(), await outcomes(), await engine.evaluations()]).toMatchObject([
      [{ state: "open" }],
      ["held"],
      [],
    ]);
  });
});

describe("a name, which is of no channel", () => {
  const impostor = rule({
    id: "impostor",
    on: ["username_proof.merged"],
    when: { name: { contains: "claim" } },
    then: [{ review: { queue: "names" } }],
  });

  async function register(): Promise<void> {
    const now = clock.now();
    await engine.append({
      sourceKey: "proof:1",
      kind: "username_proof.merged",
      channelId: null,
      subjectFid: author,
      occurredAt: Math.floor(now / 1000),
      observedAt: now,
      depth: 0,
      caseId: null,
      data: { name: "golden-claim", owner: "0x", change: "registered" },
    });
    while ((await evaluatePending(engine.context)) > 0);
  }

  it("is one review in all channels of the server, told once", async () => {
    await network.seed.channel("art", { owner: 1 });
    await engine.link("art");
    await engine.save(impostor);
    await register();
    const held = await items();
    expect(held.map(({ head_id }) => head_id)).toEqual([null, held[0]?.id]);
    expect(held.map(({ channel_id }) => channel_id).toSorted()).toEqual(["art", "memes"]);
    expect(await events("review.held")).toMatchObject([
      { channel_id: null, data: { itemId: held[0]?.id, queue: "names" } },
    ]);
    expect(await events("review.widened")).toMatchObject([{ data: { itemId: held[0]?.id } }]);
  });

  it("has a message that shows the further channel as soon as it can be edited", async () => {
    await engine.save(impostor);
    await register();
    const [head] = await items();
    const [told] = await events("review.held");
    const query = database.query;
    await query.insertInto("castellan.room_queues").values({ room_id: "r", guild_id: guild }).execute();
    const message = await query
      .insertInto("castellan.feed_messages")
      .values({ room_id: "r", embeds_json: "[]", state: "sent", discord_id: "5", bound_at_ms: 1 })
      .returning("id")
      .executeTakeFirstOrThrow();
    await query
      .insertInto("castellan.feed_rows")
      .values({ room_id: "r", event_id: told?.id ?? 0, message_id: message.id })
      .execute();
    await database.transaction((tx) =>
      queueFeedRows(engine.context)(tx, [
        {
          ...newEvent(clock.now(), {
            sourceKey: "widened 2",
            kind: "review.widened",
            channelId: "memes",
            data: { guildId: guild, itemId: head?.id ?? 0 },
          }),
          id: 99,
        },
      ]),
    );
    expect(await query.selectFrom("castellan.outbox").selectAll().execute()).toMatchObject([
      {
        kind: "edit",
        key: String(message.id),
        data: { eventIds: [told?.id] },
        state: "waiting",
        erasure_id: null,
      },
    ]);
  });
});
