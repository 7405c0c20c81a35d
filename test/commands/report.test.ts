import { beforeEach, describe, expect, test } from "vitest";
import { newEvent } from "../../src/observe/events.ts";
import { eraseAuthor } from "../../src/retention/erase-author.ts";
import type { Seen } from "../support/bot-in-discord.ts";
import { castRow } from "../support/rules.ts";
import { giveCapabilities } from "../../src/moderation/capabilities.ts";
import { deskOf, newVisitor, openTestConsole, textOf, withSignIn } from "../support/console.ts";
import { people } from "../support/world.ts";
import { useReviewsInDiscord } from "../support/scenes.ts";

const scene = await useReviewsInDiscord(withSignIn);
beforeEach(() => seen(scene.castHash(), "Free airdrop"));

/** The bot has seen a cast of the troll's. */
async function seen(hash: string, text: string, change: Parameters<typeof castRow>[1] = {}): Promise<void> {
  const row = castRow(hash, { fid: people.troll, text, ...change });
  await scene.bot.database.query.insertInto("castellan.casts").values(row).execute();
}

const report = (user: string, reason?: string, cast = scene.castHash()): Promise<Seen> =>
  scene.run(user, "report", { cast, ...(reason !== undefined && { reason }) });

const items = () => scene.bot.database.query.selectFrom("castellan.review_items").selectAll().execute();
const reports = () => scene.bot.database.query.selectFrom("castellan.reports").selectAll().execute();

/** What rooms show once everything of it was sent. */
async function shown(): Promise<Seen> {
  await scene.deliver();
  return scene.shownIn("feed");
}

describe("the cast of a report", () => {
  const short = () => scene.castHash().slice(0, 10);

  test.each([
    ["as the app copies it", () => `https://farcaster.xyz/troll/${short()}`],
    ["in angle brackets", () => `<https://farcaster.xyz/troll/${short()}>`],
    ["with what the app adds to it", () => `https://farcaster.xyz/troll/${short()}?utm_source=share`],
  ])("is a link %s", async (_how, link) => {
    expect((await report("stranger", "a scam", link())).text).toContain(
      "The moderators of /memes will review it",
    );
  });

  test("that is none is answered with how to get its link", async () => {
    expect((await report("stranger", "a scam", "that one")).text).toContain(
      "Paste its link, which you copy in the Farcaster app where you share the cast (`https://castle.test/name/0x…`).",
    );
    expect((await report("stranger", "a scam", "https://farcaster.xyz/troll/0x0123456789")).text).toContain(
      "Castellan has seen no cast whose hash begins with 0x0123456789. Copy the link again",
    );
    const { text } = await report("stranger", "a scam", `0x${"9".repeat(40)}`);
    expect(text).toContain("paste it here, or open Apps › Report on a post about it");
  });
});

