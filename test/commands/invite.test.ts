import { beforeEach, describe, expect, test } from "vitest";
import { pollListings } from "../../src/observe/listings/poll-listings.ts";
import { followLinks } from "../../src/observe/sources.ts";
import { people } from "../support/world.ts";
import { addCasts } from "../support/casts.ts";
import { see, type Seen } from "../support/bot-in-discord.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();
beforeEach(async () => {
  const { database } = scene.bot;
  await database.query
    .insertInto("castellan.names")
    .values([
      { name: "trudy", fid: people.troll, owner: "0x", since: 1 },
      { name: "tru_dy%", fid: 8, owner: "0x", since: 1 },
    ])
    .execute();
});

const troll = { user: "@trudy" };

async function listed(listing: "channelInvites" | "channelRestrictedUsers" | "channelMembers") {
  const { result } = await scene.bot.network[listing].list({ channelId: "memes", fid: people.troll });
  return Object.values(result).flat().length;
}

function suggestUsers(user: string) {
  return scene.discord.people.autocomplete({
    user: "moderator",
    room: "general",
    command: "invite",
    options: { user },
    focused: "user",
  });
}

async function invite() {
  await scene.bot.net.seed.follow(people.troll, "memes");
  return scene.run("moderator", "invite", troll);
}

describe("/invite", () => {
  test("invites by name, and shows what is left of the shared budget", async () => {
    const seen = await invite();
    expect(seen.text).toContain("C-1 · Invite · done");
    expect(seen.text).toContain("@trudy");
    expect(seen.text).toContain("last hour: 1 of 100");
    expect(await listed("channelInvites")).toBe(1);
    expect((await scene.run("owner", "invite", troll)).text).toContain("already holds the role or an invite");
  });

  test("says what is missing for one who follows nobody", async () => {
    expect((await scene.run("moderator", "invite", troll)).text).toContain("follows neither the channel");
  });

  test.each([
    ["a name that nobody holds", "@nobody", "Nobody holds the name nobody"],
    ["nothing like a user", "?!", "Unknown user."],
    ["a fid that is too large", "99999999999999999", "Unknown user."],
  ])("%s is refused in words", async (_, user, words) => {
    expect((await scene.run("moderator", "invite", { user })).text).toContain(words);
  });

  test("names come from autocomplete, in which % and _ are letters", async () => {
    expect(await suggestUsers("@tru")).toHaveLength(2);
    expect(await suggestUsers("trud")).toEqual([{ name: "@trudy (fid 7)", value: "7" }]);
    expect(await suggestUsers("t%")).toEqual([]);
    expect(await suggestUsers("7")).toEqual([{ name: "@trudy (fid 7)", value: "7" }]);
  });
});

