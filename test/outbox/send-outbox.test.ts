import { beforeEach, describe, expect, test } from "vitest";
import type { CodeOutcome } from "../../src/database/tables/moderation.ts";
import type { OutboxKind } from "../../src/database/tables/outbox.ts";
import { AppError } from "../../src/errors.ts";
import { addFeed } from "../../src/feed/feeds.ts";
import { requestEdits } from "../../src/feed/request-edits.ts";
import type { Rooms } from "../../src/feed/rooms.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { createProposeRuleAction } from "../../src/moderation/cases/propose-rule-action.ts";
import { newEvent } from "../../src/observe/events.ts";
import { request } from "../../src/outbox/request.ts";
import { hasOutbox } from "../../src/outbox/send-outbox.ts";
import { makeAppeal } from "../../src/reviews/appeals.ts";
import { decideItem } from "../../src/reviews/decide-item.ts";
import { createStrictRooms, type StrictRooms } from "../support/discord.ts";
import { deliver } from "../support/jobs.ts";
import { sendNow } from "../support/outbox.ts";
import { people, seedChannel, verifyDiscord } from "../support/world.ts";
import { useEmptyWorld } from "../support/test-cases.ts";

const guild = "g1";
const room = "200000000000000001";
const person = "300000000000000001";
let rooms: StrictRooms;

const bot = await useEmptyWorld();
beforeEach(async () => {
  await seedChannel(bot, "memes", guild);
  await verifyDiscord(bot, people.troll, person);
  rooms = createStrictRooms(bot.clock);
});

async function banned(fid: number = people.troll): Promise<number> {
  const about = { guildId: guild, channelId: "memes", kind: "ban", targetFid: fid } as const;
  const propose = { ...about, actor: { userId: "1" } };
  const { id } = await bot.database.transaction((tx) => proposeCase(tx, bot.clock, propose));
  await bot.database.query
    .updateTable("castellan.cases")
    .set({ state: "applied" })
    .where("id", "=", id)
    .execute();
  return id;
}

async function notice(fid: number = people.troll): Promise<void> {
  const key = String(await banned(fid));
  const asked = { key, destination: `${guild} ${fid}`, requestedAtMs: bot.clock.now() };
  await request(bot.database.query, [{ kind: "notice", ...asked, data: { template: "You were banned." } }]);
}

async function answer(): Promise<void> {
  const { clock, database } = bot;
  const appeal = { guildId: guild, userId: person, fids: [people.troll], text: "please", locale: "en-US" };
  const { itemId } = await makeAppeal(bot, { ...appeal, caseId: await banned() });
  const tools = { clock, propose: createProposeRuleAction(clock) };
  await database.transaction((tx) =>
    decideItem(tx, tools, itemId, "dismiss", { userId: "1", fid: people.owner }),
  );
}

async function proof(roomId = room, outcome: CodeOutcome = "late"): Promise<void> {
  const { query } = bot.database;
  const now = bot.clock.now();
  const key = `0x${roomId.padStart(40, "a")}`;
  const code = { guild_id: guild, channel_id: "memes", user_id: person, room_id: roomId };
  await query
    .insertInto("castellan.link_codes")
    .values({ ...code, code: `code ${roomId}`, made_at_ms: now, expires_at_ms: now, used_at_ms: null })
    .execute();
  const cast = { cast_hash: key, code: `code ${roomId}`, fid: people.owner, merged_at: 1, is_exact: true };
  await query
    .insertInto("castellan.code_casts")
    .values({ ...cast, signer: null, outcome, judged_at_ms: now })
    .execute();
  await request(query, [{ kind: "proof", key, destination: roomId, requestedAtMs: now }]);
}

/** A post of a ban that was lifted since. */
async function edit(roomId = room): Promise<void> {
  const { database, clock } = bot;
  const all = { channelIds: null, namePattern: null, peopleOnly: false, createdBy: "1" };
  await addFeed(bot, { guildId: guild, roomId, kinds: ["bans"], ...all });
  const content = { kind: "user.banned", data: { at: 0 } } as const;
  const about = { sourceKey: `test:${roomId}`, channelId: "memes", subjectFid: people.troll };
  const [event] = await bot.happen(newEvent(clock.now(), { ...content, ...about }));
  await deliver(bot, rooms, roomId);
  await database.query
    .updateTable("castellan.events")
    .set({ kind: "user.unbanned", data: "{}" })
    .where("id", "=", event?.id ?? 0)
    .execute();
  await again(event?.id ?? 0);
}

const again = (eventId: number) =>
  bot.database.transaction((tx) => requestEdits(tx, { groups: [], eventIds: [eventId] }, bot.clock.now()));

type Message = Exclude<OutboxKind, "webhook">;
const kinds: Record<Message, { ask: () => Promise<void>; where: string; says: string; hours: number }> = {
  notice: { ask: notice, where: `direct ${person}`, says: "You were banned from /memes", hours: 6 },
  answer: { ask: answer, where: `direct ${person}`, says: "Your appeal was not granted", hours: 1 },
  proof: { ask: proof, where: room, says: "was cast too late", hours: 1 },
  edit: { ask: edit, where: room, says: "Ban lifted", hours: 1 },
};
const everyKind = Object.entries(kinds);

const said = (where: string) =>
  rooms
    .shown(where)
    .flatMap(({ embeds }) => embeds.map(({ title, description }) => `${title}: ${description}`));
const states = async () =>
  (await bot.database.query.selectFrom("castellan.outbox").select("state").orderBy("id").execute()).map(
    ({ state }) => state,
  );

