import { beforeEach, describe, expect, test } from "vitest";
import type { FeedKind } from "../../src/feed/feed-kinds.ts";
import { isForReaders } from "../../src/feed/feed-kinds.ts";
import { addFeed } from "../../src/feed/feeds.ts";
import { renderPost } from "../../src/feed/render/lay-out.ts";
import { saveRoomSettings, usualSettings } from "../../src/feed/room-settings.ts";
import type { RoomEmbed, Rooms } from "../../src/feed/rooms.ts";
import { languageCodes, textsFor } from "../../src/languages/languages.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { newEvent, type EventContent } from "../../src/observe/events.ts";
import { applyRecords, pollRecords } from "../../src/observe/records/poll-records.ts";
import { followLinks } from "../../src/observe/sources.ts";
import { eraseAuthor } from "../../src/retention/erase-author.ts";
import { eventCase, hash, hostile, kinds, lookups, sample } from "../support/announced-events.ts";
import { createStrictRooms, type StrictRooms } from "../support/discord.ts";
import { deliver } from "../support/jobs.ts";
import { guild } from "../support/observer.ts";
import { sendNow } from "../support/outbox.ts";
import { castRow } from "../support/rules.ts";
import { useObserver } from "../support/scenes.ts";
import { people, seedChannel } from "../support/world.ts";

const { troll } = people;
const room = "200000000000000001";
const picture = "https://pictures.example/cat.png?size=2";

describe("a post for readers", () => {
  const known = (locale: string) =>
    lookups({
      channels: new Map([["memes", "Memes"]]),
      texts: textsFor(locale).posts,
      forReaders: true,
      cases: new Map([
        [4812, eventCase({ reason: "a private word", actorKind: "rule", ruleId: "secret-rule" })],
      ]),
    });
  const render = (kind: (typeof kinds)[number], locale: string) => renderPost([sample(kind)], known(locale));
  const all = languageCodes.flatMap((locale) => kinds.map((kind) => [kind, locale] as const));

  test.each(all)(
    "about %s in %s has a line, no button, no number and nothing of moderators",
    (kind, locale) => {
      const { embed, buttons } = render(kind, locale);
      const { title = "", description = "", footer, timestamp } = embed;
      const text = `${title}\n${description}`;
      expect(buttons).toEqual([]);
      expect(footer).toBeUndefined();
      // Identifies it after a crash.
      expect(timestamp).toBe(1_700_000_000_812);
      expect(title.length).toBeLessThanOrEqual(256);
      expect(description.length).toBeLessThanOrEqual(4096);
      expect(text.trim().length).toBeGreaterThan(5);
      expect(text).not.toMatch(/\b[CERB]-\d|<@99>|private|secret|undefined/);
      expect(text.replace(/`[^`]*`|\\./g, "·")).not.toMatch(/@everyone|<@1>|https:|\|\||\u202e/);
      expect(text === `\n${textsFor(locale).posts.readers.notHere}`).toBe(!isForReaders(sample(kind)));
    },
  );

  test("has a line of its own for each kind", () => {
    const lines = Object.fromEntries(
      kinds
        .filter((kind) => isForReaders(sample(kind)))
        .map((kind) => {
          const { title, description } = render(kind, "en-US").embed;
          return [kind, (title ?? description)?.slice(0, 40)];
        }),
    );
    expect(lines).toMatchObject({
      "cast.created": "Cast in Memes: @alice",
      "cast.removed": "Cast removed in Memes: @alice",
      "record.hidden": "Cast hidden in Memes: @alice",
      "record.unhidden": "Cast shown again in Memes: @alice",
      "user.banned": "Banned from Memes: @alice",
      "user.unbanned": "Ban lifted in Memes: @alice",
      "member.joined": "Joined Memes: @alice",
      "invite.created": "Invited to join Memes: @alice",
      "pin.changed": "Unpinned in Memes",
      "channel.edited": "Memes was edited: name",
    });
  });

  test("leaves out what follows from another event, and quotes nothing of a hidden cast", () => {
    const group = [sample("record.hidden"), sample("user.banned"), sample("member.left"), sample("rule.hit")];
    const { embed } = renderPost(group, known("en-US"));
    expect(embed.description).toBe("Cast hidden in Memes: @alice\nBanned from Memes: @alice");
    expect(embed).not.toHaveProperty("url");
  });

  const embedded = (embeds: string[], gone = false) => {
    const data = { castHash: hash, text: "gm", rootHash: hash, threadDepth: 0, mentions: [], embeds };
    const casts = new Map([
      [hash, { fid: 7, body: { ...data, mentionsPositions: [], quotes: [] }, hidden: gone, gone }],
    ]);
    return renderPost([sample("cast.created", { data })], { ...known("en-US"), casts }).embed;
  };
  test.each([
    [picture, picture],
    ["https://imagedelivery.net/abc/def/original", "https://imagedelivery.net/abc/def/original"],
    ["http://pictures.example/cat.png", undefined],
    ["https://user:pass@pictures.example/cat.png", undefined],
    ["https://pictures.example/cat.svg", undefined],
    ["https://imagedelivery.net.evil.example/x", undefined],
    ["https://pictures.example/cat", undefined],
    [`https://pictures.example/${"c".repeat(2100)}.png`, undefined],
    ["cat.png", undefined],
  ])("has %s as its picture only if Discord can load it safely", (address, image) => {
    expect(embedded([address]).image).toBe(image);
    const below = image === undefined ? /^> gm\n(?:Picture|Link): `/ : /^> gm$/;
    expect(embedded([address]).description).toMatch(below);
  });

  test("has text, the first picture, other addresses as code, and a link in its title", () => {
    expect(embedded(["https://site.example/page", picture, "https://b.example/2.png"])).toMatchObject({
      title: "Cast in Memes: @alice",
      description: "> gm\nLink: `https://site.example/page`\nPicture: `https://b.example/2.png`",
      image: picture,
      url: `https://farcaster.xyz/~/conversations/${hash}`,
    });
    expect(JSON.stringify(embedded([picture], true))).not.toMatch(/gm|pictures|conversations/);
  });

  test("shows no words of strangers as anything but text", () => {
    expect(render("cast.created", "en-US").embed.description).not.toContain(hostile);
  });
});

