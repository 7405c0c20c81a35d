import { describe, expect, it } from "vitest";
import { evaluatePending } from "../support/jobs.ts";
import { actionsOf, decideItem, requireOpen, type ReviewDecision } from "../../src/reviews/decide-item.ts";
import { holdForReview } from "../../src/rules/verdicts/hold-for-review.ts";
import { remindOfReviews } from "../../src/reviews/remind-of-reviews.ts";
import { claimReview } from "../../src/reviews/claims.ts";
import { countOpenItems, requireItem } from "../../src/reviews/review-items.ts";
import { useRuleEngine, guild } from "../support/rule-engine.ts";
import { meetAtLock } from "../support/test-cases.ts";
import { author, castCreated, rule } from "../support/rules.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2] });
const { network } = engine;
const { database, clock } = network.context;

const items = () => database.query.selectFrom("castellan.review_items").selectAll().orderBy("id").execute();
const events = (kind: string) =>
  database.query.selectFrom("castellan.events").selectAll().where("kind", "=", kind).orderBy("id").execute();

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

function decide(itemId: number, decision: ReviewDecision) {
  return database.transaction((tx) =>
    decideItem(tx, engine.context, itemId, decision, { userId: "50", fid: 2 }),
  );
}

describe("a decision", () => {
  it.each<[ReviewDecision, string, object[]]>([
    ["approve", "approved", [{ kind: "hide", action_source: "rule", action_index: 0 }]],
    ["hide", "hidden", [{ kind: "hide", action_source: "person", action_index: 0 }]],
    [
      "ban",
      "banned",
      [{ kind: "ban", target_fid: author, action_source: "person", action_index: 0, due_at_ms: null }],
    ],
    ["dismiss", "dismissed", []],
  ])("to %s does what it says, in the name of who decided", async (decision, state, cases) => {
    const id = await hold();
    const decided = await decide(id, decision);
    const by = { actor_kind: "person", actor_user: "50", actor_fid: 2, rule_id: "scam", evidence: "airdrop" };
    expect(await engine.cases()).toMatchObject(cases.map((subject) => ({ ...subject, ...by, depth: 1 })));
    expect(decided.caseIds).toHaveLength(cases.length);
    const points = decided.events.map(({ data }) => ("points" in data ? data.points : 0));
    expect(points).toEqual(decision === "approve" ? [3] : []);
    expect(await items()).toMatchObject([{ state, decided_by: "50", decided_at_ms: clock.now() }]);
  });

  it("is made once, whoever clicks at the same time", async () => {
    const id = await hold();
    const clicks: ReviewDecision[] = ["approve", "hide", "dismiss", "approve"];
    const results = await Promise.allSettled(clicks.map((decision) => decide(id, decision)));
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused.map(({ reason }) => reason as unknown)).toMatchObject(
      Array.from({ length: 3 }, () => ({
        code: "already_answered",
        message: `Review R-${id} has already been decided. /review show says by whom.`,
      })),
    );
    expect((await engine.cases()).length).toBeLessThanOrEqual(1);
  });

  it("is asked about while it is open only", async () => {
    const id = await hold();
    const open = await requireItem(database.query, guild, id);
    expect(() => requireOpen(open)).not.toThrow();
    await decide(id, "dismiss");
    const decided = await requireItem(database.query, guild, id);
    expect(() => requireOpen(decided)).toThrow(`Review R-${id} has already been decided.`);
  });

  it("does nothing at all where one of its deeds fails", async () => {
    const id = await hold();
    const propose = () => Promise.reject(new Error("died here"));
    const dying = database.transaction((tx) =>
      decideItem(tx, { clock, propose }, id, "approve", { userId: "50", fid: 2 }),
    );
    await expect(dying).rejects.toThrow("died here");
    expect(await items()).toMatchObject([{ state: "open", decided_by: null }]);
    await decide(id, "approve");
    expect(await engine.cases()).toHaveLength(1);
  });

  it("cannot hide where there is no cast", async () => {
    const joins = { on: ["member.joined"], when: { "author.is_member": false }, then: [{ ban: {} }] };
    await engine.save(rule({ mode: "review", ...joins }));
    await see("", { kind: "member.joined", data: { at: 1 } });
    const [item] = await items();
    await expect(decide(item?.id ?? 0, "hide")).rejects.toMatchObject({
      code: "invalid_input",
      message: "There is nothing here to act on.",
    });
    expect((await items())[0]?.state).toBe("open");
  });

  it("cannot ban where nobody is known", async () => {
    await hold();
    const [item] = await items();
    if (!item) throw new Error("nothing was held");
    expect(() => actionsOf({ ...item, fid: null }, "ban")).toThrow("There is nothing here to act on.");
  });

  it("says what could not be done, and does the rest", async () => {
    const id = await hold({ then: [{ post: { room: "78", text: "x" } }, { hide: {} }] });
    expect(await decide(id, "approve")).toMatchObject({
      impossible: ["Room 78 has no feed of this server; /feed add adds one."],
      events: [],
    });
    expect(await engine.cases()).toMatchObject([{ kind: "hide" }]);
    const other = await hold({ id: "other" });
    expect(await decide(other + 1, "dismiss")).toEqual({ caseIds: [], events: [], impossible: [] });
  });

  it("is asked for once, however often the same is held", async () => {
    const occurrence = castCreated("airdrop");
    const holding = {
      occurrence,
      evidence: null,
      ruleId: "scam",
      version: 1,
      queue: "scam",
      why: null,
      actions: [],
    };
    const holdIt = () => database.transaction((tx) => holdForReview(tx, clock, holding));
    expect(await holdIt()).toHaveLength(1);
    expect(await holdIt()).toEqual([]);
    expect(await items()).toHaveLength(1);
  });
});

