import { beforeEach, describe, expect, test } from "vitest";
import { pollListings } from "../../src/observe/listings/poll-listings.ts";
import { useLiveClient } from "../live/live-client-scene.ts";
import { storedEvents } from "../support/stored.ts";

const scene = useLiveClient(50);
const hash = (digit: string) => `0x${digit.repeat(40)}`;
const countOf = (path: string) => scene.client.requests.filter(({ route }) => route === `GET ${path}`).length;

/** What happens in /memes to somebody, each a while after the other. */
const happenings: [string, () => void][] = [
  ["follow", () => scene.client.channels.follow("memes", 7)],
  ["invite", () => scene.client.channels.invite("memes", 7, "member", 1)],
  ["accept", () => scene.client.channels.answerInvite("memes", 7, "member", true)],
  ["ban", () => scene.client.channels.setStanding("memes", 7, "banned")],
  ["unban", () => scene.client.channels.setStanding("memes", 7, "restricted")],
  ["hide", () => scene.client.channels.moderate(hash("a"), "hide")],
  ["pin", () => scene.client.channels.pin(hash("b"), true)],
  ["unpin", () => scene.client.channels.pin(hash("b"), false)],
  ["unhide", () => scene.client.channels.moderate(hash("a"), "unhide")],
];

beforeEach(async () => {
  scene.client.channels.cast("memes", hash("a"), 7);
  scene.client.channels.cast("memes", hash("b"), 8);
  scene.client.channels.cast("memes", hash("c"), 8);
});

const expected = [
  "invite.created 7",
  "invite.ended 7",
  "member.joined 7",
  "member.left 7",
  "user.banned 7",
  "user.unbanned 7",
  "user.restricted 7",
  "record.hidden",
  "pin.changed",
  "pin.changed",
  "record.unhidden",
];

