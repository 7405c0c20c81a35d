import { beforeEach, expect, it, test } from "vitest";
import { giveCapabilities } from "../../src/moderation/capabilities.ts";
import { deskOf, textOf, useConsole } from "../support/console.ts";

const setup = useConsole();
const { read, run, press } = deskOf(setup);
const ofCase = { number: "C-1", channel: "memes" };

beforeEach(async () => {
  const { view } = await run("ban", { user: "7", channel: "memes", reason: "spam", duration: "7d" });
  await press(view, "Ban");
});

it("a case gets another reason and a comment, beside what was written before", async () => {
  expect((await read("/cases/memes/C-1")).edits).toEqual({ reason: "spam", duration: true });
  const hostile = "<b>**x** [y](javascript:1) @everyone";
  expect((await run("case edit", { ...ofCase, reason: hostile })).status).toBe(200);
  expect((await run("case edit", { ...ofCase, comment: "seen before" })).status).toBe(200);
  const { view, edits } = await read("/cases/memes/C-1");
  expect(edits?.reason).toBe(hostile);
  expect(textOf(view)).toContain("reason before\\\\: spam");
  expect(textOf(view)).toContain(`<@${setup.scene.users.moderator}>`);
  expect(textOf(view)).toContain("seen before");
  expect(textOf(view)).not.toContain("[y](javascript:1)");
});

it("a ban ends at another time after a question, and the row says so", async () => {
  const dueAt = async () => {
    const { query } = setup.scene.bot.database;
    const row = await query
      .selectFrom("castellan.standing_bans")
      .select("until_ms")
      .executeTakeFirstOrThrow();
    return row.until_ms;
  };
  const before = await dueAt();
  const asked = await run("case edit", { ...ofCase, duration: "1d" });
  expect(textOf(asked.view)).toContain("Change when C-1 ends?");
  expect(await dueAt()).toBe(before);
  expect((await press(asked.view, "Change the end")).status).toBe(200);
  expect(await dueAt()).toBe(setup.scene.bot.clock.now() + 86_400_000);
  const refused = await run("case edit", { ...ofCase, duration: "soon" });
  expect([refused.status, refused.error?.message]).toEqual([
    400,
    expect.stringContaining("is not a duration"),
  ]);
  const short = await run("case edit", { ...ofCase, duration: "30s" });
  expect(short.error?.message).toContain("1 minute. /ban with");
});

test("rejects a text that is too long for Discord, and writes nothing", async () => {
  const { status } = await run("case edit", { ...ofCase, reason: "x".repeat(501) });
  expect(status).toBe(400);
  expect((await read("/cases/memes/C-1")).edits?.reason).toBe("spam");
});

test("who may only look is offered no fields, and is refused what they send all the same", async () => {
  const { guildId, context } = setup.scene.discord;
  const roleId = context.world.guilds.get(guildId)?.roles[1]?.id ?? "";
  const grant = { guildId, channelId: "memes", roleId, capabilities: ["view", "hide"] as const };
  await setup.scene.bot.database.transaction((tx) => giveCapabilities(tx, grant));
  setup.scene.discord.setRoles(guildId, setup.scene.users.member, [roleId]);
  const viewer = await setup.desk.signIn(setup.scene.users.member);
  const { status, edits } = await read("/cases/memes/C-1", viewer);
  expect([status, edits]).toEqual([200, undefined]);
  for (const typed of [{ reason: "x" }, { comment: "x" }, { duration: "1d" }]) {
    const refused = await run("case edit", { ...ofCase, ...typed }, viewer);
    expect([typed, refused.error?.code]).toEqual([typed, "not_allowed"]);
  }
  setup.scene.discord.setRoles(guildId, setup.scene.users.member, []);
  expect(textOf((await read("/cases/memes/C-1")).view)).toContain("spam");
});