describe("a cast that members report", () => {
  test("is shown to a role that may only look without who reported it, here and in the console", async () => {
    await report("stranger", "a scam");
    const { guildId } = scene.discord;
    const given = { guildId, channelId: "memes", roleId: guildId, capabilities: ["view"] as const };
    await scene.bot.database.transaction((tx) => giveCapabilities(tx, given));
    const seen = await scene.run("member", "review show", { number: "R-1" });
    expect(seen.text).toContain("A member: a scam");
    expect(seen.text).not.toContain(`<@${scene.users.stranger}>`);
    const desk = openTestConsole(scene);
    const { read } = deskOf({ desk, guildId, visitor: newVisitor() });
    for (const [who, sees] of [
      ["member", false],
      ["moderator", true],
    ] as const) {
      const queue = await read("/queue", await desk.signIn(scene.users[who]));
      const [item] = queue.items;
      expect(item && textOf(item.view).includes(`<@${scene.users.stranger}>`)).toBe(sees);
    }
    await desk.server.close();
  });

  test("waits for a decision once, with who reported it and why, and nothing is hidden by it", async () => {
    const first = await report("stranger", "It is **a scam** @everyone [x](https://evil.example)");
    expect(first.message.visibleTo).toBe(scene.users.stranger);
    expect(first.text).toContain("Nothing is hidden until one of them decides.");
    const post = await shown();
    expect(post.text).toContain("· reports · memes");
    expect(post.text).toContain("Reported by 1 member.");
    // All read the room: whoever decides is told who reported it when they ask.
    expect(post.text).toContain("A member: It is \\*\\*a scam\\*\\* \\@everyone");
    expect(post.text).not.toContain(`<@${scene.users.stranger}>`);
    const told = await scene.run("moderator", "review show", { number: "R-1" });
    expect(told.text).toContain(`<@${scene.users.stranger}>: It is \\*\\*a scam`);
    expect(post.text).not.toContain("[x](https");
    expect(post.text).toContain("Free airdrop");
    expect(Object.keys(post.buttons)).toEqual(["Hide", "Ban", "Dismiss", "Claim", "Leave to the owner"]);
    const second = await report("member");
    expect(second.text).toContain("Others have reported it too");
    // What a button shows in place of an answer that the clicker alone sees, it still tells them alone.
    const claimed = await scene.click("moderator", told, "Claim");
    expect(claimed.text).toContain(`<@${scene.users.stranger}>: It is \\*\\*a scam`);
    expect(claimed.text).not.toContain("names them to moderators who may decide");
    expect((await shown()).text).toContain("Reported by 2 members.");
    expect(scene.shownIn("feed").text).toContain("is reviewing it");
    expect(scene.shownIn("feed").text).not.toContain(`<@${scene.users.stranger}>`);
    expect((await shown()).text).toContain("A member: without a reason");
    expect(await items()).toHaveLength(1);
    expect(await scene.hidden()).toEqual([]);
    const list = await scene.run("moderator", "review show");
    expect(list.text).toContain("`reports` · reports by members · fid 7 · /memes");
  });

  test("counts each reporter once", async () => {
    await report("stranger", "one");
    expect((await report("stranger", "two")).text).toContain("You have already reported this cast");
    expect(await reports()).toMatchObject([{ user_id: scene.users.stranger, reason: "one" }]);
  });

  test("is one item when two report it at the same moment", async () => {
    const answers = await Promise.all([report("stranger"), report("member"), report("stranger")]);
    expect(answers.filter(({ text }) => text.startsWith("Reported\n"))).toHaveLength(2);
    expect(await items()).toHaveLength(1);
    expect(await reports()).toHaveLength(2);
  });

  test("is decided as any other review, also after a restart, and once", async () => {
    await report("stranger");
    const post = await shown();
    await scene.restartBot();
    const after = await scene.click("moderator", post, "Hide");
    expect(after.text).toContain(`Hidden by <@${scene.users.moderator}>.`);
    expect(await scene.hidden()).toEqual([[scene.castHash(), "hide"]]);
    const view = await scene.run("moderator", "case show", { number: "C-1" });
    expect(view.text).toContain(`<@${scene.users.moderator}> for reports by members`);
    expect((await report("member")).text).toContain("have already reviewed it");
    expect(await reports()).toHaveLength(1);
    const undone = await scene.click("moderator", after, "Undo");
    expect(undone.text).toContain("Case C-2: ");
    expect((await report("member")).text).toContain("your report is added");
  });

  test("has no rule behind it: /rule explain says who reported it and why", async () => {
    await report("stranger", "a scam");
    const post = await shown();
    const [event = ""] = /E-\d+/.exec(post.text) ?? [];
    const tells = async (asked: object) => {
      const { text } = await scene.run("owner", "rule explain", { ...asked });
      expect(text).toContain("Members brought it to the moderators:\nReview R-1");
      expect(text).toContain(`<@${scene.users.stranger}>: a scam`);
    };
    await tells({ event });
    await scene.click("moderator", post, "Hide");
    await tells({ case: "C-1" });
    const menu = await scene.openMenu("owner", "Explain", post.message.id, "feed");
    expect(menu.text).toContain("Reported by 1 member.");
  });

  test("that somebody hides by a command says so in its post, without the button that would do it once more", async () => {
    await report("stranger");
    const { database } = scene.bot;
    await shown();
    const asked = await scene.run("moderator", "hide", { cast: scene.castHash() });
    await scene.click("moderator", asked, "Hide");
    const told = await shown();
    expect(told.text).toContain("The cast is hidden already: **C-1**.");
    expect(Object.keys(told.buttons)).toEqual(["Ban", "Dismiss", "Claim", "Leave to the owner"]);
    await scene.run("moderator", "undo", { what: scene.castHash() });
    expect((await shown()).text).not.toContain("hidden already");
    expect(Object.keys(scene.shownIn("feed").buttons)).toContain("Hide");
    const ban = await scene.run("moderator", "ban", { user: "7", duration: "permanent", reason: "spam" });
    await scene.click("moderator", ban, "Ban");
    expect((await shown()).text).toContain("The author is banned already: **C-3**.");
    expect(await database.query.selectFrom("castellan.review_items").select("state").execute()).toEqual([
      { state: "open" },
    ]);
  });

  test("is left as it is by Dismiss, of which later reporters hear", async () => {
    await report("stranger");
    await scene.click("moderator", await shown(), "Dismiss");
    expect((await report("member")).text).toContain("already reviewed it and left it as it is");
    expect(await scene.hidden()).toEqual([]);
  });

  test("loses what reporters said of it when its author is erased", async () => {
    await report("stranger", "they wrote: Free airdrop");
    await shown();
    await eraseAuthor(scene.bot, people.troll);
    expect((await reports())[0]?.reason).toContain("erased at the author");
    expect((await shown()).text).not.toContain("airdrop");
  });
});