/** Rooms of a process that dies when it has posted or edited something. */
function dying(): { rooms: Rooms; died: Promise<void> } {
  let die: () => void;
  const died = new Promise<void>((resolve) => (die = resolve));
  const forEver = () => {
    die();
    return new Promise<never>(() => {});
  };
  return {
    died,
    rooms: {
      ...rooms,
      post: async (...message) => rooms.post(...message).then(forEver),
      edit: async (...message) => rooms.edit(...message).then(forEver),
    },
  };
}
function refusing(error: unknown): Rooms {
  const refuse = async () => {
    throw error;
  };
  return { ...rooms, post: refuse, edit: refuse };
}

describe.each(everyKind)("%s", (_, { ask, where, says, hours }) => {
  test("is sent once", async () => {
    await ask();
    expect(await hasOutbox(bot)).toBe(true);
    await sendNow(bot, rooms);
    await sendNow(bot, rooms);
    expect(said(where)).toEqual([expect.stringContaining(says)]);
    expect(await states()).toEqual(["sent"]);
    expect(await hasOutbox(bot)).toBe(false);
  });

  test("is there once where the process dies between sending and storing, though Discord forgot the nonce", async () => {
    await ask();
    const { rooms: of, died } = dying();
    void sendNow(bot, of);
    await died;
    // Another process leaves what is leased.
    expect(await hasOutbox(bot)).toBe(false);
    await sendNow(bot, rooms);
    expect(await states()).toEqual(["waiting"]);
    bot.clock.advance(600);
    expect(await hasOutbox(bot)).toBe(true);
    await sendNow(bot, rooms);
    expect(said(where)).toEqual([expect.stringContaining(says)]);
    expect(await states()).toEqual(["sent"]);
  });

  test("is sent once by two processes", async () => {
    await ask();
    const { posts } = rooms;
    await Promise.all([sendNow(bot, rooms), sendNow(bot, rooms)]);
    expect(said(where)).toEqual([expect.stringContaining(says)]);
    expect(rooms.posts - posts).toBeLessThanOrEqual(1);
    expect(await states()).toEqual(["sent"]);
  });

  test("is tried until it expires, and not after that", async () => {
    await ask();
    const away = refusing(new Error("Discord is away"));
    await sendNow(bot, away);
    bot.clock.advance(hours * 3600 - 60);
    await sendNow(bot, away);
    expect(await states()).toEqual(["waiting"]);
    bot.clock.advance(3600);
    await sendNow(bot, away);
    expect(await states()).toEqual(["failed"]);
    bot.clock.advance(3600);
    await sendNow(bot, rooms);
    expect(said(where).join()).not.toContain(says);
  });

  test("is tried again no sooner than Discord says", async () => {
    await ask();
    await sendNow(bot, refusing(new AppError("discord_unreachable", "Busy.", { retryAfter: 1000 })));
    bot.clock.advance(990);
    expect(await hasOutbox(bot)).toBe(false);
    bot.clock.advance(11);
    await sendNow(bot, rooms);
    expect(said(where)).toEqual([expect.stringContaining(says)]);
  });
});

const closed = new AppError("room_unavailable", "That room is gone.");
const blocked = new AppError("message_blocked", "AutoMod.");
const refused = new AppError("message_refused", "Invalid.");
test.each<[Message, AppError, string]>([
  ["notice", closed, "failed"],
  ["notice", blocked, "failed"],
  ["notice", refused, "failed"],
  ["answer", closed, "failed"],
  ["answer", blocked, "failed"],
  ["proof", closed, "failed"],
  ["proof", refused, "failed"],
  ["proof", blocked, "waiting"],
  ["edit", closed, "waiting"],
  ["edit", blocked, "waiting"],
  ["edit", refused, "waiting"],
  ["edit", new AppError("message_gone", "Deleted."), "sent"],
])("%s that fails with %s: %s", async (kind, error, state) => {
  await kinds[kind].ask();
  await sendNow(bot, refusing(error));
  expect(await states()).toEqual([state]);
});

test("a destination that is refused, or does not answer, holds up no other", async () => {
  await edit("1");
  await notice();
  await proof("2");
  await proof("3");
  await sendNow(bot, {
    ...rooms,
    edit: () => Promise.reject(new Error("Discord is away")),
    post: (where, message) => (where === "2" ? Promise.reject(closed) : rooms.post(where, message)),
  });
  expect(said(`direct ${person}`)).toHaveLength(1);
  expect(said("3")).toHaveLength(1);
  expect(await states()).toEqual(["waiting", "sent", "failed", "sent"]);
});

test("what goes to one person goes one by one, so that no two processes exceed what they get in an hour", async () => {
  for (let times = 0; times < 4; times += 1) await notice();
  await Promise.all([sendNow(bot, rooms), sendNow(bot, rooms)]);
  bot.clock.advance(61);
  await sendNow(bot, rooms);
  expect((await states()).toSorted()).toEqual(["dropped", "sent", "sent", "sent"]);
});

test("an edit that is asked for while the message is edited is done after that", async () => {
  await edit();
  const events = bot.database.query.selectFrom("castellan.events").select("id").orderBy("id");
  const { id } = await events.executeTakeFirstOrThrow();
  let edits = 0;
  const counting: Rooms = {
    ...rooms,
    async edit(...message) {
      edits += 1;
      if (edits === 1) await again(id);
      return rooms.edit(...message);
    },
  };
  await sendNow(bot, counting);
  await sendNow(bot, counting);
  expect(edits).toBe(2);
  expect(await states()).toEqual(["sent"]);
});

test("what is turned off while it is tried stays so", async () => {
  await notice();
  await sendNow(bot, {
    ...rooms,
    async post() {
      await bot.database.query.updateTable("castellan.outbox").set({ state: "dropped" }).execute();
      throw new Error("Discord is away");
    },
  });
  expect(await states()).toEqual(["dropped"]);
});
