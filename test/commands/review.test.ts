import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createRooms } from "../../src/discord/rooms.ts";
import { deliverAll } from "../../src/feed/deliver/deliver-all.ts";
import { queueFeedRows } from "../../src/feed/queue-rows.ts";
import { applyCase } from "../../src/moderation/apply-case.ts";
import { claimEvents, recordClaims } from "../../src/moderation/claim-events.ts";
import { createProposeRuleAction } from "../../src/moderation/propose-case.ts";
import { createAppendEvents } from "../../src/observe/append-events.ts";
import { createRuleContext, type RuleContext } from "../../src/rules/context.ts";
import { evaluatePending } from "../../src/rules/pending/evaluate-pending.ts";
import { queueEvaluations } from "../../src/rules/pending/queue-evaluations.ts";
import { saveRules } from "../../src/rules/versions/rules-of-server.ts";
import { people } from "../support/bot.ts";
import { resetBot, startBotInDiscord, type BotInDiscord } from "../support/bot-in-discord.ts";
import { see, type Seen } from "../support/chat.ts";
import { testToken } from "../support/discord.ts";
import { rule, ruleFile } from "../support/rules.ts";

let scene: BotInDiscord;
let context: RuleContext;
let hash: string;
let messages = 0;

beforeAll(async () => {
  scene = await startBotInDiscord();
  const appendEvents = createAppendEvents({
    claim: claimEvents,
    fanOut: [recordClaims, queueEvaluations, queueFeedRows],
  });
  context = createRuleContext(scene.bot, {
    appendEvents,
    propose: createProposeRuleAction(scene.bot.clock),
  });
  await scene.restart({ appendEvents });
});
afterAll(() => scene.stop());

beforeEach(async () => {
  await resetBot(scene);
  context = createRuleContext(scene.bot, context);
  // Discord remembers a message's nonce, so no two tests may send the same.
  messages += 100;
  await sql`alter table castellan.feed_messages alter column id restart with ${sql.lit(messages)}`.execute(
    scene.bot.database.query,
  );
  hash = await scene.bot.net.seed.cast({ fid: people.troll, channelId: "memes", text: "Free airdrop" });
  await scene.run("owner", "feed add", { kinds: "reviews, health" }, "feed");
  await scene.run("owner", "feed add", { kinds: "reviews", room: "mod-log" });
});

function deliver(): Promise<void> {
  const settings = { token: testToken, api: scene.discord.api, onRefused: () => {} };
  return deliverAll(scene.bot, createRooms(settings));
}

/** A rule in review sees the troll's cast; gives what stands in both rooms. */
async function hold(change: Record<string, unknown> = {}): Promise<{ feed: Seen; log: Seen }> {
  const { database, clock } = scene.bot;
  const source = ruleFile([
    rule({ mode: "review", then: [{ hide: {} }, { strike: { points: 2 } }], ...change }),
  ]);
  const rules = { guildId: scene.discord.guildId, source, change: "import", savedBy: "1" };
  await database.transaction((tx) => saveRules(tx, { ...rules, savedAt: 0, baseVersion: 0 }));
  const data = {
    castHash: hash,
    text: "Free airdrop",
    rootHash: hash,
    threadDepth: 0,
    mentions: [],
    embeds: [],
  };
  const now = clock.now();
  await database.transaction((tx) =>
    context.appendEvents(tx, [
      {
        sourceKey: `cast:${hash}`,
        kind: "cast.created",
        channelId: "memes",
        subjectFid: people.troll,
        occurredAt: Math.floor(now / 1000),
        observedAt: now,
        depth: 0,
        caseId: null,
        data,
      },
    ]),
  );
  await evaluatePending(context);
  await deliver();
  return { feed: shownIn("feed"), log: shownIn("mod-log") };
}

function shownIn(room: "feed" | "mod-log"): Seen {
  const messages = scene.discord.context.world.messages.get(scene.discord.rooms[room]) ?? [];
  const last = messages.findLast(({ visibleTo }) => visibleTo === null);
  if (!last) throw new Error(`nothing was posted in ${room}`);
  return see(last);
}