test("the menu of a feed's message reports its cast, for every member, with the reason that they may give", async () => {
  const { bot } = scene;
  const castHash = scene.castHash();
  await scene.run("owner", "feed add", { kinds: "casts" }, "feed");
  const place = { rootHash: castHash, threadDepth: 0, mentions: [], embeds: [] };
  await bot.happen(
    newEvent(bot.clock.now(), {
      sourceKey: "cast",
      kind: "cast.created",
      channelId: "memes",
      subjectFid: people.troll,
      data: { castHash, text: "Free airdrop", ...place },
    }),
  );
  const post = await shown();
  const fill = async (user: string, fields: Record<string, string>) => {
    const given = { user, room: "feed", command: "Report", target: post.message.id };
    const opened = scene.discord.people.contextMenu(given);
    expect((await opened.outcome).kind).toBe("modal");
    return scene.submit(user, opened, fields, "feed");
  };
  expect((await fill("stranger", { reason: "a\0b" })).text).toContain("U+0000 or half of a character");
  expect((await fill("stranger", { reason: " a scam " })).text).toContain("Reported\n");
  expect((await fill("member", { reason: "" })).text).toContain("your report is added");
  expect(await reports()).toMatchObject([
    { user_id: scene.users.stranger, reason: "a scam" },
    { user_id: scene.users.member, reason: null },
  ]);
  const said = scene.discord.people.say({ user: "member", room: "general", content: "gm" });
  const other = await scene.openMenu("stranger", "Report", said.id);
  expect(other.text).toContain("is not about a cast");
});

