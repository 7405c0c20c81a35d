import { expect, test } from "vitest";
import { people } from "../support/world.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();

const troll = String(people.troll);
const run = (command: string) => scene.run("moderator", command, { user: troll });

/** All pages of a list, one after the other. */
async function readAll(command: string): Promise<string[]> {
  const pages = [await run(command)];
  for (let page = pages[0]; page && "Next" in page.buttons; page = pages.at(-1)) {
    pages.push(await scene.click("moderator", page, "Next"));
  }
  return pages.map(({ text }) => text);
}

const about = { channel_id: "memes", fid: people.troll };
const numbers = Array.from({ length: 30 }, (_, index) => index + 1);

test("of 30 strikes with long reasons /who shows the newest, and says how many there are", async () => {
  const strikes = numbers.map((number) => ({
    ...about,
    guild_id: scene.discord.guildId,
    points: 1,
    given_at_ms: number,
    given_by: scene.users.moderator,
    reason: `${number}. ${"*long* ".repeat(70)}`,
  }));
  await scene.bot.database.query.insertInto("castellan.strikes").values(strikes).execute();
  const { text } = await run("who");
  expect(text.match(/\*\*S-\d+\*\*/g)).toEqual([30, 29, 28, 27, 26].map((number) => `**S-${number}**`));
  expect(text).toContain("30 strike points");
  expect(text).toContain("5 of 30 strikes that count.");
});

test("30 notes can be read to their ends by /note; elsewhere it is said that there are more", async () => {
  const notes = numbers.map((number) => ({
    ...about,
    guild_id: scene.discord.guildId,
    text: `${number}. ${"long ".repeat(90)}end${number}`,
    written_at_ms: number,
    written_by: scene.users.moderator,
  }));
  await scene.bot.database.query.insertInto("castellan.user_notes").values(notes).execute();
  const pages = await readAll("note");
  for (const page of pages) expect(page).toContain("30 notes");
  const ends = pages.join("\n").match(/end\d+/g);
  expect(ends).toEqual(numbers.toReversed().map((number) => `end${number}`));
  expect((await run("who")).text).toContain(`3 of 30 notes: /note user:${troll} shows all`);
});

test("nobody's notes are said to be none", async () => {
  expect((await run("note")).text).toContain("0 notes");
  expect((await scene.run("stranger", "note", { user: troll })).text).toContain("You may not");
});