const hidden = async () => {
  const { result } = await scene.bot.network.moderatedCasts.list({ channelId: "memes" });
  return result.moderationActions.map(({ castHash, action }) => [castHash, action]);
};

describe("what a rule holds", () => {
  test("stands in the rooms with whom it concerns, why, what would be done, and buttons", async () => {
    const { feed, log } = await hold();
    expect(feed.text).toContain("· held <t:");
    expect(feed.text).toContain("Rule `scam`, version 1");
    expect(feed.text).toContain("Approve would: `hide the cast`, `give 2 strike points`");
    expect(feed.text).toContain("0 earlier cases · 0 strike points");
    expect(feed.text).toContain("Free airdrop");
    expect(Object.keys(feed.buttons)).toEqual(["Approve", "Hide", "Ban", "Dismiss", "Claim"]);
    expect(log.buttons).toEqual(feed.buttons);
  });

  test("is done on Approve, in the clicker's name, and every room shows it", async () => {
    const { feed } = await hold();
    const after = await scene.click("moderator", feed, "Approve");
    expect(after.text).toContain(`Approved by <@${scene.users.moderator}>.`);
    expect(after.text).toContain("Case #1: Hidden.");
    expect(after.buttons).toEqual({});
    expect(await hidden()).toEqual([[hash, "hide"]]);
    await expect.poll(() => shownIn("mod-log")).toMatchObject({ text: after.text, buttons: {} });
    const [subject] = await scene.bot.database.query.selectFrom("castellan.cases").selectAll().execute();
    expect(subject).toMatchObject({ actor_user: scene.users.moderator, rule_id: "scam", state: "applied" });
  });

  test("is banned for good on Ban", async () => {
    const { feed } = await hold();
    expect((await scene.click("owner", feed, "Ban")).text).toContain("Banned by");
    const { result } = await scene.bot.network.channelBans.list({ channelId: "memes" });
    expect(result.bannedUsers.map(({ fid }) => fid)).toEqual([people.troll]);
  });

  test("is left alone on Dismiss, once", async () => {
    const { feed, log } = await hold();
    expect((await scene.click("owner", feed, "Dismiss")).text).toContain("Dismissed: nothing was done,");
    const told = scene.nextMessage("was decided already");
    scene.clickOnly("moderator", log, "Hide");
    await told;
    expect(await hidden()).toEqual([]);
    await expect.poll(() => shownIn("mod-log").text).toContain("Dismissed");
  });

  test("is not for strangers, and stays as it is for others when they try", async () => {
    const { feed } = await hold();
    const told = scene.nextMessage("You may not hide its casts");
    scene.clickOnly("stranger", feed, "Approve");
    const seen = see(await told);
    expect(seen.message.id).not.toBe(feed.message.id);
    expect(shownIn("feed").buttons).toEqual(feed.buttons);
    expect(await hidden()).toEqual([]);
  });

  test("shows who looks at it once it is claimed; the others may still decide", async () => {
    const { feed } = await hold();
    const claimed = await scene.click("moderator", feed, "Claim");
    expect(claimed.text).toContain(`<@${scene.users.moderator}> is looking at it.`);
    expect(Object.keys(claimed.buttons)).toEqual(["Approve", "Hide", "Ban", "Dismiss"]);
    await expect.poll(() => shownIn("mod-log").buttons).toEqual(claimed.buttons);
    expect((await scene.click("owner", claimed, "Hide")).text).toContain("Hidden by");
  });

  test("stands alone in its message, between what happened before and after it", async () => {
    await scene.run("owner", "automod pause");
    await scene.run("owner", "automod resume");
    const { feed } = await hold();
    scene.bot.clock.advance(1);
    await scene.run("owner", "automod pause");
    await deliver();
    const messages = scene.discord.context.world.messages.get(scene.discord.rooms.feed) ?? [];
    const own = messages.slice(messages.findIndex(({ id }) => id === feed.message.id) - 1);
    expect(own.map(({ embeds, components }) => [embeds.length, components.length])).toEqual([
      [2, 0],
      [1, 1],
      [1, 0],
    ]);
  });

  test("works after a restart", async () => {
    const { feed } = await hold();
    await scene.restart({ appendEvents: context.appendEvents });
    expect((await scene.click("owner", feed, "Hide")).text).toContain("Case #1: Hidden.");
  });

  test("offers no Approve where the rule only asks for a look", async () => {
    const { feed } = await hold({ then: [{ review: { queue: "names" } }] });
    expect(Object.keys(feed.buttons)).toEqual(["Hide", "Ban", "Dismiss", "Claim"]);
  });
});