describe("where the network gives the events of all channels", () => {
  test("what happened is told within five seconds, once, with its time, by one call for all", async () => {
    await scene.link("memes");
    await scene.live(20);
    scene.client.requests.length = 0;
    const times: number[] = [];
    for (const [, happen] of happenings) {
      happen();
      times.push(scene.context.clock.now());
      await scene.live(20);
    }
    // The events name the author of the cast.
    const withAuthors = expected.map((line) => (line.startsWith("record.") ? `${line} 7` : line));
    expect((await scene.told()).toSorted()).toEqual(withAuthors.toSorted());
    const rows = await storedEvents(scene.context.database);
    for (const { occurred_at, observed_at_ms } of rows) {
      expect(times.map((time) => Math.floor(time / 1000))).toContain(occurred_at);
      expect(observed_at_ms / 1000 - occurred_at).toBeLessThanOrEqual(5);
    }
    expect(countOf("/fc/channel-events")).toBeLessThanOrEqual((happenings.length * 20) / 4 + 1);
    expect(countOf("/fc/channel-bans")).toBeLessThanOrEqual(1);
  });

  test("what listings show later is not told again, also where they name another time", async () => {
    await scene.link("memes");
    await scene.live(20);
    scene.client.channels.setStanding("memes", 7, "banned");
    scene.client.channels.moderate(hash("a"), "hide");
    await scene.live(10);
    const before = await scene.told();
    expect(before).toEqual(["user.banned 7", "record.hidden 7"]);
    const ban = scene.client.channels.all.get("memes")?.standings.get(7);
    if (ban) ban.at += 2_000;
    scene.context.clock.advance(3600);
    await scene.live(60);
    expect(await scene.told()).toEqual(before);
    expect(countOf("/fc/channel-bans")).toBeGreaterThan(1);
  });

  test("a listing that is read between two changes of one second, and before their events, has none told twice", async () => {
    await scene.link("memes");
    await scene.live(20);
    for (const standing of ["banned", "restricted"] as const) {
      scene.client.channels.setStanding("memes", 7, standing);
      await pollListings(scene.context, "memes");
    }
    await scene.live(600);
    expect(await scene.told()).toEqual(["user.banned 7", "user.unbanned 7", "user.restricted 7"]);
  });

  test("of two changes of one second of which a listing shows the last, the event of the first may come late and alone", async () => {
    await scene.link("memes");
    await scene.live(20);
    const { channels } = scene.client;
    for (const standing of ["member", "restricted"] as const) channels.setStanding("memes", 7, standing);
    const [restricted, member] = channels.events.splice(0, 2);
    await pollListings(scene.context, "memes");
    if (restricted) channels.events.unshift(restricted);
    await scene.live(6);
    if (member) channels.events.splice(1, 0, member);
    await scene.live(600);
    expect(await scene.told()).toEqual(["user.restricted 7", "member.joined 7", "member.left 7"]);
  });

  test("what came before a reading of all listings, and went at its time, is told from its beginning to its end", async () => {
    await scene.link("memes");
    await scene.live(20);
    const { channels } = scene.client;
    channels.follow("memes", 7);
    channels.invite("memes", 7, "member", 1);
    scene.context.clock.advance(100);
    channels.answerInvite("memes", 7, "member", false);
    await pollListings(scene.context, "memes");
    await scene.live(20);
    expect(await scene.told()).toEqual(["invite.created 7", "invite.ended 7"]);
  });

  test("what began before a reading of all listings that does not show it has ended, though that event came first", async () => {
    await scene.link("memes");
    await scene.live(20);
    const { channels } = scene.client;
    channels.follow("memes", 7);
    channels.invite("memes", 7, "member", 1);
    channels.answerInvite("memes", 7, "member", false);
    const [declined, ...created] = channels.events.splice(0, 2);
    if (declined) channels.events.unshift(declined);
    scene.context.clock.advance(10);
    await pollListings(scene.context, "memes");
    await scene.live(6);
    channels.events.splice(1, 0, ...created);
    await scene.live(6);
    expect(await scene.told()).toEqual(["invite.created 7", "invite.ended 7"]);
  });

  test("a pin that a listing shows before the events of it and of the one before is told once", async () => {
    await scene.link("memes");
    await scene.live(20);
    for (const digit of ["a", "b"]) scene.client.channels.pin(hash(digit), true);
    await pollListings(scene.context, "memes");
    await scene.live(20);
    const pins = await scene.observer.events("pin.changed");
    const told = new Set(pins.map(({ data }) => ("castHash" in data ? data.castHash : "")));
    expect(pins).toHaveLength(2);
    expect(told).toEqual(new Set([hash("a"), hash("b")]));
  });

  test("pins of one second, each shown by a reading before their events, are told once, whatever is pinned next", async () => {
    await scene.link("memes");
    await scene.live(20);
    const { channels } = scene.client;
    for (const digit of ["a", "b"]) {
      channels.pin(hash(digit), true);
      await pollListings(scene.context, "memes");
    }
    channels.pin(hash("c"), true);
    await scene.live(20);
    const pins = await scene.observer.events("pin.changed");
    expect(pins.map(({ data }) => data)).toEqual([
      { castHash: hash("a"), previousHash: null },
      { castHash: hash("b"), previousHash: hash("a") },
      { castHash: hash("c"), previousHash: hash("b") },
    ]);
  });

  test("changes of one moment are told in their order", async () => {
    await scene.link("memes");
    await scene.live(20);
    scene.client.channels.setStanding("memes", 7, "banned");
    scene.client.channels.setStanding("memes", 7, "restricted");
    await scene.live(6);
    expect(await scene.told()).toEqual(["user.banned 7", "user.unbanned 7", "user.restricted 7"]);
  });

  test("a record of which no event tells is found, whatever events tell of later ones", async () => {
    await scene.link("memes");
    await scene.live(20);
    scene.client.channels.moderate(hash("a"), "hide");
    scene.client.channels.events.shift();
    scene.context.clock.advance(30);
    scene.client.channels.moderate(hash("b"), "hide");
    await scene.live(6);
    expect(await scene.told()).toEqual(["record.hidden 8"]);
    await scene.live(600);
    expect(await scene.told()).toEqual(["record.hidden 8", "record.hidden"]);
  });

  test("what came and went while the network gave none is told when it gives them again", async () => {
    await scene.link("memes");
    await scene.live(20);
    scene.client.servesEvents = false;
    await scene.live(20);
    const { channels } = scene.client;
    channels.follow("memes", 7);
    channels.invite("memes", 7, "member", 1);
    channels.answerInvite("memes", 7, "member", true);
    channels.setStanding("memes", 7, "none");
    channels.pin(hash("b"), true);
    channels.pin(hash("b"), false);
    channels.setStanding("memes", 8, "banned");
    await scene.live(400);
    expect(await scene.told()).toEqual(["user.banned 8"]);
    scene.client.servesEvents = true;
    await scene.live(600);
    expect((await scene.told()).toSorted()).toEqual([
      "invite.created 7",
      "invite.ended 7",
      "member.joined 7",
      "member.left 7",
      "pin.changed",
      "pin.changed",
      "user.banned 8",
    ]);
  });

  test("a process that dies, and one that was long away, miss nothing and tell nothing twice", async () => {
    await scene.link("memes");
    await scene.live(20);
    for (let fid = 100; fid < 400; fid += 1) {
      scene.client.channels.setStanding("memes", fid, "banned");
      scene.context.clock.advance(0.5);
    }
    scene.restart();
    await scene.live(10);
    // More than a page, and by events: it is not time for whole listings yet.
    expect(await scene.told()).toHaveLength(300);
    scene.restart();
    await scene.live(600);
    expect(await scene.told()).toHaveLength(300);
    expect(new Set(await scene.told()).size).toBe(300);
  });

  test("one of a type of tomorrow costs no other, and its channel is looked at", async () => {
    await scene.link("memes");
    await scene.live(20);
    const { events } = scene.client.channels;
    scene.client.channels.setStanding("memes", 7, "banned");
    const channel = scene.client.channels.all.get("memes");
    if (channel) channel.name = "Memes!";
    events.unshift({
      eventId: "tomorrow",
      ts: scene.context.clock.now(),
      channelId: "memes",
      type: "channel-renamed",
    });
    events.unshift({ what: "no event at all" });
    await scene.live(6);
    expect(await scene.told()).toEqual(["user.banned 7", "channel.edited"]);
  });
});

