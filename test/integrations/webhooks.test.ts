import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { WebhookEvent } from "../../src/database/tables/outbox.ts";
import { signWebhook } from "../../src/integrations/post-webhook.ts";
import {
  createWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  sendAgain,
} from "../../src/integrations/webhooks.ts";
import { proposeCase, proposeCases } from "../../src/moderation/cases/propose.ts";
import { unlinkChannel } from "../../src/moderation/link-channel.ts";
import { leaveServers } from "../../src/moderation/servers.ts";
import { newEvent } from "../../src/observe/events.ts";
import { webhookDestination } from "../../src/outbox/request-webhooks.ts";
import { hasOutbox, sendTo } from "../../src/outbox/send-outbox.ts";
import { senders } from "../../workers/senders.ts";
import { createStrictRooms, type StrictRooms } from "../support/discord.ts";
import { callWebhooks, startReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { linkGuild, people, seedChannel } from "../support/world.ts";
import { storedEvents } from "../support/stored.ts";
import { useEmptyWorld } from "../support/test-cases.ts";

const guild = "g1";
let rooms: StrictRooms;
let receiver: WebhookReceiver;

const bot = await useEmptyWorld();
beforeEach(async () => {
  await seedChannel(bot, "memes", guild);
  bot.settings.webhookHosts = ["127.0.0.1"];
  rooms = createStrictRooms(bot.clock);
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const everything: WebhookEvent[] = ["case.opened", "case.settled", "review.opened", "rule.hit", "health"];

/** Gives the secret. */
async function add(events = everything, channelIds = ["memes"], guildId = guild): Promise<string> {
  const webhook = { guildId, name: `hook-${guildId}`, url: receiver.url, events, channelIds, createdBy: "1" };
  const secret = await bot.database.transaction((tx) => createWebhook(tx, bot, webhook));
  await call();
  receiver.calls.length = 0;
  return secret;
}

const call = () => callWebhooks(bot, rooms);

const propose = (channelId = "memes", guildId = guild) =>
  bot.database.transaction((tx) =>
    proposeCase(tx, bot.clock, {
      guildId,
      channelId,
      kind: "ban",
      targetFid: people.troll,
      actor: { userId: "5" },
      publicReason: "spam",
    }),
  );

const locked = { guildId: guild, begun: true, userId: "5", reason: "raid", until: null, hidden: 0 };
const lockdown = (sourceKey = "lockdown 1", channelId = "memes", guildId = guild) =>
  bot.happen(
    newEvent(bot.clock.now(), {
      sourceKey,
      channelId,
      kind: "lockdown.changed",
      data: { ...locked, guildId },
    }),
  );

const deliveries = async () => {
  const [webhook] = await listWebhooks(bot.database.query, guild);
  return webhook ? listDeliveries(bot.database.query, webhook) : [];
};
const states = async () => (await deliveries()).map(({ state }) => state).toReversed();

describe("a call", () => {
  it("is signed as the Standard Webhooks specification says", async () => {
    // The example of the specification's own libraries.
    const message = {
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
    };
    expect(signWebhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", message)).toBe(
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    );
    const secret = await add();
    await lockdown();
    await call();
    const [{ headers, body } = { headers: {}, body: "" }] = receiver.calls;
    const [id, timestamp] = [String(headers["webhook-id"]), Number(headers["webhook-timestamp"])];
    expect(headers["webhook-signature"]).toBe(signWebhook(secret, { id, timestamp, body }));
    expect(timestamp).toBe(Math.floor(bot.clock.now() / 1000));
  });

  it("cannot be sent again at another time, under another id or with another body: each has its signature", () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const message = { id: "msg_1", timestamp: 1_614_265_330, body: "{}" };
    const changed = [
      message,
      { ...message, timestamp: message.timestamp + 1 },
      { ...message, id: "msg_2" },
      { ...message, body: "{ }" },
    ];
    const signatures = [
      ...changed.map((one) => signWebhook(secret, one)),
      signWebhook(`whsec_${Buffer.alloc(24).toString("base64")}`, message),
    ];
    expect(new Set(signatures).size).toBe(5);
    expect(signWebhook(secret, { ...message })).toBe(signatures[0]);
  });

  it("says what happened: a case from its opening on, and what concerns the server's health", async () => {
    await add();
    const { number } = await propose();
    await lockdown();
    await call();
    expect(receiver.types()).toEqual(["case.opened", "health"]);
    expect(receiver.calls.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
      {
        timestamp: new Date(bot.clock.now()).toISOString(),
        data: {
          server: guild,
          case: {
            number: `C-${number}`,
            channel: "memes",
            action: "ban",
            state: "requested",
            reason: "spam",
          },
        },
      },
      {
        data: {
          server: guild,
          channel: "memes",
          kind: "lockdown.changed",
          title: expect.stringMatching(/lock/i),
        },
      },
    ]);
  });

  it("is made for every case of a bulk, in their order", async () => {
    await add(["case.opened"]);
    const ban = { guildId: guild, channelId: "memes", kind: "ban" as const, actor: { userId: "5" } };
    const targets = Array.from({ length: 45 }, (_, index) => ({ ...ban, targetFid: 100 + index }));
    await bot.database.transaction((tx) => proposeCases(tx, bot.clock, targets));
    await call();
    const fids = receiver.calls.map(
      ({ body }) => (JSON.parse(body) as { data: { case: { fid: number } } }).data.case.fid,
    );
    expect(fids).toEqual(targets.map(({ targetFid }) => targetFid));
  });

  it("is made only for what the webhook wants: its events, its channels, its server", async () => {
    await seedChannel(bot, "art", guild);
    await linkGuild(bot, "memes", "g2");
    await add(["health"], ["art"]);
    await propose("art");
    await lockdown("a", "memes");
    await lockdown("b", "art", "g2");
    await lockdown("c", "art");
    const gap = { source: "hub", from: 1, until: 2 };
    await bot.happen(
      newEvent(bot.clock.now(), { sourceKey: "d", channelId: null, kind: "gap.found", data: gap }),
    );
    await call();
    expect(receiver.calls.map(({ body }) => (JSON.parse(body) as { data: object }).data)).toMatchObject([
      { server: guild, channel: "art", kind: "lockdown.changed" },
      { server: guild, channel: null, kind: "gap.found" },
    ]);
  });
});

describe("an address that fails", () => {
  it("is called again later each time, once for all that waits, and then gets everything once", async () => {
    await add(["health"]);
    receiver.answer = { status: 500 };
    for (const key of ["a", "b", "c"]) await lockdown(key);
    await call();
    await call();
    expect(receiver.calls).toHaveLength(1);
    bot.clock.advance(6);
    await call();
    bot.clock.advance(6);
    await call();
    expect(receiver.calls).toHaveLength(2);
    expect(await states()).toEqual(["sent", "waiting", "waiting", "waiting"]);
    const [webhook] = await listWebhooks(bot.database.query, guild);
    expect(webhook).toMatchObject({ failures: 2, error: "The address answered 500." });
    receiver.answer = { status: 200 };
    receiver.calls.length = 0;
    bot.clock.advance(11);
    await call();
    expect(await states()).toEqual(["sent", "sent", "sent", "sent"]);
    expect(receiver.calls).toHaveLength(3);
    expect(new Set(receiver.calls.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
    const attempts = (await deliveries()).map((one) => one.attempts);
    expect(attempts.toSorted((a, b) => a - b)).toEqual([1, 1, 2, 2]);
    expect((await listWebhooks(bot.database.query, guild))[0]).toMatchObject({
      failures: 0,
      failingSinceMs: null,
    });
  });

  it("waits also for what happens meanwhile", async () => {
    await add(["health"]);
    receiver.answer = { status: 500 };
    await lockdown("a");
    await call();
    await lockdown("b");
    const [webhook] = await listWebhooks(bot.database.query, guild);
    // As a process does that has just been told of it.
    await sendTo(
      { ...bot, rooms },
      senders,
      webhookDestination(webhook?.id ?? 0),
      AbortSignal.timeout(60_000),
    );
    expect(receiver.calls).toHaveLength(1);
    receiver.answer = { status: 200 };
    bot.clock.advance(6);
    await call();
    expect(await states()).toEqual(["sent", "sent", "sent"]);
  });

  it("is called for all that waits, as soon as somebody sends one again", async () => {
    await add(["health"]);
    receiver.answer = { status: 500 };
    for (const key of ["a", "b"]) await lockdown(key);
    await call();
    receiver.answer = { status: 200 };
    const [webhook] = await listWebhooks(bot.database.query, guild);
    const [latest] = await deliveries();
    if (!webhook || !latest) throw new Error("nothing waits");
    await sendAgain(bot, webhook, latest.id);
    await call();
    expect(await states()).toEqual(["sent", "sent", "sent"]);
  });

  it("gets a repetition with the same id and a new time, by which it recognizes it", async () => {
    const secret = await add(["health"]);
    receiver.answer = { status: 503 };
    await lockdown();
    await call();
    receiver.answer = { status: 204 };
    bot.clock.advance(6);
    await call();
    const [first, second] = receiver.calls.map(({ headers }) => headers);
    expect(second?.["webhook-id"]).toBe(first?.["webhook-id"]);
    expect(second?.["webhook-timestamp"]).not.toBe(first?.["webhook-timestamp"]);
    const [, again] = receiver.calls;
    const message = { id: String(second?.["webhook-id"]), timestamp: Number(second?.["webhook-timestamp"]) };
    expect(second?.["webhook-signature"]).toBe(signWebhook(secret, { ...message, body: again?.body ?? "" }));
  });

  it("is given up after a day, and rooms hear of it after an hour, once", async () => {
    await add(["case.opened"]);
    receiver.answer = { status: 500 };
    await propose();
    for (let hours = 0; hours < 30; hours += 1) {
      await call();
      bot.clock.advance(3_601);
    }
    expect(await states()).toEqual(["sent", "failed"]);
    const events = await storedEvents(bot.database, "webhook.failing");
    expect(events).toMatchObject([{ data: { guildId: guild, error: "The address answered 500." } }]);
  });

  it.each([
    "hang",
    "switch",
    { status: 302, headers: { location: "http://127.0.0.1/" } },
    { status: 404 },
  ] as const)(
    "counts as failed when it answers with %o",
    async (answer) => {
      await add(["health"]);
      receiver.answer = answer;
      await lockdown();
      await call();
      expect(receiver.calls).toHaveLength(1);
      expect(await states()).toEqual(["sent", "waiting"]);
    },
    20_000,
  );

  it("holds up neither Discord's messages nor other webhooks", async () => {
    await add(["health"]);
    receiver.answer = "hang";
    await lockdown();
    expect(await hasOutbox(bot)).toBe(false);
    const other = await startReceiver();
    const webhook = {
      guildId: "g2",
      name: "other",
      url: other.url,
      events: everything,
      channelIds: ["memes"],
      createdBy: "1",
    };
    await bot.database.transaction((tx) => createWebhook(tx, bot, webhook));
    const all = call();
    await vi.waitFor(() => expect(receiver.calls).toHaveLength(1));
    await callWebhooks(bot, rooms);
    expect(other.types()).toEqual(["ping"]);
    await all;
    other.close();
  }, 20_000);
});

it("a webhook that was removed is not called any more, not even for what waited", async () => {
  await add(["health"]);
  receiver.answer = { status: 500 };
  await lockdown();
  await call();
  const [webhook] = await listWebhooks(bot.database.query, guild);
  if (!webhook) throw new Error("there is no webhook");
  await bot.database.transaction((tx) => removeWebhook(tx, bot, webhook));
  receiver.calls.length = 0;
  bot.clock.advance(3_600);
  await call();
  await lockdown("later");
  await call();
  expect(receiver.calls).toEqual([]);
  const left = await bot.database.query
    .selectFrom("castellan.outbox")
    .select("state")
    .where("state", "=", "waiting")
    .execute();
  expect(left).toEqual([]);
});

it("a channel that is suspended or unlinked, and a server without Castellan, cause no calls", async () => {
  await linkGuild(bot, "memes", "g2");
  await add();
  const { query } = bot.database;
  const links = query.updateTable("castellan.links").where("guild_id", "=", guild);
  await links.set({ suspended_at_ms: 1, suspended_reason: "test" }).execute();
  await propose();
  await lockdown("a");
  await links.set({ suspended_at_ms: null, suspended_reason: null }).execute();
  await query.insertInto("castellan.absent_servers").values({ guild_id: guild, since_ms: 1 }).execute();
  await propose();
  await query.deleteFrom("castellan.absent_servers").execute();
  await unlinkChannel(bot, { guildId: guild, userId: "1" }, "memes");
  expect(await listWebhooks(query, guild)).toMatchObject([{ channelIds: [] }]);
  await linkGuild(bot, "memes", guild);
  await propose();
  await lockdown("b");
  await call();
  expect(receiver.types()).toEqual([]);
});

it.each<[string, () => Promise<unknown>]>([
  ["its channel was unlinked", () => unlinkChannel(bot, { guildId: guild, userId: "1" }, "memes")],
  ["Castellan was removed from its server", () => leaveServers(bot, [guild])],
])("what waits is not sent after %s", async (_what, end) => {
  await add();
  receiver.answer = { status: 500 };
  await propose();
  await lockdown();
  const gap = { source: "hub", from: 1, until: 2 };
  await bot.happen(
    newEvent(bot.clock.now(), { sourceKey: "gap", channelId: null, kind: "gap.found", data: gap }),
  );
  await call();
  receiver.answer = { status: 200 };
  receiver.calls.length = 0;
  await end();
  bot.clock.advance(3_600);
  await call();
  expect(receiver.types()).toEqual([]);
  expect(await states()).toEqual(["sent", "dropped", "dropped", "dropped"]);
});

it("hosts that the operator no longer allows are not called", async () => {
  await add();
  await propose();
  bot.settings.webhookHosts = ["hooks.example.org"];
  await call();
  expect(receiver.calls).toEqual([]);
  const [webhook] = await listWebhooks(bot.database.query, guild);
  expect(webhook?.error).toContain("the operator allows other hosts only");
  bot.settings.webhookHosts = [];
  bot.clock.advance(3_600);
  await call();
  expect(receiver.calls).toEqual([]);
  expect((await listWebhooks(bot.database.query, guild))[0]?.error).toContain("it must use https");
});

it("what waits for a day is given up at the next failure, also what was not tried", async () => {
  await add(["health"]);
  receiver.answer = { status: 500 };
  for (const key of ["a", "b", "c"]) await lockdown(key);
  await call();
  bot.clock.advance(25 * 3_600);
  await lockdown("d");
  await call();
  expect(await states()).toEqual(["sent", "failed", "failed", "failed", "waiting", "waiting"]);
  expect((await deliveries())[0]?.data).toMatchObject({ webhook: { event: "health" } });
});

it("a review of other channels alone is none of its business, until it grows to one of its own", async () => {
  await seedChannel(bot, "art", guild);
  await add(["review.opened"], ["art"]);
  const item = (channel_id: string, head_id: number | null) =>
    bot.database.query
      .insertInto("castellan.review_items")
      .values({
        guild_id: guild,
        channel_id,
        queue: "names",
        event_id: 1,
        rule_id: "impostors",
        rule_version: 1,
        depth: 0,
        fid: people.troll,
        queued_at_ms: 1,
        actions: "[]",
        head_id,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
  const { id: itemId } = await item("memes", null);
  const held = { guildId: guild, itemId, ruleId: "impostors", queue: "names" };
  const now = bot.clock.now();
  await bot.happen(newEvent(now, { sourceKey: "held", channelId: null, kind: "review.held", data: held }));
  await call();
  expect([receiver.types(), await states()]).toEqual([[], ["sent", "dropped"]]);
  await item("art", itemId);
  const widened = { guildId: guild, itemId };
  await bot.happen(
    newEvent(now, { sourceKey: "widened", channelId: "art", kind: "review.widened", data: widened }),
  );
  await call();
  expect(receiver.calls.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
    { type: "review.opened", data: { review: { number: `R-${itemId}`, channels: [{ channel: "art" }] } } },
  ]);
});

it("two processes make each call once", async () => {
  await add(["health"]);
  for (let number = 0; number < 10; number += 1) await lockdown(`lockdown ${number}`);
  await Promise.all([call(), call(), call()]);
  await call();
  expect(receiver.calls).toHaveLength(10);
});
