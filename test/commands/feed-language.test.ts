import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ReviewsInDiscord, startReviewsInDiscord } from "../support/rules-in-discord.ts";

let scene: ReviewsInDiscord;

beforeAll(async () => {
  scene = await startReviewsInDiscord();
});
afterAll(() => scene.stop());
beforeEach(() => scene.reset());

const pause = () => scene.run("owner", "rule pause", { reason: "a bad rule" });

test("a reason that is changed later is shown in the post about the case", async () => {
  await scene.run("owner", "feed add", { kinds: "bans, cases", room: "mod-log" });
  const asked = await scene.run("moderator", "ban", { user: "7", duration: "1d", reason: "spam" });
  await scene.click("moderator", asked, "Ban");
  await scene.deliver();
  expect(scene.shownIn("mod-log").text).toContain("Reason: spam");
  await scene.run("moderator", "case edit", { number: "1", reason: "scam" });
  await scene.deliver();
  expect(scene.shownIn("mod-log").text).toContain("Reason: scam");
});

describe("the language of a room", () => {
  test("is that of its posts from then on, of those edited since, and of no other room", async () => {
    await scene.run("owner", "feed edit", { number: 2, kinds: "reviews, health" });
    const changed = await scene.run("owner", "feed room", { room: "feed", language: "de" });
    expect(changed.text).toContain("Posts are in Deutsch.");
    expect((await scene.run("owner", "feed show")).text).toContain("health · in Deutsch");
    const audit = await scene.run("owner", "audit");
    expect(audit.text).toMatch(/changed the settings of <#\d+>: posts in Deutsch/);
    await pause();
    await scene.deliver();
    const post = scene.shownIn("feed");
    expect(post.text).toContain("Regeln in memes angehalten");
    expect(post.text).toContain(`Von <@${scene.users.owner}>`);
    expect(post.text).toContain("Grund: a bad rule");
    expect(Object.keys(post.buttons)).toContain("Fortsetzen");
    expect(scene.shownIn("mod-log").text).toContain("Rules paused in memes");
    expect((await scene.run("owner", "feed room", { room: "feed", digest: "1h" })).text).toContain(
      "Posts are in Deutsch.",
    );
  });

  test("stays that of a review that is claimed and decided under its post", async () => {
    await scene.run("owner", "feed room", { room: "feed", language: "de" });
    const { feed, log } = await scene.hold();
    expect(feed.text).toContain("Prüfung R-");
    expect(feed.text).toContain("Regel `");
    expect(log.text).toContain("Review R-");
    const labels = [
      "Genehmigen",
      "Ausblenden",
      "Bannen",
      "Verwerfen",
      "Übernehmen",
      "Dem Besitzer überlassen",
    ];
    expect(Object.keys(feed.buttons)).toEqual(labels);
    scene.clickOnly("moderator", feed, "Übernehmen");
    await expect.poll(() => scene.shownIn("feed").text).toContain("kümmert sich darum.");
    expect(scene.shownIn("feed").text).not.toMatch(/Review|is reviewing/);
    await scene.deliver();
    expect(scene.shownIn("feed").text).toContain(`<@${scene.users.moderator}> kümmert sich darum.`);
    expect(scene.shownIn("mod-log").text).toContain("is reviewing it.");
    scene.clickOnly("moderator", scene.shownIn("mod-log"), "Dismiss");
    await expect.poll(() => scene.shownIn("mod-log").text).toContain("Dismissed: nothing was done,");
    await scene.deliver();
    expect(scene.shownIn("feed").text).toContain(", es wurde nichts unternommen.");
  });

  test("is not that of an answer to one person", async () => {
    await scene.run("owner", "feed room", { room: "feed", language: "de" });
    const { feed } = await scene.hold();
    const number = /R-\d+/.exec(feed.text)?.[0] ?? "";
    expect((await scene.run("moderator", "review show", { number }, "feed")).text).toContain(
      `Review ${number}`,
    );
  });
});
