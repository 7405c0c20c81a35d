import { expect, test } from "vitest";
import { decideAndApply, undoDecision } from "../../commands/review/decide-review.ts";
import { giveCapabilities } from "../../src/moderation/capabilities.ts";
import { requireItem } from "../../src/reviews/review-items.ts";
import { idOfSource } from "../../src/text/review-sources.ts";
import { applyOpenCases } from "../support/jobs.ts";
import { castRow } from "../support/rules.ts";
import { people, seedChannel, commandContext } from "../support/world.ts";
import { useReviewsInDiscord } from "../support/scenes.ts";

const scene = await useReviewsInDiscord();

const items = () =>
  scene.bot.database.query.selectFrom("castellan.review_items").selectAll().orderBy("id").execute();

/** Holds one review, and as many more of the same person as changes are given. */
async function hold(...changes: Partial<Awaited<ReturnType<typeof items>>[number]>[]): Promise<string[]> {
  await scene.hold();
  const [item] = await items();
  if (!item) throw new Error("nothing is held");
  const { id: _, tag: _tag, ...copy } = item;
  for (const [index, change] of changes.entries()) {
    await scene.bot.database.query
      .insertInto("castellan.review_items")
      .values({ ...copy, event_id: 7001 + index, ...change })
      .execute();
  }
  return (await items()).map(({ id }) => `R-${id}`);
}

async function decide(review: string, duration: string): Promise<void> {
  const plan = await scene.run("owner", "review decide", { decision: "ban", reviews: review, duration });
  await scene.click("owner", plan, "Ban");
}

async function findBanEnd(): Promise<number | null | undefined> {
  const cases = await scene.bot.database.query
    .selectFrom("castellan.cases")
    .select(["due_at_ms"])
    .where("kind", "in", ["ban", "change_expiry"])
    .where("state", "=", "applied")
    .orderBy("id", "desc")
    .execute();
  return cases[0]?.due_at_ms;
}

test("a person's ban counts from their decision, however long a ban by the same rule was", async () => {
  const [first = "", second = ""] = await hold({});
  await decide(first, "7d");
  scene.bot.clock.advance(3 * 86_400);
  await decide(second, "7d");
  expect(((await findBanEnd()) ?? 0) - scene.bot.clock.now()).toBeGreaterThan(6.9 * 86_400_000);
});

test("an appeal among the reviews of a person is left out of a ban, and the others are decided", async () => {
  const [held = "", appeal = ""] = await hold({ rule_id: idOfSource.appeal, rule_version: 0 });
  const asked = { decision: "ban", user: String(people.troll), duration: "30d" };
  const plan = await scene.run("owner", "review decide", asked);
  expect(plan.text).toContain("Ban the authors of 1 review?");
  expect(plan.text).toContain(`${appeal} is left out: An appeal is granted (approve) or not (dismiss).`);
  await scene.click("owner", plan, "Ban");
  expect((await items()).map(({ id, state }) => [`R-${id}`, state])).toEqual([
    [held, "banned"],
    [appeal, "open"],
  ]);
});

test("a process that ends right after a decision, or its undo, leaves no post that says otherwise", async () => {
  const [held = ""] = await hold();
  const { guildId } = scene.discord;
  const actor = { userId: scene.users.owner, guildId, roomId: "1", roleIds: [], managesServer: true };
  const context = commandContext(scene.bot, actor);
  const item = () => requireItem(scene.bot.database.query, guildId, Number(held.slice(2)));
  await decideAndApply(context, await item(), { decision: "hide" });
  await scene.deliver();
  expect(scene.shownIn("feed").text).toContain("Hidden by");
  await undoDecision(context, await item());
  await scene.deliver();
  expect(scene.shownIn("feed").text).toContain("An earlier decision was undone by");
});

test("a ban that hides the person's casts takes the right to hide, and its undo shows them again", async () => {
  await scene.hold({ then: [{ ban: { for: "7d", hide_casts: true } }] });
  const { query } = scene.bot.database;
  const row = castRow(scene.castHash(), { fid: people.troll });
  await query.insertInto("castellan.casts").values(row).execute();
  const { guildId } = scene.discord;
  const ban = { guildId, channelId: "memes", roleId: "77", capabilities: ["view", "ban", "undo"] as const };
  await scene.bot.database.transaction((tx) => giveCapabilities(tx, ban));
  const actor = { userId: "7", guildId, roomId: "1", roleIds: ["77"], managesServer: false };
  const banner = commandContext(scene.bot, actor);
  const owner = commandContext(scene.bot, { ...actor, userId: scene.users.owner, managesServer: true });
  const item = async () => {
    const [first] = await items();
    if (!first) throw new Error("nothing is held");
    return first;
  };
  await expect(decideAndApply(banner, await item(), { decision: "approve" })).rejects.toThrow("hide casts");
  await decideAndApply(owner, await item(), { decision: "approve" });
  await applyOpenCases(scene.bot);
  expect(await scene.banned()).toEqual([people.troll]);
  expect(await scene.hidden()).toEqual([[scene.castHash(), "hide"]]);
  await expect(undoDecision(banner, await item())).rejects.toThrow("hide casts");
  await undoDecision(owner, await item());
  expect(await scene.banned()).toEqual([]);
  expect((await scene.hidden())[0]).toEqual([scene.castHash(), "unhide"]);
});

test("what was left to the owner is nobody else's to claim", async () => {
  await scene.hold();
  scene.clickOnly("moderator", scene.shownIn("feed"), "Leave to the owner");
  await expect.poll(() => scene.shownIn("feed").text).toContain("Left to the channel's owner");
  const refused = scene.nextMessage("The channel's owner or anyone with Manage Server");
  scene.clickOnly("moderator", scene.shownIn("feed"), "Claim");
  expect((await refused).visibleTo).toBe(scene.users.moderator);
  scene.clickOnly("owner", scene.shownIn("feed"), "Claim");
  await expect.poll(() => scene.shownIn("feed").text).toContain("is reviewing it");
});

test("a ban for good in one of a review's channels does not keep them from being banned in the other", async () => {
  await seedChannel(scene.bot, "art", scene.discord.guildId);
  scene.bot.clock.advance(10);
  await hold();
  const [first] = await items();
  if (!first) throw new Error("nothing is held");
  const { id: head_id, tag: _tag, ...copy } = first;
  await scene.bot.database.query
    .insertInto("castellan.review_items")
    .values({ ...copy, head_id, channel_id: "art" })
    .execute();
  const wish = { user: String(people.troll), channel: "memes", duration: "permanent", reason: "threats" };
  const ban = await scene.run("owner", "ban", wish);
  await scene.click("owner", ban, "Ban");
  const plan = await scene.run("owner", "review decide", { decision: "ban", reviews: `R-${head_id}` });
  expect(plan.text).toContain("Ban from /art?");
  await scene.click("owner", plan, "7 days");
  const { result } = await scene.bot.network.channelBans.list({ channelId: "art" });
  expect(result.bannedUsers.map(({ fid }) => fid)).toEqual([people.troll]);
});
