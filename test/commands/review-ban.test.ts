import { expect, test } from "vitest";
import { see } from "../support/bot-in-discord.ts";
import { castRow } from "../support/rules.ts";
import { people, seedChannel } from "../support/world.ts";
import { useReviewsInDiscord } from "../support/scenes.ts";

const scene = await useReviewsInDiscord();

test("after a ban by review, the casts can be hidden, and the ban can be everywhere", async () => {
  await seedChannel(scene.bot, "art", scene.discord.guildId);
  // What suggestions remember of rights is older than this.
  scene.bot.clock.advance(10);
  const { feed } = await scene.hold();
  const row = castRow(scene.castHash(), { fid: people.troll });
  await scene.bot.database.query.insertInto("castellan.casts").values(row).execute();
  const question = scene.nextMessage("Ban from /memes?");
  scene.clickOnly("owner", feed, "Ban");
  const done = await scene.click("owner", see(await question), "7 days");
  expect(Object.keys(done.buttons)).toEqual(["Undo", "Hide their casts…", "Everywhere I may ban…"]);
  const hiding = await scene.ask("owner", done, "Hide their casts…");
  expect(hiding.text).toContain("Hide 1 cast in /memes?");
  const wide = await scene.ask("owner", done, "Everywhere I may ban…");
  expect(wide.text).toContain("Ban from 1 channel?");
  expect(wide.text).toContain(" · in /art\n");
  expect(wide.text).toContain("In /memes: banned already, until");
  const { text } = await scene.click("owner", wide, "7 days");
  expect(text).toContain("B-1 · Ban · art · done");
});
