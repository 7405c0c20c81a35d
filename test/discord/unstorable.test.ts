import { beforeEach, expect, test } from "vitest";
import { collectLog } from "../support/log.ts";
import { people } from "../support/world.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const { log, lines } = collectLog();

const scene = await useBotInDiscord();
await scene.restart({ log });
beforeEach(async () => {
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