describe("where it does not", () => {
  beforeEach(() => {
    scene.client.servesEvents = false;
  });

  test("bans, restrictions, invites and records of all channels are asked for at once, the rest by turns", async () => {
    await scene.link("memes");
    await scene.live(20);
    for (const [, happen] of happenings) {
      happen();
      await scene.live(60);
    }
    expect((await scene.told()).toSorted()).toEqual(expected.toSorted());
    expect(countOf("/fc/channel-events")).toBeLessThanOrEqual(2);
  });

  test("events are asked for again, and what was told meanwhile is told no second time", async () => {
    await scene.link("memes");
    await scene.live(20);
    scene.client.channels.setStanding("memes", 7, "banned");
    scene.client.channels.moderate(hash("a"), "hide");
    await scene.live(60);
    scene.client.servesEvents = true;
    scene.context.clock.advance(600);
    await scene.live(30);
    scene.client.channels.setStanding("memes", 8, "banned");
    await scene.live(6);
    expect(await scene.told()).toEqual(["record.hidden", "user.banned 7", "user.banned 8"]);
    scene.client.servesEvents = false;
    scene.client.channels.setStanding("memes", 7, "restricted");
    await scene.live(120);
    expect((await scene.told()).slice(3)).toEqual(["user.unbanned 7", "user.restricted 7"]);
  });
});

test("no poll requests all channels", async () => {
  await scene.link("memes");
  await scene.live(400);
  expect(countOf("/v2/all-channels")).toBe(0);
});
