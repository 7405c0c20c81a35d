import { beforeEach, expect, test } from "vitest";
import { sql } from "kysely";
import { deliverAll, hasMessagesToSend } from "../support/jobs.ts";
import { countUnshown } from "../../src/feed/deliver/unshown.ts";
import { addFeed, listFeeds } from "../../src/feed/feeds.ts";
import { newEvent, type NewChannelEvent } from "../../src/observe/events.ts";
import { request } from "../../src/outbox/request.ts";
import { createRooms } from "../../src/discord/rooms.ts";
import { createStrictRooms, type StrictRooms } from "../support/discord.ts";
import { collectLog } from "../support/log.ts";
import { guild } from "../support/observer.ts";
import { sendNow } from "../support/outbox.ts";
import { useObserver } from "../support/scenes.ts";

const [room, other] = ["200000000000000001", "200000000000000002"];
let rooms: StrictRooms;
let logged: ReturnType<typeof collectLog>;
let made: number;

const observer = await useObserver();
beforeEach(async () => {
  await observer.link("memes");
  rooms = createStrictRooms(observer.context.clock);
  logged = collectLog();
  made = 0;
  for (const roomId of [room, other]) {
    const about = { channelIds: null, namePattern: null, peopleOnly: false, createdBy: "1" };
    await addFeed(observer.context, { guildId: guild, roomId, kinds: ["bans", "members"], ...about });
  }
});

async function happen(count: number, ...more: Partial<NewChannelEvent>[]): Promise<void> {
  const { context } = observer;
  const events = Array.from({ length: count }, (_, index): NewChannelEvent => {
    made += 1;
    const about = { sourceKey: `test:${made}`, channelId: "memes", subjectFid: made };
    const event = newEvent(context.clock.now(), { kind: "user.banned", data: { at: 0 }, ...about });
    return { ...event, ...more[index] } as NewChannelEvent;
  });
  await context.database.transaction((tx) => context.appendEvents(tx, events));
}

const spoil = (id: number, change: ReturnType<typeof sql>) =>
  sql`update castellan.events set ${change} where id = ${id}`.execute(observer.context.database.query);
const deliverNow = () => deliverAll({ ...observer.context, log: logged.log }, rooms);
const expected = (from: number, until: number) =>
  Array.from({ length: until - from + 1 }, (_, index) => `E-${from + index}`);
/** Has the room's only message edited, of these events. Which room's message is the first differs. */
async function askForEdit(...eventIds: number[]): Promise<void> {
  const { database, clock } = observer.context;
  const messages = database.query.selectFrom("castellan.feed_messages").select("id");
  const { id } = await messages.where("room_id", "=", room).executeTakeFirstOrThrow();
  const asked = { key: String(id), destination: room, requestedAtMs: clock.now(), data: { eventIds } };
  await request(database.query, [{ kind: "edit", ...asked }]);
}
const textOf = (number: string) =>
  rooms
    .shown(room)
    .flatMap(({ embeds }) => embeds)
    .find(({ footer }) => footer === number)?.description;

test.each([
  ["of a kind that only a newer version knows", sql`kind = 'channel.sung'`],
  ["without its data", sql`kind = 'record.hidden', data = 'null'`],
  ["with data of another shape", sql`kind = 'review.held', data = '{"itemId": "none", "guildId": 7}'`],
])(
  "an event %s is told as one that could not be shown, and every other arrives in order",
  async (_, change) => {
    await happen(23);
    await spoil(7, change);
    await deliverNow();
    await deliverNow();
    for (const each of [room, other]) expect(rooms.numbers(each)).toEqual(expected(1, 23));
    expect(textOf("E-7")).toContain("E-7 could not be shown");
    expect(textOf("E-8")).not.toContain("could not be shown");
    expect(await hasMessagesToSend(observer.context)).toBe(false);
    const queues = (await listFeeds(observer.context, guild)).map(({ roomQueue }) => roomQueue);
    expect(queues).toMatchObject([
      { waiting: 0, error: null },
      { waiting: 0, error: null },
    ]);
    expect(await countUnshown(observer.context.database, guild)).toEqual(
      new Map([
        [room, 1],
        [other, 1],
      ]),
    );
    expect(logged.lines).toContainEqual(
      expect.objectContaining({ level: 50, event: 7, msg: "event E-7 could not be shown" }),
    );
  },
);

