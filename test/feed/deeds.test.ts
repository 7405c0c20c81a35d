import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deliver } from "../../src/feed/deliver/deliver.ts";
import { editMessages } from "../../src/feed/deliver/edit-messages.ts";
import type { FeedKind } from "../../src/feed/feed-kinds.ts";
import { addFeed } from "../../src/feed/feeds.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import { createProposeRuleAction, proposeCase } from "../../src/moderation/cases/propose.ts";
import { newEvent, type EventContent } from "../../src/observe/events.ts";
import { createStrictRooms, type StrictRooms } from "../support/discord.ts";
import { guild } from "../support/observer.ts";
import { castRow } from "../support/rules.ts";
import { createWorld, people, seedChannel, type World } from "../support/world.ts";

const room = "200000000000000001";
const { troll } = people;
let bot: World;
let rooms: StrictRooms;
let made = 0;

beforeAll(async () => void (bot = await createWorld()));
afterAll(() => bot.database.close());
beforeEach(start);

async function start(): Promise<void> {
  await bot.database.truncate();
  await seedChannel(bot, "memes", guild);
  rooms = createStrictRooms(bot.clock);
  await hear("bans", "members", "restrictions", "invites", "records", "rules", "pins", "health");
}

const hear = (...kinds: FeedKind[]) =>
  addFeed(bot, {
    guildId: guild,
    roomId: room,
    channelIds: null,
    kinds,
    namePattern: null,
    peopleOnly: false,
    createdBy: "1",
  });

/** Stored together, as one reading shows them. */
function happen(...contents: EventContent[]) {
  return happenTo(troll, ...contents);
}
function happenTo(fid: number, ...contents: EventContent[]) {
  const events = contents.map((content) => {
    made += 1;
    return newEvent(bot.clock.now(), {
      ...content,
      sourceKey: `test:${made}`,
      channelId: "memes",
      subjectFid: fid,
    });
  });
  return bot.happen(...events);
}

const banned: EventContent = { kind: "user.banned", data: { at: 0 } };
const unbanned: EventContent = { kind: "user.unbanned", data: {} };
const restricted: EventContent = { kind: "user.restricted", data: { at: 0 } };
const left: EventContent = { kind: "member.left", data: {} };
const joined: EventContent = { kind: "member.joined", data: { at: 0 } };
const inviteEnded: EventContent = { kind: "invite.ended", data: { role: "member" } };

async function deliverNow(): Promise<void> {
  await deliver(bot, rooms, room);
  await editMessages(bot, rooms, new AbortController().signal);
}
const shown = () =>
  rooms
    .shown(room)
    .flatMap(({ embeds }) => embeds.map(({ title = "", description = "" }) => `${title}\n${description}`));
const titles = () => shown().map((text) => text.split("\n")[0]?.replace(/^[①-⑤] /, ""));

const until = (seconds: number) => `Until <t:${Math.floor(bot.clock.now() / 1000) + seconds}:f>`;