const observer = await useObserver();
let rooms: StrictRooms;
let made: number;
/** Everything that was ever sent, also if it was edited later. */
let sent: RoomEmbed[];

beforeEach(async () => {
  await seedChannel(observer.context, "memes", guild);
  made = 0;
  sent = [];
  const strict = createStrictRooms(observer.context.clock);
  rooms = {
    ...strict,
    post: async (roomId, message) => {
      const id = await strict.post(roomId, message);
      sent.push(...message.embeds);
      return id;
    },
    // Its posts are counted there.
    get posts() {
      return strict.posts;
    },
  };
});

const follow = (forReaders: boolean, ...followed: FeedKind[]) =>
  addFeed(
    observer.context,
    {
      guildId: guild,
      roomId: room,
      channelIds: null,
      kinds: followed,
      namePattern: null,
      peopleOnly: false,
      createdBy: "1",
    },
    forReaders,
  );
const happen = (content: EventContent, subjectFid: number = troll) => {
  made += 1;
  const about = { sourceKey: `test:${made}`, channelId: "memes", subjectFid };
  return observer.context.happen(newEvent(observer.context.clock.now(), { ...content, ...about }));
};
/** A cast with a picture, as the network has it and the hub brings it. */
async function say(text: string, threadDepth = 0): Promise<string> {
  const { database, net } = observer.context;
  const castHash = await net.seed.cast({ fid: troll, channelId: "memes", text });
  const row = castRow(castHash, {
    fid: troll,
    text,
    embeds: JSON.stringify([picture]),
    thread_depth: threadDepth,
  });
  await database.query.insertInto("castellan.casts").values(row).execute();
  const data = { castHash, text, rootHash: castHash, threadDepth, mentions: [], embeds: [picture] };
  await happen({ kind: "cast.created", data });
  return castHash;
}
/** As the network's records show it: the cast in the index, and the event. */
async function moderate(castHash: string, action: "hide" | "unhide"): Promise<void> {
  await observer.context.database.transaction((tx) => applyRecords(tx, [{ castHash, action }]));
  await happen({ kind: action === "hide" ? "record.hidden" : "record.unhidden", data: { castHash } });
}
const post = () => deliver(observer.context, rooms, room);
const edit = (with_: Rooms = rooms) => sendNow(observer.context, with_);
const shown = () => JSON.stringify(rooms.shown(room).map(({ embeds }) => embeds));
const gone = "This cast is no longer shown.";