describe("is refused in plain words", () => {
  test("what was removed, hidden, or is of no channel here", async () => {
    const hash = (digit: string) => `0x${digit.repeat(40)}`;
    await seen(hash("a"), "gone", { removed_at: 5 });
    await seen(hash("b"), "hidden", { hidden: true });
    await seen(hash("c"), "elsewhere", { channel_id: "art" });
    expect((await report("stranger", "x", hash("a"))).text).toContain("The author has deleted that cast");
    expect((await report("stranger", "x", hash("b"))).text).toContain("That cast is already hidden");
    const unseen = "no such cast in a channel of this server (/memes)";
    expect((await report("stranger", "x", hash("c"))).text).toContain(unseen);
    expect((await report("stranger", "x", hash("d"))).text).toContain(unseen);
    expect((await report("stranger", "x", "gm")).text).toContain("Unknown cast");
    expect(await items()).toEqual([]);
  });

  test("more than one person may report in an hour", async () => {
    for (let cast = 1; cast <= 6; cast += 1) await seen(`0x${String(cast).repeat(40)}`, `cast ${cast}`);
    for (let cast = 1; cast <= 5; cast += 1) await report("stranger", "x", `0x${String(cast).repeat(40)}`);
    const sixth = `0x${"6".repeat(40)}`;
    const refused = await report("stranger", "x", sixth);
    expect(refused.text).toContain("One person can report at most 5 casts an hour; nothing was reported.");
    expect((await report("member", "x", sixth)).text).toContain("Reported\n");
    scene.bot.clock.advance(3601);
    expect((await report("stranger", "x", sixth)).text).toContain("your report is added");
  });

  test("more than a server takes in an hour", async () => {
    await report("stranger");
    const [item] = await items();
    const reported_at_ms = scene.bot.clock.now();
    const others = Array.from({ length: 99 }, (_, index) => ({
      item_id: item?.id ?? 0,
      guild_id: scene.discord.guildId,
      user_id: `9${index}`,
      reason: null,
      reported_at_ms,
    }));
    await scene.bot.database.query.insertInto("castellan.reports").values(others).execute();
    expect((await report("member")).text).toContain("This server accepts at most 100 reports an hour");
  });

  test("more than twenty people who report all that they may, and others are heard all the same", async () => {
    await report("stranger");
    const [item] = await items();
    const reported_at_ms = scene.bot.clock.now();
    const row = { item_id: item?.id ?? 0, guild_id: scene.discord.guildId, reason: null, reported_at_ms };
    const others = Array.from({ length: 59 }, (_, index) => ({ ...row, user_id: `9${index}` }));
    await scene.bot.database.query.insertInto("castellan.reports").values(others).execute();
    const second = `0x${"7".repeat(40)}`;
    await seen(second, "another");
    expect((await report("stranger", "x", second)).text).toContain(
      "From people who have reported within a day, this server accepts at most 60 reports an hour",
    );
    expect((await report("member")).text).toContain("your report is added");
  });

  test("whom the moderators ignore by the button where they read who reported", async () => {
    await report("stranger");
    const [item] = await items();
    const shown = await scene.run("moderator", "review show", { number: `R-${item?.id}` });
    const [label = ""] = Object.keys(shown.buttons).filter((one) => one.startsWith("Ignore reports by"));
    expect((await scene.ask("moderator", shown, label)).text).toContain("are ignored from now on");
    expect((await scene.run("owner", "review ignore")).text).toContain(`<@${scene.users.stranger}> · by`);
  });

  test("whom the moderators ignore, until they do not any more", async () => {
    const { stranger } = scene.users;
    expect((await scene.run("stranger", "review ignore", { user: "member" })).text).toContain(
      "You may not hide",
    );
    expect((await scene.run("moderator", "review ignore", { user: "stranger" })).text).toContain(
      "are ignored from now on",
    );
    expect((await scene.run("moderator", "review ignore", { user: "stranger" })).text).toContain(
      "ignored already",
    );
    expect((await scene.run("owner", "review ignore")).text).toContain(
      `<@${stranger}> · by <@${scene.users.moderator}>`,
    );
    const refused = await report("stranger");
    expect(refused.text).toContain("no longer accept reports from you, so nothing was reported");
    expect(await items()).toEqual([]);
    expect((await scene.run("owner", "review ignore", { user: "stranger", end: true })).text).toContain(
      "are accepted again",
    );
    expect((await scene.run("owner", "review ignore", { user: "stranger", end: true })).text).toContain(
      "are not ignored",
    );
    expect((await report("stranger")).text).toContain("Reported\n");
  });
});
