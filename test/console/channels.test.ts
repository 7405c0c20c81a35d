import { describe, expect, it } from "vitest";
import { giveCapabilities } from "../../src/moderation/capabilities.ts";
import { deskOf, textOf, useConsole } from "../support/console.ts";
import { people } from "../support/world.ts";

const setup = useConsole();
const { read, run, press } = deskOf(setup);

interface State {
  by: string;
  since: number;
  until: number | null;
  reason: string | null;
  hidden?: string;
}

async function channel() {
  // The shape of read-channels.ts.
  const answer = (await read("/channels")) as unknown as {
    channels: { id: string; pause?: State; lockdown?: State; invites?: string }[];
    names: Record<string, string>;
  };
  const [only, another] = answer.channels;
  if (!only || another) throw new Error("not one channel");
  return { ...only, names: answer.names };
}

async function auditLog(): Promise<string[]> {
  const { query } = setup.scene.bot.database;
  const rows = await query.selectFrom("castellan.setup_changes").selectAll().orderBy("id").execute();
  return rows.filter(({ kind }) => kind === "automod").map(({ by_user, what }) => `${by_user} ${what}`);
}

describe("a channel", () => {
  it("is locked down by the command of Discord, once, and shows since when and by whom", async () => {
    const { users, bot } = setup.scene;
    const asked = await run("lockdown", { channel: "memes", duration: "2h", reason: "a raid" });
    expect(textOf(asked.view)).toContain("every new cast by a non-member in /memes is hidden");
    expect(textOf(asked.view)).toContain(" /undo shows a cast again.");
    expect((await channel()).lockdown).toBeUndefined();
    const twice = await Promise.all([press(asked.view, "Lock it down"), press(asked.view, "Lock it down")]);
    expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const now = bot.clock.now() / 1000;
    const { lockdown, names } = await channel();
    expect(lockdown).toEqual({
      by: `<@${users.moderator}>`,
      since: now,
      until: now + 7200,
      reason: "a raid",
      hidden: "It hid no cast.",
    });
    expect(names[users.moderator]).toBe("Mona Moderator");
    const ended = await run("lockdown", { channel: "memes", end: "true" });
    expect(textOf(ended.view)).toContain("/memes is no longer locked down.");
    expect((await channel()).lockdown).toBeUndefined();
    expect(await auditLog()).toEqual([
      expect.stringMatching(`^${users.moderator} locked down /memes until`),
      `${users.moderator} ended the lockdown of /memes`,
    ]);
    await setup.scene.deliver();
    expect(setup.scene.shownIn("feed").text).toContain(`<@${users.moderator}>`);
  });

  it("has its rules paused and resumed", async () => {
    const { users } = setup.scene;
    await run("rule pause", { channel: "memes", reason: "a *bad* rule" });
    expect((await channel()).pause).toMatchObject({
      by: `<@${users.moderator}>`,
      until: null,
      reason: String.raw`a \*bad\* rule`,
    });
    await run("rule resume", { channel: "memes" });
    expect((await channel()).pause).toBeUndefined();
  });

  it("shows how many invites were sent in the last hour", async () => {
    expect((await channel()).invites).toContain("Invites to /memes in the last hour: 0 of 100");
    await setup.scene.bot.net.seed.follow(people.troll, "memes");
    await run("invite", { channel: "memes", user: String(people.troll) });
    expect((await channel()).invites).toContain("1 of 100");
  });

  it("lets nobody do more than in Discord", async () => {
    const { users, bot, discord } = setup.scene;
    const asked = await run("lockdown", { channel: "memes" });
    const member = await setup.desk.signIn(users.member);
    const attempt = async (path: string, typed: Record<string, string> = {}) =>
      (await run(path, { channel: "memes", ...typed }, member)).status;
    for (const path of ["lockdown", "rule pause", "rule resume"]) {
      expect([path, await attempt(path)]).toEqual([path, 403]);
    }
    expect(await attempt("lockdown", { end: "true" })).toBe(403);
    expect(await attempt("invite", { user: "7" })).toBe(403);
    // Rules alone may not hide.
    const [, role] = discord.context.world.guilds.get(discord.guildId)?.roles ?? [];
    const grant = { guildId: discord.guildId, channelId: "memes", roleId: role?.id ?? "" };
    await bot.database.transaction((tx) => giveCapabilities(tx, { ...grant, capabilities: ["rules"] }));
    discord.setRoles(discord.guildId, users.member, [grant.roleId]);
    expect(await attempt("lockdown")).toBe(403);
    expect((await press(asked.view, "Lock it down", member)).status).toBe(403);
    const asRole = await read("/channels", member);
    expect(asRole.status).toBe(200);
    expect(JSON.stringify(asRole)).not.toContain("invites");
    discord.setRoles(discord.guildId, users.member, []);
    expect(await auditLog()).toEqual([]);
  });

  it("tells who may only invite nothing of lockdowns and pauses", async () => {
    const { users, bot, discord } = setup.scene;
    await run("rule pause", { channel: "memes", reason: "a secret" });
    const [, role] = discord.context.world.guilds.get(discord.guildId)?.roles ?? [];
    const grant = { guildId: discord.guildId, channelId: "memes", roleId: role?.id ?? "" };
    await bot.database.transaction((tx) => giveCapabilities(tx, { ...grant, capabilities: ["invite"] }));
    const member = await setup.desk.signIn(users.member);
    discord.setRoles(discord.guildId, users.member, [grant.roleId]);
    const text = JSON.stringify(await read("/channels", member));
    expect(text).toContain("Invites to /memes in the last hour");
    expect(text).not.toMatch(/secret|pause/);
    discord.setRoles(discord.guildId, users.member, []);
    await run("rule resume", { channel: "memes" });
  });
});
