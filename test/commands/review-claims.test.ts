import { describe, expect, test } from "vitest";
import { see, type Seen } from "../support/bot-in-discord.ts";
import { people } from "../support/world.ts";
import { useReviewsInDiscord } from "../support/scenes.ts";

const scene = await useReviewsInDiscord();

/** Clicks on what stands in the room; gives it as soon as it says this. */
async function press(user: "owner" | "moderator", label: string, says: string): Promise<Seen> {
  scene.clickOnly(user, scene.shownIn("feed"), label);
  await expect.poll(() => scene.shownIn("feed").text).toContain(says);
  return scene.shownIn("feed");
}

/** The same, refused to the clicker alone. */
async function refused(user: "owner" | "moderator", label: string, says: string): Promise<void> {
  const told = scene.nextMessage(says);
  scene.clickOnly(user, scene.shownIn("feed"), label);
  expect((await told).visibleTo).toBe(scene.users[user]);
}

async function firstReview(): Promise<string> {
  const { id } = await scene.bot.database.query
    .selectFrom("castellan.review_items")
    .select("id")
    .executeTakeFirstOrThrow();
  return `R-${id}`;
}

describe("what a rule holds", () => {
  test("is for nobody else once it is claimed, until it is released", async () => {
    await scene.hold();
    const claimed = await press("moderator", "Claim", "is reviewing it.");
    expect(claimed.text).toContain(`<@${scene.users.moderator}> is reviewing it.`);
    const offered = ["Approve", "Hide", "Ban", "Dismiss", "Release", "Leave to the owner"];
    expect(Object.keys(claimed.buttons)).toEqual(offered);
    await scene.deliver();
    expect(scene.shownIn("mod-log").buttons).toEqual(claimed.buttons);
    await refused("owner", "Hide", "has claimed R-");
    await refused("owner", "Leave to the owner", "has claimed R-");
    expect(await scene.hidden()).toEqual([]);
    await press("moderator", "Release", "Open.");
    await press("owner", "Hide", "Hidden by");
  });

  test("is free again an hour after it was claimed", async () => {
    await scene.hold();
    await press("moderator", "Claim", "is reviewing it");
    scene.bot.clock.advance(3600);
    const { text } = await press("owner", "Dismiss", "Dismissed: nothing was done,");
    expect(text).toContain(`by <@${scene.users.owner}>.`);
  });

  test("is released by who may undo what others did", async () => {
    await scene.hold();
    await press("moderator", "Claim", "is reviewing it");
    const { buttons } = await press("owner", "Release", "Open.");
    expect(Object.keys(buttons)).toContain("Claim");
  });

  test("is decided by the owner alone once somebody left it to them, and the rooms hear of it", async () => {
    await scene.hold();
    const left = await press("moderator", "Leave to the owner", "Left to the channel's owner");
    expect(Object.keys(left.buttons)).toEqual(["Approve", "Hide", "Ban", "Dismiss", "Claim"]);
    await refused("moderator", "Dismiss", "The channel's owner or anyone with Manage Server");
    await press("owner", "Dismiss", "Dismissed: nothing was done,");
    await scene.deliver();
    expect(scene.shownIn("feed").text).toContain("is left to the owner: memes");
  });

  test("is banned for a time by one of the buttons", async () => {
    const { feed } = await scene.hold();
    const asked = scene.nextMessage("Ban from /memes?");
    scene.clickOnly("owner", feed, "Ban");
    scene.clickOnly("owner", see(await asked), "7 days");
    await expect.poll(() => scene.banned()).toEqual([people.troll]);
    const [ban] = await scene.bot.database.query.selectFrom("castellan.cases").selectAll().execute();
    expect(ban).toMatchObject({ kind: "ban", due_at_ms: (ban?.requested_at_ms ?? 0) + 7 * 86_400_000 });
  });

  test("is open again after Undo, which reverses its actions once", async () => {
    await scene.hold();
    const { query } = scene.bot.database;
    const strikes = async () =>
      (await query.selectFrom("castellan.strikes").selectAll().orderBy("id").execute()).map(
        ({ removed_by, removed_at_ms }) => removed_by !== null && removed_at_ms !== null,
      );
    await press("moderator", "Approve", "Approved by");
    expect(await scene.hidden()).toEqual([[scene.castHash(), "hide"]]);
    expect(await strikes()).toEqual([false]);
    const undone = await press("moderator", "Undo", "An earlier decision was undone by");
    expect(undone.text).toContain("Case C-2: ");
    expect(Object.keys(undone.buttons)).toContain("Approve");
    expect((await scene.hidden())[0]).toEqual([scene.castHash(), "unhide"]);
    expect(await strikes()).toEqual([true]);
    const again = await press("owner", "Approve", "Approved by");
    expect(again.text).toContain("Case C-3: ");
    expect((await scene.hidden())[0]).toEqual([scene.castHash(), "hide"]);
    expect(await strikes()).toEqual([true, false]);
  });

  test("leaves what others did before when a decision is undone", async () => {
    await scene.hold();
    const preview = await scene.run("owner", "hide", { cast: scene.castHash() });
    await scene.click("owner", preview, "Hide");
    await press("moderator", "Hide", "Hidden by");
    const undone = await press("moderator", "Undo", "An earlier decision was undone by");
    expect(undone.text).toContain("C-2 stays, because it changed nothing: it was already in that state.");
    expect(await scene.hidden()).toEqual([[scene.castHash(), "hide"]]);
  });

  test("leaves what others did since when a decision is undone", async () => {
    await scene.hold();
    await press("moderator", "Approve", "Approved by");
    const preview = await scene.run("owner", "hide", { cast: scene.castHash() });
    await scene.click("owner", preview, "Hide");
    const undone = await press("moderator", "Undo", "An earlier decision was undone by");
    expect(undone.text).toContain("C-1 stays, because case C-2 ");
    expect(await scene.hidden()).toEqual([[scene.castHash(), "hide"]]);
  });

  test("keeps a newer decision when an older one is undone late", async () => {
    await scene.hold();
    await press("moderator", "Dismiss", "Dismissed: nothing was done,");
    const preview = await scene.run("moderator", "undo", { what: await firstReview() });
    await press("owner", "Undo", "An earlier decision was undone by");
    await press("owner", "Hide", "Hidden by");
    const late = await scene.ask("moderator", preview, "Undo");
    expect(late.text).toContain("has changed since, so nothing was undone");
    expect(await scene.hidden()).toEqual([[scene.castHash(), "hide"]]);
    expect(scene.shownIn("feed").text).toContain("Hidden by");
  });

  test("keeps a newer decision when the button of an older one is pressed late", async () => {
    await scene.hold();
    await press("moderator", "Dismiss", "Dismissed: nothing was done,");
    const older = await scene.run("moderator", "review show", { number: await firstReview() });
    await press("owner", "Undo", "An earlier decision was undone by");
    await press("owner", "Hide", "Hidden by");
    const late = await scene.ask("moderator", older, "Undo");
    expect(late.text).toContain("has changed since, so nothing was undone");
    expect(await scene.hidden()).toEqual([[scene.castHash(), "hide"]]);
  });

  test("shows in its rule how often it was wrong", async () => {
    await scene.hold();
    await press("owner", "Dismiss", "Dismissed: nothing was done,");
    expect((await scene.run("owner", "rule show")).text).toContain("1 of 1 reviews dismissed in 30 days");
    const shown = await scene.run("owner", "rule show", { rule: "scam" });
    expect(shown.text).toContain("1 of 1 reviews dismissed");
    await press("owner", "Undo", "An earlier decision was undone by");
    await press("owner", "Approve", "Approved by");
    await press("owner", "Undo", "Open.");
    expect((await scene.run("owner", "rule show")).text).toContain("1 of its cases undone in 30 days");
  });
});