describe("one deed is one post", () => {
  test("of a ban with what follows from it, in whatever order it is read", async () => {
    await happen(left, banned);
    await deliverNow();
    expect(titles()).toEqual(["Banned from memes"]);
    expect(shown()[0]).toContain("No longer a member.");
    expect(rooms.numbers(room)).toEqual(["E-1"]);
  });

  test("also where the rest comes when it is posted already: the post is edited", async () => {
    await happen(banned);
    await deliverNow();
    expect(shown()[0]).not.toContain("No longer a member.");
    await happen(left);
    await deliverNow();
    expect(titles()).toEqual(["Banned from memes"]);
    expect(shown()[0]).toContain("No longer a member.");
  });

  test("and edits give way to news", async () => {
    await happen(banned);
    await happenTo(3, banned);
    await deliver(bot, rooms, room);
    await happen(left);
    await happenTo(3, left);
    await deliver(bot, rooms, room);
    const edit = (mayGoOn: boolean) =>
      editMessages(bot, rooms, new AbortController().signal, () => Promise.resolve(mayGoOn));
    await edit(false);
    expect(shown().join()).not.toContain("No longer a member.");
    await edit(true);
    expect(shown().join().split("No longer a member.")).toHaveLength(3);
  });

  test("of a gap that becomes longer: its post says how long it is by now", async () => {
    const gap = (from: number, until: number): EventContent => ({
      kind: "gap.found",
      data: { source: "hub/1", from, until },
    });
    await happen(gap(100, 160));
    await deliverNow();
    await happen(gap(100, 220));
    await happen(gap(100, 280), gap(900, 910));
    await deliverNow();
    expect(shown()).toEqual([
      expect.stringMatching(/Between <t:100:f> and <t:280:f>/),
      expect.stringMatching(/Between <t:900:f> and <t:910:f>/),
    ]);
  });

  test("of an invite that was accepted, and of a ban that was lifted", async () => {
    await happen(inviteEnded, joined);
    await happenTo(3, unbanned, restricted);
    await deliverNow();
    expect(titles()).toEqual(["Joined memes", "Ban lifted in memes"]);
    expect(shown()[0]).toContain("Accepted the invite as member.");
    expect(shown()[1]).toContain("Restricted: can join again only by invite.");
  });

  test("and what only looks alike has its own: another person, another time, another change", async () => {
    await happen(banned);
    await happenTo(3, left);
    await happen(unbanned);
    await deliverNow();
    bot.clock.advance(120);
    await happen(left);
    await deliverNow();
    expect(titles()).toEqual([
      "Banned from memes",
      "No longer a member of memes",
      "Ban lifted in memes",
      "No longer a member of memes",
    ]);
  });

  test("of a rule's hit with what the rule does, and how that went", async () => {
    const hash = await bot.net.seed.cast({ fid: troll, channelId: "memes", text: "airdrop" });
    await bot.database.query
      .insertInto("castellan.casts")
      .values(castRow(hash, { fid: troll, text: "airdrop" }))
      .execute();
    const place = { rootHash: hash, threadDepth: 0, mentions: [], embeds: [] };
    const [cause] = await happen({
      kind: "cast.created",
      data: { castHash: hash, text: "airdrop", ...place },
    });
    const eventId = cause?.id ?? 0;
    const origin = { guildId: guild, channelId: "memes", eventId, ruleId: "lures", ruleVersion: 1 };
    const proposed = await bot.database.transaction((tx) =>
      createProposeRuleAction(bot.clock)(tx, {
        ...origin,
        actionIndex: 0,
        depth: 1,
        evidence: "airdrop",
        action: { kind: "hide", castHash: hash },
      }),
    );
    const about = { guildId: guild, ruleId: "lures", eventId };
    await happen(
      { kind: "rule.hit", data: { ...about, version: 1, mode: "enforce", actions: ["hide the cast"] } },
      { kind: "strike.added", data: { ...about, points: 2, total: 5 } },
      { kind: "rule.alert", data: { ...about, text: "look" } },
    );
    await deliverNow();
    expect(shown()[0]).toContain("C-1 hide: under way");
    if (!("caseId" in proposed)) throw new Error("no case");
    await applyCase(bot, proposed.caseId);
    await happen({ kind: "record.hidden", data: { castHash: hash } });
    await deliverNow();
    expect(titles()).toEqual(["Rule lures hit in memes"]);
    expect(shown()[0]).toMatch(/C-1 hide: done[^]*airdrop[^]*📣 look/);
  });

  test("that says so when it is undone, and until when it holds", async () => {
    const ban = await propose("ban", 7200);
    await applyCase(bot, ban);
    await happen(banned);
    await deliverNow();
    expect(shown()[0]).toMatch(/Until <t:\d+:f>/);
    await applyCase(bot, await propose("unban"));
    await happen(unbanned, restricted);
    await deliverNow();
    expect(titles()).toEqual(["Banned from memes", "Ban lifted in memes"]);
    expect(shown()[0]).toContain("Undone since.");
    expect(shown()[0]).not.toContain("Until");
  });

  test.each([
    ["not before a longer one is done", false, 3600],
    ["the longest of those in force", true, 7200],
  ])("that says until when it holds: %s", async (_, isDone, seconds) => {
    await applyCase(bot, await propose("ban", 3600));
    const longer = await propose("ban", 7200);
    if (isDone) await applyCase(bot, longer);
    await happen(banned);
    await deliverNow();
    expect(shown()[0]).toContain(until(seconds));
  });

  test("that says until when it holds, also where a longer ban changed that since", async () => {
    await applyCase(bot, await propose("ban", 3600));
    await happen(banned);
    await deliverNow();
    expect(shown()[0]).toContain(until(3600));
    await applyCase(bot, await propose("ban", 7200));
    await deliverNow();
    expect(shown()[0]).toContain(until(7200));
    await applyCase(bot, await propose("ban"));
    await deliverNow();
    expect(shown()[0]).not.toContain("Until");
  });

  test("and what follows something that was only counted is told by itself", async () => {
    for (let fid = 100; fid < 130; fid += 1) await happenTo(fid, banned);
    bot.clock.advance(2 * 3600);
    await deliverNow();
    expect(titles()).toEqual(["30 events that could not be posted in time"]);
    await bot.database.query
      .updateTable("castellan.events")
      .set({ observed_at_ms: bot.clock.now() })
      .execute();
    await happenTo(100, left);
    await deliverNow();
    expect(titles().at(-1)).toBe("No longer a member of memes");
  });

  test("whatever deaths and other workers do: nothing is lost, and nothing told twice", async () => {
    const step = fc.constantFrom("ban", "leave", "deliver", "race", "die", "lost", "gone", "wait");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        await start();
        const who = { banned: 10, left: 10 };
        for (const next of steps) {
          if (next === "ban") await happenTo((who.banned += 1), banned);
          if (next === "leave") await happenTo((who.left += 1), left);
          if (next === "deliver") await deliverNow();
          if (next === "race") await Promise.all([deliver(bot, rooms, room), deliver(bot, rooms, room)]);
          if (next === "die") await deliver(dyingIn(2), rooms, room).catch(() => {});
          if (next === "lost") rooms.faults.push("lost_answer");
          if (next === "gone") rooms.faults.push("gone");
          if (next === "wait") bot.clock.advance(35);
        }
        rooms.faults.length = 0;
        for (let round = 0; round < 3; round += 1) {
          bot.clock.advance(1000);
          await deliverNow();
        }
        const text = shown();
        for (let fid = 11; fid <= who.banned; fid += 1) {
          const own = text.filter((one) => one.includes(`fid ${fid} `) && one.includes("Banned from"));
          expect(own).toHaveLength(1);
        }
        for (let fid = 11; fid <= who.left; fid += 1) {
          const own = text.filter((one) => one.includes(`fid ${fid} `) && /[Nn]o longer a member/.test(one));
          expect(own).toHaveLength(1);
        }
      }),
      { numRuns: 15, endOnFailure: true },
    );
  }, 120_000);
});

async function propose(kind: "ban" | "unban", forSeconds?: number): Promise<number> {
  const about = { guildId: guild, channelId: "memes", kind, targetFid: troll, forSeconds };
  const actor = { userId: "1" };
  const { id } = await bot.database.transaction((tx) => proposeCase(tx, bot.clock, { ...about, actor }));
  return id;
}

/** Dies in the transaction with this number, counting from 1, without a trace of it. */
function dyingIn(transaction: number): World {
  let begun = 0;
  const { database } = bot;
  const die: typeof database.transaction = (work) => {
    begun += 1;
    if (begun === transaction) return Promise.reject(new Error("died here"));
    return database.transaction(work);
  };
  return { ...bot, database: { ...database, transaction: die } };
}