describe("/review", () => {
  test("lists what waits, by queue, and opens it with its buttons", async () => {
    await hold({ then: [{ hide: {} }, { review: { queue: "scams" } }] });
    const list = await scene.run("owner", "review list");
    expect(list.text).toContain("`scams` · rule `scam` · fid 7");
    expect((await scene.run("owner", "status")).text).toContain("1 held for a decision");
    expect((await scene.run("owner", "review list", { queue: "other" })).text).toContain("Nothing waits");
    const [item] = await scene.bot.database.query.selectFrom("castellan.review_items").select("id").execute();
    const shown = await scene.run("owner", "review show", { number: item?.id ?? 0 });
    expect((await scene.click("owner", shown, "Approve")).text).toContain("Case #1: Hidden.");
    await expect.poll(() => shownIn("feed").text).toContain("Approved by");
    expect((await scene.run("owner", "review list")).text).toContain("Nothing waits");
  });

  test("shows nothing to who may not look, nor of other servers", async () => {
    await hold();
    expect((await scene.run("stranger", "review list")).text).toContain("You may not look at its lists");
    await scene.bot.database.query.updateTable("castellan.review_items").set({ guild_id: "901" }).execute();
    const [item] = await scene.bot.database.query.selectFrom("castellan.review_items").select("id").execute();
    const shown = await scene.run("owner", "review show", { number: item?.id ?? 0 });
    expect(shown.text).toContain("in this server");
  });
});

test("strike points and notes are known when somebody acts on the author", async () => {
  await hold({
    mode: "enforce",
    then: [{ strike: { points: 4, ttl: "1d" } }, { note: { text: "Sells airdrops" } }],
  });
  const known = await scene.run("owner", "ban add", { user: String(people.troll) });
  expect(known.text).toContain("4 strike points.");
  expect(known.text).toContain("Note of rule `scam`: Sells airdrops");
  scene.bot.clock.advance(86_400);
  const later = await scene.run("owner", "ban add", { user: String(people.troll) });
  expect(later.text).not.toContain("strike points");
});

describe("/automod", () => {
  test("stops the rules and lets them act again, and tells the rooms who did", async () => {
    const paused = await scene.run("owner", "automod pause", { duration: "2h", reason: "a bad rule" });
    expect(paused.text).toContain("Rules do nothing in /memes until <t:");
    await deliver();
    expect(shownIn("feed").text).toContain("Rules paused in memes");
    expect(shownIn("feed").text).toContain(`By <@${scene.users.owner}>`);
    expect(shownIn("feed").text).toContain("Reason: a bad rule");
    const status = await scene.run("owner", "status");
    expect(status.text).toContain(`/memes: **paused** by <@${scene.users.owner}>`);
    expect((await scene.run("owner", "automod resume")).text).toContain("act in /memes again");
    expect((await scene.run("owner", "automod resume")).text).toContain("were not paused");
  });

  test("drops what a rule asked for and nobody sent yet, but not a person's wish", async () => {
    const { database } = scene.bot;
    await hold({ mode: "enforce", then: [{ hide: {} }] });
    await scene.run("owner", "automod pause");
    const [asked] = await database.query.selectFrom("castellan.cases").select("id").execute();
    expect(await applyCase(scene.bot, asked?.id ?? 0)).toMatchObject({
      state: "failed",
      answer: "Not done: rules were paused before it went out.",
    });
    expect(await hidden()).toEqual([]);
    const preview = await scene.run("owner", "hide", { cast: hash });
    expect((await scene.click("owner", preview, "Hide")).text).toContain("done");
    expect(await hidden()).toEqual([[hash, "hide"]]);
  });

  test("is for who may change rules", async () => {
    expect((await scene.run("stranger", "automod pause")).text).toContain("You may not change its rules");
  });
});
