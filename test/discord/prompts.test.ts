import { beforeEach, describe, expect, test } from "vitest";
import { commands } from "../../commands/index.ts";
import type { Actor } from "../../src/bot-context.ts";
import { addPrompt, promptLife } from "../../src/discord/prompts.ts";
import { runButton, runChoice, runHandler } from "../../src/discord/run-command.ts";
import { findHandler } from "../../src/discord/find-handler.ts";
import { decodeCustomId, type CustomId } from "../../src/text/custom-id.ts";
import { commandContext, people, verifyDiscord } from "../support/world.ts";
import { useWorld } from "../support/test-cases.ts";

const bot = await useWorld();
const moderator: Actor = {
  userId: "1002",
  guildId: "g1",
  roomId: "1",
  roleIds: [],
  managesServer: false,
};
const as = (change: Partial<Actor>) => commandContext(bot, { ...moderator, ...change });

beforeEach(() => verifyDiscord(bot, people.moderator, "1002"));

async function askToBan(): Promise<CustomId> {
  const handler = findHandler(commands, "ban");
  if (!handler) throw new Error("no /ban");
  const { buttons = [] } = await runHandler(as({}), "ban", handler, {
    user: String(people.troll),
    duration: "permanent",
    reason: "spam",
  });
  const id = buttons.flat().map(({ customId }) => decodeCustomId(customId ?? ""));
  const confirm = id.find(({ kind }) => kind === "confirm");
  if (!confirm) throw new Error("nothing to confirm");
  return confirm;
}

const cases = () => bot.database.query.selectFrom("castellan.cases").select("state").execute();

describe("the buttons of an answer", () => {
  test.each([
    ["another person", { userId: "1001" }],
    ["the same person in another server", { guildId: "g2" }],
  ])("do nothing for %s, and still work for whoever asked", async (_, change) => {
    const id = await askToBan();
    await expect(runButton(as(change), commands, id)).rejects.toMatchObject({
      code: "not_allowed",
      message: "These buttons belong to the person who ran the command.",
    });
    expect(await cases()).toEqual([]);
    await runButton(as({}), commands, id);
    expect(await cases()).toEqual([{ state: "applied" }]);
  });

  test("cannot be cancelled, paged or chosen from by another person either", async () => {
    const id = await askToBan();
    const promptId = "promptId" in id ? id.promptId : "";
    const stranger = as({ userId: "1005" });
    for (const kind of ["cancel", "page"] as const) {
      const pressed: CustomId = kind === "page" ? { kind, promptId, page: 1 } : { kind, promptId };
      await expect(runButton(stranger, commands, pressed)).rejects.toMatchObject({ code: "not_allowed" });
    }
    const menu = await addPrompt(bot, moderator, {
      path: "who",
      state: { raw: {}, possibilities: [{ label: "/memes", raw: { channel: "memes" } }] },
      life: promptLife.list,
    });
    await expect(runChoice(stranger, commands, menu, ["0"])).rejects.toMatchObject({ code: "not_allowed" });
  });

  test("act once, no matter how often they are clicked and in how many processes", async () => {
    const id = await askToBan();
    const pressed = await Promise.allSettled([1, 2, 3].map(() => runButton(as({}), commands, id)));
    expect(pressed.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await cases()).toHaveLength(1);
  });

  test("whose state an earlier version stored in another shape ask for the command again", async () => {
    const id = await askToBan();
    await bot.database.query
      .updateTable("castellan.prompts")
      .set({ state: JSON.stringify({ answers: [{ target: "7" }] }) })
      .execute();
    await expect(runButton(as({}), commands, id)).rejects.toMatchObject({
      code: "expired",
      message: "These buttons are from an older version. Nothing was done; please run the command again.",
    });
    expect(await cases()).toEqual([]);
  });

  test.each(["", "../../etc", "x".repeat(16), "'; drop table cases; --", "\0"])(
    "of an id that was never ours are too old: %j",
    async (promptId) => {
      await expect(runButton(as({}), commands, { kind: "confirm", promptId })).rejects.toMatchObject({
        code: "expired",
      });
    },
  );

  test("act no more after a quarter of an hour", async () => {
    const id = await askToBan();
    bot.clock.advance(15 * 60);
    await expect(runButton(as({}), commands, id)).rejects.toMatchObject({ code: "expired" });
    expect(await cases()).toEqual([]);
  });
});