test("what follows an event that cannot be shown is told by itself", async () => {
  await happen(3);
  const { query } = observer.context.database;
  await query.updateTable("castellan.feed_rows").set({ head_id: 2 }).where("event_id", "=", 3).execute();
  await spoil(2, sql`data = 'null', kind = 'record.hidden'`);
  await deliverNow();
  expect(rooms.numbers(room)).toEqual(expected(1, 3));
  expect(textOf("E-3")).not.toContain("could not be shown");
});

test("a follower that cannot be shown costs its event nothing", async () => {
  await happen(3);
  const { query } = observer.context.database;
  await query.updateTable("castellan.feed_rows").set({ head_id: 2 }).where("event_id", "=", 3).execute();
  await spoil(3, sql`data = 'null', kind = 'record.hidden'`);
  await deliverNow();
  expect(rooms.numbers(room)).toEqual(expected(1, 3));
  expect(textOf("E-2")).not.toContain("could not be shown");
  expect(textOf("E-3")).toContain("could not be shown");
});

test("where old events are summed up, or a room has things summed up, it is the same", async () => {
  await happen(30);
  const { query } = observer.context.database;
  await query.updateTable("castellan.events").set({ occurred_at: 1 }).execute();
  await query.updateTable("castellan.room_queues").set({ digest_seconds: 600 }).execute();
  await spoil(4, sql`occurred_at = 999999999999999`);
  for (let times = 0; times < 10; times += 1) {
    await deliverNow();
    observer.context.clock.advance(700);
  }
  expect(await hasMessagesToSend(observer.context)).toBe(false);
});

test("a room that cannot be served rests, and holds up no other", async () => {
  await happen(1);
  const { context } = observer;
  const { database } = context;
  let served = 0;
  const transaction: typeof database.transaction = (work) =>
    ++served === 1 ? Promise.reject(new Error("made to fail")) : database.transaction(work);
  await deliverAll({ ...context, log: logged.log, database: { ...database, transaction } }, rooms);
  const shown = () => rooms.shown(room).length + rooms.shown(other).length;
  expect(shown()).toBe(1);
  await deliverNow();
  expect(shown()).toBe(1);
  context.clock.advance(60);
  await deliverNow();
  expect(shown()).toBe(2);
});

test.each([
  ["without what its sentence needs", sql`kind = 'username_proof.merged', data = '{}'`],
  ["of a kind that only a newer version knows", sql`kind = 'channel.sung'`],
  ["without its data", sql`kind = 'record.hidden', data = 'null'`],
  ["with data of another shape", sql`kind = 'review.held', data = '{"itemId": "none", "guildId": 7}'`],
])("an edit says of an event %s that it cannot be shown, and edits the rest", async (_, change) => {
  await happen(2);
  await deliverNow();
  const { context } = observer;
  await askForEdit(1, 2);
  await spoil(1, change);
  await spoil(2, sql`kind = 'user.unbanned'`);
  await sendNow({ ...context, log: logged.log }, rooms);
  expect(textOf("E-1")).toContain("could not be shown");
  expect(rooms.shown(room)[0]?.embeds[1]?.title).toContain("Ban lifted");
});

test("a message that cannot be written as Discord wants it is refused, and not waited for", async () => {
  const onRefused = () => {};
  const discord = createRooms({ token: "a-token-of-nobody", api: "http://127.0.0.1:9", onRefused });
  const posting = discord.post(room, { nonce: "1", embeds: [{ title: "When?", timestamp: Number.NaN }] });
  await expect(posting).rejects.toMatchObject({ code: "message_refused" });
});