describe("a room for readers", () => {
  test("shows a cast until it is hidden, and again when it is shown again", async () => {
    await follow(true, "casts");
    const castHash = await say("gm SECRET");
    await post();
    expect(shown()).toMatch(/> gm SECRET.*cat\.png/);
    await moderate(castHash, "hide");
    await edit();
    expect(shown()).toContain(gone);
    expect(shown()).not.toMatch(/SECRET|cat\.png|conversations/);
    await moderate(castHash, "unhide");
    await edit();
    expect(shown()).toMatch(/> gm SECRET.*cat\.png/);
  });

  test("removes a cast that a moderator hides, and says nothing of the moderator", async () => {
    const { context } = observer;
    await follow(true, "casts", "records");
    const castHash = await say("gm SECRET");
    await post();
    const about = { guildId: guild, channelId: "memes", kind: "hide" as const, targetCast: castHash };
    const actor = { userId: "99" };
    const { id } = await context.database.transaction((tx) =>
      proposeCase(tx, context.clock, { ...about, actor, publicReason: "a private word" }),
    );
    await applyCase(context, id);
    await followLinks(context);
    await pollRecords(context, "memes");
    await edit();
    await post();
    expect(shown()).toContain("Cast hidden in memes");
    expect(shown()).not.toMatch(/SECRET|cat\.png|private|<@99>|C-\d/);
  });

  const remove = async (castHash: string) => {
    await observer.context.database.query
      .updateTable("castellan.casts")
      .set({ removed_at: 1 })
      .where("hash", "=", castHash)
      .execute();
    await happen({ kind: "cast.removed", data: { castHash } });
  };
  test.each<[string, (castHash: string) => Promise<void>]>([
    ["its author deletes it", remove],
    ["it is hidden", (castHash) => moderate(castHash, "hide")],
  ])("loses a pinned cast when %s, wherever it shows it", async (_, vanish) => {
    await follow(true, "casts", "pins");
    const castHash = await say("gm SECRET");
    await post();
    await happen({ kind: "pin.changed", data: { castHash, previousHash: null } });
    await post();
    expect(shown().match(/SECRET/g)).toHaveLength(2);
    await vanish(castHash);
    await edit();
    expect(shown()).not.toMatch(/SECRET|cat\.png/);
  });

  test("loses all replies of a banned user, and keeps other casts of theirs", async () => {
    const { context } = observer;
    await follow(true, "casts");
    await say("gm ROOT");
    await say("a REPLY", 1);
    await post();
    const about = { guildId: guild, channelId: "memes", kind: "ban" as const, targetFid: troll };
    const { id } = await context.database.transaction((tx) =>
      proposeCase(tx, context.clock, { ...about, actor: { userId: "99" } }),
    );
    await applyCase(context, id);
    await edit();
    expect(shown()).toContain("ROOT");
    expect(shown()).not.toContain("REPLY");
  });

  test("shows nothing of a cast that is hidden while its post waits", async () => {
    await follow(true, "casts");
    const castHash = await say("gm SECRET");
    await moderate(castHash, "hide");
    await post();
    expect(JSON.stringify(sent)).toContain(gone);
    expect(JSON.stringify(sent)).not.toContain("SECRET");
  });

  test("sends nothing of it from the post that is bound when it is hidden", async () => {
    await follow(true, "casts");
    const castHash = await say("gm SECRET");
    rooms.faults.push("unreachable");
    await post();
    await moderate(castHash, "hide");
    observer.context.clock.advance(60);
    await post();
    await edit();
    expect(JSON.stringify(sent)).toContain(gone);
    expect(JSON.stringify(sent)).not.toMatch(/SECRET|cat\.png/);
    expect(shown()).not.toContain("SECRET");
  });

  test("repeats the edit until it is done, also after an hour, and past news that waits", async () => {
    await follow(true, "casts");
    const castHash = await say("gm SECRET");
    await post();
    await moderate(castHash, "hide");
    await say("news that waits");
    const broken = { ...rooms, edit: () => Promise.reject(new Error("ECONNRESET")) };
    for (let tries = 0; tries < 3; tries += 1) {
      await edit(broken);
      observer.context.clock.advance(3600);
    }
    expect(shown()).toContain("SECRET");
    await edit();
    expect(shown()).not.toContain("SECRET");
  });

  test("gets each post once, though none has a number", async () => {
    await follow(true, "casts", "pins");
    const first = await say("gm one");
    rooms.faults.push("lost_answer");
    await post();
    // The nonce is forgotten by then.
    observer.context.clock.advance(3600);
    await happen({ kind: "pin.changed", data: { castHash: first, previousHash: null } });
    await post();
    const titles = rooms.shown(room).flatMap(({ embeds }) => embeds.map(({ title }) => title));
    expect(titles).toEqual([`Cast in memes: fid ${troll}`, `Pinned in memes: fid ${troll}`]);
    expect(shown()).not.toContain("footer");
  });

  test("forgets an erased author, also in a post that is not sent yet", async () => {
    await follow(true, "casts");
    await say("gm SECRET");
    rooms.faults.push("unreachable");
    await post();
    await eraseAuthor(observer.context, troll);
    observer.context.clock.advance(60);
    await post();
    await edit();
    expect(JSON.stringify(sent)).not.toMatch(/SECRET|cat\.png/);
    expect(shown()).toContain("erased at the author's request");
    expect(shown()).not.toMatch(/SECRET|cat\.png|footer/);
  });

  const alert: EventContent = {
    kind: "rule.alert",
    data: { guildId: guild, ruleId: "r", text: "only for MODERATORS" },
  };
  test("gets nothing that is for moderators, and what a rule posts there", async () => {
    await follow(true, "rules", "health", "reviews", "cases", "members");
    await happen(alert);
    await happen({
      kind: "rule.alert",
      data: { guildId: guild, ruleId: "r", text: "hello all", roomId: room },
    });
    await happen({ kind: "member.joined", data: { at: 0 } });
    await post();
    expect(sent.map(({ title, description }) => [title, description])).toEqual([
      [undefined, "hello all"],
      [undefined, `Joined memes: fid ${troll}`],
    ]);
  });

  const set = (forReaders: boolean) =>
    saveRoomSettings(
      observer.context,
      { guildId: guild, userId: "1", roomId: room, what: "changed it" },
      { ...usualSettings, forReaders },
    );
  test("drops what waited for moderators when it becomes one, and shows the rest as for readers", async () => {
    await follow(false, "rules", "members");
    await happen(alert);
    await happen({ kind: "member.joined", data: { at: 0 } });
    await set(true);
    await post();
    expect(sent).toMatchObject([{ description: `Joined memes: fid ${troll}` }]);
    expect(sent[0]).not.toHaveProperty("footer");
  });

  test("sends a bound post as it is, and edits it then", async () => {
    await follow(false, "rules");
    await happen(alert);
    rooms.faults.push("lost_answer");
    await post();
    await set(true);
    observer.context.clock.advance(60);
    await post();
    await edit();
    expect(rooms.posts).toBe(1);
    expect(shown()).toContain("This is not shown here.");
    expect(shown()).not.toContain("MODERATORS");
  });

  test("has digests without commands and numbers", async () => {
    await follow(true, "members");
    for (let count = 0; count < 3; count += 1)
      await happen({ kind: "member.joined", data: { at: 0 } }, 100 + count);
    await saveRoomSettings(
      observer.context,
      { guildId: guild, userId: "1", roomId: room, what: "changed it" },
      { ...usualSettings, forReaders: true, digestSeconds: 300 },
    );
    await post();
    expect(shown()).toContain("members: **3**");
    expect(shown()).not.toMatch(/\/feed|E-\d|Cases/);
  });
});