describe("/review decide", () => {
  test("decides many at once, after showing which, and names what is left out", async () => {
    await scene.hold();
    const { query } = scene.bot.database;
    const [item] = await query.selectFrom("castellan.review_items").selectAll().execute();
    if (!item) throw new Error("nothing is held");
    const { id: _, tag: _tag, ...copy } = item;
    for (const event_id of [7001, 7002]) {
      const claim = event_id === 7002 ? { claimed_by: "77", claimed_at_ms: scene.bot.clock.now() } : {};
      await query
        .insertInto("castellan.review_items")
        .values({ ...copy, event_id, ...claim })
        .execute();
    }
    const asked = { decision: "ban", queue: "scam", duration: "7d", reason: "airdrops" };
    const plan = await scene.run("owner", "review decide", asked);
    expect(plan.text).toContain("Ban the authors of 2 reviews?");
    expect(plan.text).toMatch(/Until <t:\d+:f>\.\nReason: airdrops/);
    expect(plan.text).toMatch(/R-\d+ is left out: <@77> has claimed R-\d+/);
    const done = await scene.click("owner", plan, "Ban both");
    expect(done.text).toContain("2 reviews decided (ban)");
    const [ban] = await query.selectFrom("castellan.cases").selectAll().orderBy("id").execute();
    expect(ban).toMatchObject({ kind: "ban", public_reason: "airdrops", state: "applied" });
    const states = await query.selectFrom("castellan.review_items").select("state").orderBy("id").execute();
    expect(states.map(({ state }) => state)).toEqual(["banned", "banned", "open"]);
    expect((await scene.run("owner", "review decide", { decision: "hide" })).text).toContain(
      "Choose the reviews",
    );
    const wrong = { decision: "hide", queue: "scam", duration: "1d" };
    expect((await scene.run("owner", "review decide", wrong)).text).toContain("are only for decision:ban");
  });
});