describe("a reminder", () => {
  const told = async () => (await events("review.waiting")).map(({ data }) => data);

  it("comes after an hour, once for a channel, and again each day while nobody decides", async () => {
    const first = await hold();
    await see();
    clock.advance(3599);
    expect(await remindOfReviews(engine.context)).toBe(0);
    clock.advance(1);
    const reminded = await Promise.all([remindOfReviews(engine.context), remindOfReviews(engine.context)]);
    expect(reminded.toSorted((one, other) => one - other)).toEqual([0, 2]);
    const queue = "scam";
    const items = [first, first + 1].map((id) => ({ id, queue }));
    const expected = { guildId: guild, items, oldestAt: Math.floor(clock.now() / 1000) - 3600 };
    expect(await told()).toEqual([expected]);
    clock.advance(86_399);
    expect(await remindOfReviews(engine.context)).toBe(0);
    await decide(first, "dismiss");
    clock.advance(1);
    expect(await remindOfReviews(engine.context)).toBe(1);
  });

  it.runIf(database.engine === "server")("is one, also where several workers remind at once", async () => {
    const first = await hold();
    await see();
    clock.advance(3600);
    const remind = () => remindOfReviews(engine.context);
    const held = `castellan.review_items where id = ${first}`;
    expect(await meetAtLock(database, held, [remind, remind])).toEqual([2, 0]);
    expect(await told()).toHaveLength(1);
  });

  it("is one for each channel, with what waits there by number, and wakes the feed", async () => {
    await engine.link("art");
    await network.seed.channel("art", { owner: 1 });
    const first = await hold();
    await see();
    await see("airdrop", { channelId: "art" });
    // What is written again comes last among a table's rows.
    await claimReview(database.query, first, "50", clock.now());
    clock.advance(3600);
    expect(await remindOfReviews(engine.context)).toBe(3);
    expect(await told()).toMatchObject([
      { items: [{ id: first }, { id: first + 1 }] },
      { items: [{ id: first + 2 }] },
    ]);
    expect(await remindOfReviews(engine.context)).toBe(0);
  });

  it("waits while nobody can decide, because the link is suspended or gone", async () => {
    await hold();
    clock.advance(3600);
    const links = database.query.updateTable("castellan.links");
    await links.set({ suspended_at_ms: clock.now(), suspended_reason: "lost" }).execute();
    expect(await remindOfReviews(engine.context)).toBe(0);
    await links.set({ suspended_at_ms: null, suspended_reason: null }).execute();
    expect(await remindOfReviews(engine.context)).toBe(1);
    clock.advance(86_400);
    expect(await countOpenItems(database.query, guild)).toBe(1);
    await database.query.deleteFrom("castellan.links").execute();
    expect(await remindOfReviews(engine.context)).toBe(0);
    expect(await countOpenItems(database.query, guild)).toBe(0);
    expect(await told()).toHaveLength(1);
  });

  it("names the channel in which the review can still be decided", async () => {
    await engine.link("art");
    await network.seed.channel("art", { owner: 1 });
    const first = await hold();
    await see("airdrop", { channelId: "art" });
    await database.query
      .updateTable("castellan.review_items")
      .set({ head_id: first })
      .where("channel_id", "=", "art")
      .execute();
    await database.query.deleteFrom("castellan.links").where("channel_id", "=", "memes").execute();
    clock.advance(3600);
    expect(await remindOfReviews(engine.context)).toBe(1);
    expect(await events("review.waiting")).toMatchObject([{ channel_id: "art" }]);
    expect(await told()).toMatchObject([{ items: [{ id: first }] }]);
  });

  it("leaves who claimed it an hour", async () => {
    const id = await hold();
    clock.advance(3000);
    expect(await claimReview(database.query, id, "50", clock.now())).toBe(true);
    expect(await claimReview(database.query, id, "51", clock.now())).toBe(false);
    clock.advance(3599);
    expect(await remindOfReviews(engine.context)).toBe(0);
    clock.advance(1);
    expect(await remindOfReviews(engine.context)).toBe(1);
  });
});
