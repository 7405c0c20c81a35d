import { describe, expect, it } from "vitest";
import { capabilities } from "../../src/moderation/capabilities.ts";
import { rule } from "../support/rules.ts";
import { useRulesInDiscord } from "../support/scenes.ts";

const chat = await useRulesInDiscord();
const { bot, discord } = chat;
const { faults } = discord;
const { violations } = discord.context;

const answers = /^\/webhooks\/\d+\/[^/]+(\/messages\/@original)?$/;
const refusal = (status: number, code: number) => ({ status, body: { message: "Invalid Form Body", code } });

/** A rule whose line in a list is as long as they get. */
const longRule = (index: number) =>
  rule({
    id: `rule-${index}-${"x".repeat(32)}`,
    then: Array.from({ length: 4 }, (_, action) => ({ note: { text: `${action} ${"n".repeat(200)}` } })),
  });

describe("an answer that is long", () => {
  it("names the role that was just changed first, says how many more there are, and holds all in a file", async () => {
    const { guildId } = discord;
    const grants = Array.from({ length: 240 }, (_, index) => {
      const role_id = discord.addRole(guildId, { name: `Helpers ${index}` }, []);
      return capabilities
        .slice(1)
        .map((capability) => ({ guild_id: guildId, channel_id: "memes", role_id, capability }));
    }).flat();
    // Whoever is answered has been heard after the roles: until then the bot takes theirs for rows of roles that are gone.
    await chat.run("owner", "help");
    await bot.database.query.insertInto("castellan.capabilities").values(grants).execute();
    const asked = await chat.run("owner", "setup permissions", { role: "Moderator", give: "everything" });
    const seen = await chat.click("owner", asked, "Give it");
    const roles = [...discord.context.world.guilds.values()][0]?.roles ?? [];
    const moderator = roles.find(({ name }) => name === "Moderator")?.id;
    expect(seen.text).toContain(`${capabilities.join(", ")}.**\n\n<@&${moderator}>: everything\n<@&1`);
    expect(seen.text).toMatch(/… and \d+ more\nThe file lists all of them\./);
    expect(seen.message.attachments).toMatchObject([{ filename: "roles-memes.txt" }]);
    expect(violations).toEqual([]);
  });

  it("of rules is turned page by page, none left out", async () => {
    await chat.save(...Array.from({ length: 24 }, (_, index) => longRule(index)));
    let seen = await chat.run("owner", "rule show");
    const pages = [seen.text];
    for (; "Next" in seen.buttons; pages.push(seen.text)) seen = await chat.click("owner", seen, "Next");
    const shown = pages.flatMap((page) =>
      [...page.matchAll(/rule-(\d+)-x/g)].map(([, number]) => Number(number)),
    );
    expect(shown.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, index) => index));
    expect(pages.length).toBeGreaterThan(2);
    expect(violations).toEqual([]);
  });

  it("of an import keeps the warnings, whatever else is cut", async () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ ...longRule(index), channels: ["elsewhere"] }));
    const seen = await chat.run("owner", "rule import", { file: chat.file(...many) });
    expect(seen.text).toContain("30 of the new and changed rules act automatically");
    expect(seen.text).toContain("Rules that match no channel linked here");
    expect(Object.keys(seen.buttons)).toEqual(["New rules in shadow", "Put in force", "Cancel"]);
    expect(violations).toEqual([]);
  });
});

describe("an answer that Discord refuses", () => {
  it.each([
    ["a form body that it does not take", 400, 50035],
    ["a body that is too large", 413, 40005],
  ])("is replaced by something short and true: %s", async (_, status, code) => {
    const given = {
      guild_id: discord.guildId,
      channel_id: "memes",
      role_id: discord.guildId,
      capability: "view",
    };
    await bot.database.query.insertInto("castellan.capabilities").values(given).execute();
    faults.add("PATCH", answers, refusal(status, code));
    const seen = await chat.run("owner", "setup permissions", { role: "@everyone", take: "view" });
    expect(seen.text).toMatch(/Discord refused to show the answer\..*with this id: [0-9a-f]{8}\./);
    expect(await bot.database.query.selectFrom("castellan.capabilities").selectAll().execute()).toEqual([]);
  });

  it("says that it did not work where it did not", async () => {
    faults.add("PATCH", answers, refusal(400, 50035));
    const seen = await chat.run("stranger", "who");
    expect(seen.text).toContain("That failed, and Discord refused the message with the reason.");
  });

  it("is replaced where a form was refused, too", async () => {
    faults.add("POST", /^\/interactions\/\d+\/[^/]+\/callback$/, refusal(400, 50035));
    await chat.save(rule());
    const seen = await chat.run("owner", "rule edit");
    expect(seen.text).toContain("Discord refused");
  });

  it("is given anew, and to nobody else, where its message was dismissed meanwhile", async () => {
    const asked = await chat.run("moderator", "ban", {
      user: "7",
      duration: "permanent",
      reason: "spam",
    });
    const { id: message, roomId: room } = asked.message;
    faults.add("PATCH", answers, () => {
      discord.people.dismiss({ user: "moderator", room, message });
      return undefined;
    });
    const answered = chat.nextMessage("C-1 · Ban · done");
    chat.clickOnly("moderator", asked, "Ban");
    expect((await answered).visibleTo).toBe(chat.users.moderator);
    expect((await answered).id).not.toBe(message);
    expect(chat.errors).toEqual([]);
  });

  it("is tried no second time where nobody waits any more", async () => {
    let tries = 0;
    faults.add("PATCH", answers, () => ((tries += 1), refusal(404, 10_015)), 5);
    discord.people.slash({
      user: "owner",
      room: "general",
      command: "status",
      options: { channel: "memes" },
    });
    await expect.poll(() => tries).toBe(1);
    // Whatever came after it would have come by the time that another command is answered.
    faults.clear();
    await chat.run("owner", "status", { channel: "memes" });
    expect(tries).toBe(1);
  });
});
