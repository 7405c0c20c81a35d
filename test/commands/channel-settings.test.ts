import { describe, expect, test } from "vitest";
import { giveCapabilities, takeCapabilities } from "../../src/moderation/capabilities.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();

const roleId = () =>
  [...scene.discord.context.world.guilds.values()][0]?.roles.find(({ name }) => name === "Moderator")?.id ??
  "";

describe("/setup zone", () => {
  const since = async (typed: string) =>
    (await scene.run("moderator", "case show", { since: typed })).text.toLowerCase();

  test("times that are typed are read in the server's zone from then on", async () => {
    expect((await scene.run("owner", "setup zone")).text).toMatch(/\*\*UTC\*\*, where it is \S+ \S+ now/);
    const answer = await scene.run("owner", "setup zone", { zone: "asia/tokyo" });
    expect(answer.text).toContain("**Asia/Tokyo**, where it is ");
    expect((await scene.run("owner", "audit")).text).toContain("set the server's time zone to Asia/Tokyo");
    expect(await since("yesterday")).toContain("times are those of asia/tokyo");
    expect(await since("1999-12-31 23:00")).toContain(`<t:${Date.UTC(1999, 11, 31, 14) / 1000}`);
  });

  test.each(["Mars/Olympus", "8"])("%s is none, and nothing changes", async (zone) => {
    const answer = await scene.run("owner", "setup zone", { zone });
    expect(answer.text).toContain("Unknown time zone");
    expect((await scene.run("owner", "setup zone")).text).toContain("**UTC**");
  });
});

describe("/setup permissions", () => {
  const grant = async (options: { role: string; give: string }) =>
    scene.click("owner", await scene.run("owner", "setup permissions", options), "Give it");
  const given = () =>
    scene.bot.database.query.selectFrom("castellan.capabilities").select("capability").execute();

  test("asks before it gives, says to whom and what each capability means, and then what changed", async () => {
    const preview = await scene.run("owner", "setup permissions", { role: "@everyone", give: "ban" });
    expect(preview.text).toContain("**Everybody in this server** will be able to");
    expect(preview.text).toContain("**ban**: ban people and lift bans");
    expect(preview.text).toContain("Anyone who joins this server gets this at once");
    expect(await given()).toEqual([]);
    const done = await scene.click("owner", preview, "Give it");
    expect(done.text).toContain("**@everyone may now: ban.**");
    expect(done.text).toContain("- undo: undo other people's actions");
    expect(done.message.mentionsEveryone).toBe(false);
    expect(await given()).toEqual([{ capability: "ban" }]);
    const taken = await scene.run("owner", "setup permissions", { role: "@everyone", take: "everything" });
    expect(taken.text).toContain("**@everyone may no longer: ban.**");
    const again = await scene.run("owner", "setup permissions", { role: "@everyone", take: "ban" });
    expect(again.text).toContain("Nothing changed");
  });

  test("gives nothing to whoever lost the right between the question and the click", async () => {
    const preview = await scene.run("moderator", "setup permissions", { role: "@everyone", give: "ban" });
    await scene.bot.database.query.deleteFrom("network.verifications").where("fid", "=", 2).execute();
    expect((await scene.click("moderator", preview, "Give it")).text).toContain("You may not change");
    expect(await given()).toEqual([]);
  });

  test("lets a role with link pass on what it has itself, and no more", async () => {
    await scene.bot.database.query.deleteFrom("network.verifications").where("fid", "=", 2).execute();
    await grant({ role: "Moderator", give: "link" });
    const give = (give: string) => scene.run("moderator", "setup permissions", { role: "Moderator", give });
    expect((await give("everything")).text).toContain("Your roles give you link in /memes");
    expect((await give("ban")).text).toContain("you may give and remove only that");
    expect((await give("link")).text).toContain(`<@&${roleId()}>: link\n`);
    await grant({ role: "@everyone", give: "ban" });
    // What everybody has, a role with link has, too.
    const preview = await give("ban");
    expect((await scene.click("moderator", preview, "Give it")).text).toContain(
      `<@&${roleId()}>: ban, link\n`,
    );
  });

  test("gives a role a capability, which counts from the next command on, and takes it again", async () => {
    await scene.bot.database.query.deleteFrom("network.verifications").where("fid", "=", 2).execute();
    expect((await scene.run("moderator", "who")).text).toContain("You may not view");
    const given = await grant({ role: "Moderator", give: "view" });
    expect(given.text).toContain(`<@&${roleId()}>: view`);
    expect((await scene.run("moderator", "who")).text).toContain("Members of /memes");
    expect(
      (await scene.run("moderator", "ban", { user: "7", duration: "permanent", reason: "spam" })).text,
    ).toContain("You may not ban");
    await scene.run("owner", "setup permissions", { role: "Moderator", take: "everything" });
    expect((await scene.run("moderator", "who")).text).toContain("You may not view");
  });

  test("counts a role that only the interaction mentions", async () => {
    const guild = scene.discord.context.world.guilds.get(scene.discord.guildId);
    const roleId = guild?.roles.find(({ name }) => name === "Moderator")?.id;
    if (roleId === undefined) throw new Error("there is no role called Moderator");
    const member = guild?.members.find(({ userId }) => userId === scene.users.member);
    const given = {
      guildId: scene.discord.guildId,
      channelId: "memes",
      roleId,
      capabilities: ["view"] as const,
    };
    await scene.bot.database.transaction((tx) => giveCapabilities(tx, given));
    expect((await scene.run("member", "who")).text).toContain("You may not view");
    member?.roleIds.push(roleId);
    const seen = await scene.run("member", "who");
    member?.roleIds.pop();
    await scene.bot.database.transaction((tx) => takeCapabilities(tx, given));
    expect(seen.text).toContain("Members of /memes");
  });

  test("says what is missing", async () => {
    expect((await scene.run("owner", "setup permissions", { give: "ban" })).text).toContain("Choose a role");
    expect((await scene.run("owner", "setup permissions", { role: "Moderator" })).text).toContain(
      "permission to give",
    );
  });
});
