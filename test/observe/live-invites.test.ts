import { beforeEach, describe, expect, test } from "vitest";
import { pollListings } from "../../src/observe/listings/poll-listings.ts";
import { useLiveClient } from "../live/live-client-scene.ts";

const scene = useLiveClient(50);
const created = "invite.created 7";
const ended = "invite.ended 7";

/** Invites somebody, who declined or accepted what stood before. */
const inviteAgain = (accept = false) => {
  const { channels } = scene.client;
  channels.answerInvite("memes", 7, "member", accept);
  channels.invite("memes", 7, accept ? "moderator" : "member", 1);
};

beforeEach(async () => {
  scene.client.channels.follow("memes", 7);
  await scene.link("memes");
  await scene.live(20);
});

describe("an invite that takes the place of another of the same user", () => {
  test.each([0, 1])(
    "ends that one, seen first in a listing, before any event of either: %i s later",
    async (later) => {
      scene.client.channels.invite("memes", 7, "member", 1);
      scene.context.clock.advance(later);
      inviteAgain();
      await pollListings(scene.context, "memes");
      await scene.live(600);
      expect((await scene.told()).toSorted()).toEqual([created, created, ended]);
    },
  );

  test.each([0, 1])(
    "ends that one, where a listing shows the new one before its events: %i s later",
    async (later) => {
      const { channels } = scene.client;
      channels.invite("memes", 7, "member", 1);
      await scene.live(6);
      channels.answerInvite("memes", 7, "member", false);
      scene.context.clock.advance(later);
      channels.invite("memes", 7, "member", 1);
      await pollListings(scene.context, "memes");
      await scene.live(600);
      expect(await scene.told()).toEqual([created, ended, created]);
    },
  );

  test("to another role, ends that one, once, though the event of its end comes late", async () => {
    const { channels } = scene.client;
    channels.invite("memes", 7, "member", 1);
    await scene.live(6);
    inviteAgain(true);
    const [nominated, joined, ...accepted] = channels.events.splice(0, 3);
    if (nominated && joined) channels.events.unshift(nominated, joined);
    await scene.live(6);
    channels.events.splice(2, 0, ...accepted);
    await scene.live(600);
    expect((await scene.told()).toSorted()).toEqual([created, created, ended, "member.joined 7"]);
  });

  test.each(["member", "moderator"])("ends that one, where no events are given: as %s", async (role) => {
    scene.client.servesEvents = false;
    scene.client.channels.invite("memes", 7, "member", 1);
    await scene.live(60);
    inviteAgain(role === "moderator");
    await scene.live(600);
    const joined = role === "moderator" ? ["member.joined 7"] : [];
    expect((await scene.told()).toSorted()).toEqual([created, created, ended, ...joined]);
  });

  test("is told, though another was told a moment ago and it had ended when the listings were read", async () => {
    const { channels, context } = { ...scene.client, context: scene.context };
    channels.invite("memes", 7, "member", 1);
    channels.answerInvite("memes", 7, "member", false);
    await scene.live(6);
    context.clock.advance(20);
    channels.invite("memes", 7, "member", 1);
    channels.answerInvite("memes", 7, "member", false);
    context.clock.advance(10);
    await pollListings(context, "memes");
    await scene.live(600);
    expect(await scene.told()).toEqual([created, ended, created, ended]);
  });

  test("ends that one, though the listings show the other, and the event of its end comes last", async () => {
    const { channels } = scene.client;
    channels.invite("memes", 7, "member", 1);
    inviteAgain(true);
    const late = channels.events.splice(0, 3);
    scene.context.clock.advance(10);
    await pollListings(scene.context, "memes");
    await scene.live(6);
    channels.events.unshift(...late);
    await scene.live(600);
    expect((await scene.told()).toSorted()).toEqual([created, created, ended, "member.joined 7"]);
  });
});

test("a ban that an event told is no second one where only listings are read, with a time a little off", async () => {
  const { channels } = scene.client;
  channels.setStanding("memes", 7, "banned");
  await scene.live(6);
  const ban = channels.all.get("memes")?.standings.get(7);
  if (ban) ban.at += 2_000;
  scene.client.servesEvents = false;
  await scene.live(600);
  expect(await scene.told()).toEqual(["user.banned 7"]);
});

test("who was a member joins no second time as moderator, also where the listings are read before the event", async () => {
  const { channels } = scene.client;
  channels.setStanding("memes", 7, "member");
  await scene.live(6);
  scene.context.clock.advance(200);
  const before = channels.all.get("memes")?.standings.get(7)?.at ?? 0;
  channels.setStanding("memes", 7, "moderator");
  const held = channels.all.get("memes")?.standings.get(7);
  if (held) held.at = before;
  scene.context.clock.advance(10);
  await pollListings(scene.context, "memes");
  await scene.live(600);
  expect((await scene.told()).filter((one) => one.startsWith("member"))).toEqual(["member.joined 7"]);
});

test("who accepted joined once, though the network tells by a second event, much later, that they are a member", async () => {
  const { channels } = scene.client;
  channels.invite("memes", 7, "member", 1);
  await scene.live(6);
  channels.answerInvite("memes", 7, "member", true);
  // The newest first: of the standing, then of the answer.
  const late = channels.events.splice(0, 1);
  expect(late).toMatchObject([{ type: "role-changed" }]);
  await scene.live(10);
  await pollListings(scene.context, "memes");
  channels.events.unshift(...late);
  await scene.live(600);
  expect((await scene.told()).toSorted()).toEqual([created, ended, "member.joined 7"]);
});