describe("/invite of many", () => {
  /** Presses a button and waits for an answer with this text. */
  async function until(seen: Seen, label: string, text: string): Promise<Seen> {
    const told = scene.nextMessage(text);
    scene.clickOnly("moderator", seen, label);
    return see(await told);
  }

  test("asks first, leaves out whom it cannot reach, and invites the others as one bulk", async () => {
    await scene.bot.net.seed.follow(people.troll, "memes");
    await scene.bot.database.query
      .insertInto("castellan.listing_entries")
      .values([
        { channel_id: "memes", listing: "members", fid: 3, at: 1, role: null, inviter_fid: null },
        { channel_id: "memes", listing: "bans", fid: 8, at: 1, role: null, inviter_fid: null },
      ])
      .execute();
    const preview = await scene.run("moderator", "invite", { users: "@trudy 3 8, nosuchname" });
    expect(preview.text).toContain("Invite 1 user to /memes?");
    expect(preview.text).toContain("1 user left out, banned: lift the ban first.");
    expect(preview.text).toContain("You typed 4, and 3 can be used.\n✖ `nosuchname`: ");
    expect(preview.text).toContain("100 of the 100 invites an hour are left");
    expect(await listed("channelInvites")).toBe(0);
    const done = await until(preview, "Invite all of them", "· done");
    expect(done.text).toContain("B-1 · Invite");
    expect(done.text).toContain("**1 user invited**");
    expect(await listed("channelInvites")).toBe(1);
    const undo = await scene.run("moderator", "undo", { what: "B-1" });
    expect(undo.text).toContain("1 invite is revoked.");
    expect((await scene.run("stranger", "invite", { users: "7" })).text).toContain("You may not invite");
    expect((await scene.run("moderator", "invite")).text).toContain("Choose whom");
  });

  test("takes whom a bulk affected, and a lifted ban leads there", async () => {
    await scene.bot.net.seed.follow(people.troll, "memes");
    const ban = await scene.run("moderator", "ban", { user: "7", duration: "permanent", reason: "spam" });
    await scene.click("moderator", ban, "Ban");
    const lifted = await scene.click(
      "moderator",
      await scene.run("moderator", "undo", { what: "@trudy" }),
      "Lift the ban",
    );
    expect((await scene.ask("moderator", lifted, "Invite again")).text).toContain("Invite · done");
    await addCasts(scene.bot, 2, { fid: 8, text: "lure" });
    await scene.bot.net.seed.follow(8, "memes");
    const hidden = await scene.run("moderator", "hide", { text: "lure" });
    await until(hidden, "Hide all of them", "· done");
    const preview = await scene.run("moderator", "invite", { bulk: "B-1" });
    expect(preview.text).toContain("Invite 1 user to /memes?");
    expect(preview.text).toContain("(fid 8)");
  });

  test("says how long more than the hour's budget takes", async () => {
    const users = Array.from({ length: 150 }, (_, index) => 1000 + index).join(" ");
    const preview = await scene.run("moderator", "invite", { users });
    expect(preview.text).toContain("Invite 150 users to /memes?");
    expect(preview.text).toContain("the rest go out within about 1 hour");
  });
});

describe("/invite with revoke", () => {
  test("takes an invite back without restricting", async () => {
    await invite();
    const preview = await scene.run("moderator", "invite", { ...troll, revoke: true });
    expect(preview.text).toContain("The invite ends");
    expect((await scene.click("moderator", preview, "Take it back")).text).toContain("Invite revoked");
    expect(await listed("channelInvites")).toBe(0);
    expect(await listed("channelRestrictedUsers")).toBe(0);
  });

  test("removes a member only after saying that they become restricted", async () => {
    await invite();
    await scene.bot.net
      .as(people.troll)
      .channelInvites.answer({ channelId: "memes", role: "member", accept: true });
    const preview = await scene.run("moderator", "invite", { ...troll, revoke: true });
    expect(preview.text).toContain("restricted");
    expect((await scene.click("moderator", preview, "Take it back")).text).toContain("Removal · done");
    expect(await listed("channelRestrictedUsers")).toBe(1);
  });

  test("does not remove one who accepted between preview and click", async () => {
    await invite();
    const preview = await scene.run("moderator", "invite", { ...troll, revoke: true });
    await scene.bot.net
      .as(people.troll)
      .channelInvites.answer({ channelId: "memes", role: "member", accept: true });
    expect((await scene.click("moderator", preview, "Take it back")).text).toContain(
      "answered the invite in the meantime",
    );
    expect(await listed("channelMembers")).toBe(1);
  });

  test("sends the moderator of a channel to its owner", async () => {
    expect((await scene.run("owner", "invite", { user: "2", revoke: true })).text).toContain(
      "can remove moderators",
    );
  });
});

test("/who list:invites shows who was invited by whom", async () => {
  await invite();
  await followLinks(scene.bot);
  await pollListings(scene.bot, "memes");
  const seen = await scene.run("moderator", "who", { list: "invites" });
  expect(seen.text).toContain("@trudy** (fid 7) · since");
  expect(seen.text).toContain("· as member · by Castellan");
  expect(seen.text).toContain("1 of 100 calls");
  expect((await scene.run("stranger", "who", { list: "invites" })).text).toContain("You may not view");
});
