import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { resetBot, startBotInDiscord, type BotInDiscord } from "../support/bot-in-discord.ts";
import { collectLog } from "../support/log.ts";
import { people } from "../support/world.ts";

let scene: BotInDiscord;
const { log, lines } = collectLog();

beforeAll(async () => {
  scene = await startBotInDiscord();
  await scene.restart({ log });
});
afterAll(() => scene.stop());
beforeEach(async () => {
  await resetBot(scene);
  lines.length = 0;
});

const refusal = "half of a character. Type it again without it.";
const noErrors = () => expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([]);
const user = String(people.troll);

test.each(["\0", "\ud83d", "\udc00x"])(
  "an option with %j is refused in words, and nothing is done",
  async (text) => {
    expect((await scene.run("moderator", "note", { user, text: `a${text}b` })).text).toContain(refusal);
    expect((await scene.run("moderator", "note", { user: `@a${text}b` })).text).toContain(refusal);
    expect(await scene.bot.database.query.selectFrom("castellan.user_notes").selectAll().execute()).toEqual(
      [],
    );
    noErrors();
  },
);
