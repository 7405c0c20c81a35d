import { keccak256, stringToBytes } from "viem";
import { beforeEach, describe, expect, test } from "vitest";
import { withSettings } from "../support/world.ts";
import { newEvent } from "../../src/observe/events.ts";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { pollListings } from "../../src/observe/listings/poll-listings.ts";
import { pollRecords } from "../../src/observe/records/poll-records.ts";
import { useLiveHub } from "../live/live-scene.ts";

const scene = useLiveHub();
const troll = 7;
const castHash = `0x${"4".repeat(40)}`;
const otherHash = `0x${"5".repeat(40)}`;

const reading = () => withSettings(scene.context, { protocolChannels: true });
const idOf = (key: string) => keccak256(stringToBytes(key));

let messages = 0;
/** A message about a channel, as a hub merges it, in place of an earlier one in the same slot. */
function message(
  type: string,
  body: Record<string, unknown>,
  before?: Record<string, unknown>,
  key = "memes",
) {
  messages += 1;
  const name = `channel${type[0]}${type.slice(1).toLowerCase()}Body`;
  const whole = (own: Record<string, unknown>) => ({
    data: {
      type: `MESSAGE_TYPE_CHANNEL_${type}`,
      fid: 1,
      timestamp: scene.now() - 1_609_459_200,
      network: "FARCASTER_NETWORK_DEVNET",
      [name]: { channelId: idOf(key), ...own },
    },
    hash: `0x${messages.toString(16).padStart(40, "0")}`,
    hashScheme: "HASH_SCHEME_BLAKE3",
  });
  return {
    type: "HUB_EVENT_TYPE_MERGE_MESSAGE",
    mergeMessageBody: { message: whole(body), deletedMessages: before ? [whole(before)] : [] },
  };
}
const member = (action: string, fid: number = troll, before?: string) =>
  message(
    "MEMBER",
    { fid, action: `CHANNEL_MEMBER_ACTION_${action}` },
    before === undefined ? undefined : { fid, action: `CHANNEL_MEMBER_ACTION_${before}` },
  );

/** Merged on every data shard, as shard 0 fans them out. */
function confirm(...events: Record<string, unknown>[]): void {
  for (const shard of [1, 2]) scene.chain.confirm(shard, scene.now(), events);
}

async function told(): Promise<unknown[]> {
  const rows = await scene.observer.context.database.query
    .selectFrom("castellan.events")
    .select(["kind", "subject_fid", "data"])
    .orderBy("id")
    .execute();
  return rows.map(({ kind, subject_fid, data }) => [kind, subject_fid, data]);
}

beforeEach(async () => {
  await scene.observer.link("memes");
  scene.context.clock.advance(10);
  confirm();
  await pollHub(reading());
});

describe("what a hub tells of a channel of the protocol is the event that a listing gives", () => {
  const hidden = { castHash, action: "CHANNEL_MODERATE_ACTION_HIDE" };
  const shown = { castHash, action: "CHANNEL_MODERATE_ACTION_UNHIDE" };
  const modes = { castingMode: "CASTING_MODE_EVERYONE", membershipMode: "MEMBERSHIP_MODE_OPEN" };
  const moderators = ["channel.edited", null, { fields: ["moderators"] }];
  const rows: [string, () => Record<string, unknown>, unknown[]][] = [
    ["a member joins", () => member("ADD_MEMBER"), [["member.joined", troll, { at: expect.any(Number) }]]],
    ["a member goes", () => member("REMOVE_MEMBER"), [["member.left", troll, {}]]],
    ["a ban", () => member("BAN"), [["user.banned", troll, { at: expect.any(Number) }]]],
    ["its end", () => member("UNBAN"), [["user.unbanned", troll, {}]]],
    ["a moderator", () => member("ADD_MODERATOR"), [moderators]],
    ["no moderator any more", () => member("REMOVE_MODERATOR"), [moderators]],
    [
      "a moderator leaves",
      () => member("REMOVE_MEMBER", troll, "ADD_MODERATOR"),
      [["member.left", troll, {}], moderators],
    ],
    ["a cast is hidden", () => message("MODERATE", hidden), [["record.hidden", null, { castHash }]]],
    ["a cast is shown", () => message("MODERATE", shown), [["record.unhidden", null, { castHash }]]],
    ["a pin", () => message("PIN", { castHash }), [["pin.changed", null, { castHash, previousHash: null }]]],
    [
      "another pin",
      () => message("PIN", { castHash }, { castHash: otherHash }),
      [["pin.changed", null, { castHash, previousHash: otherHash }]],
    ],
    [
      "no pin any more",
      () => message("PIN", { castHash: "0x" }, { castHash }),
      [["pin.changed", null, { castHash: null, previousHash: castHash }]],
    ],
    [
      "an edit, which clears what it leaves out",
      () =>
        message(
          "UPDATE",
          { name: "Memes", ...modes },
          { name: "Memes", rules: "Be kind", castingMode: modes.castingMode },
        ),
      [["channel.edited", null, { fields: ["rules", "who may join"] }]],
    ],
  ];
  test.each(rows)("%s, once, though every shard brings it", async (_name, event, expected) => {
    confirm(event());
    await pollHub(reading());
    await pollHub(reading());
    expect(await told()).toEqual(expected);
  });

  test("not unless it is asked for, not of other channels, and not of the time before the link", async () => {
    confirm(member("BAN"));
    await pollHub(scene.context);
    confirm(message("PIN", { castHash }, undefined, "art"));
    for (const shard of [1, 2]) scene.chain.confirm(shard, scene.now() - 3600, [member("BAN", 8)]);
    await pollHub(reading());
    expect(await told()).toEqual([]);
  });

  test("with the author of a hidden cast, which is marked", async () => {
    const cast = scene.castIn("spam");
    confirm(cast.merged, message("MODERATE", { ...hidden, castHash: cast.hash }));
    await pollHub(reading());
    expect((await told()).at(-1)).toEqual(["record.hidden", 3, { castHash: cast.hash }]);
    const { query } = scene.observer.context.database;
    expect(await query.selectFrom("castellan.casts").select("hidden").execute()).toEqual([{ hidden: true }]);
  });

  test("one that is not what it says is set aside, and those behind it are told", async () => {
    confirm(member("SING"), message("PIN", { castHash: "0x12" }), member("BAN"));
    await pollHub(reading());
    expect(await told()).toMatchObject([["user.banned", troll, {}]]);
    const { query } = scene.observer.context.database;
    const aside = await query.selectFrom("castellan.set_aside_events").select("reason").execute();
    expect(aside).toHaveLength(4);
  });
});

test("a hint of another owner has that channel's listings read, and no other's", async () => {
  const hint = (channelKey: string) => ({
    type: "HUB_EVENT_TYPE_CHANNEL_OWNER_CHANGE_HINT",
    channelOwnerChangeHintBody: {
      channelKey,
      ownerAddress: `0x${"1".repeat(40)}`,
      cause: "CHANNEL_OWNER_CHANGE_CAUSE_TRANSFER",
    },
  });
  scene.context.woken.length = 0;
  confirm(hint("memes"), hint("art"));
  await pollHub(reading());
  expect(new Set(scene.context.woken)).toEqual(new Set(["poll-listings memes"]));
  expect(await told()).toEqual([]);
});

describe("what both the hub and a listing tell", () => {
  const owner = () => scene.observer.network.as(1);
  const bannings = async () => (await told()).map((event) => (event as [string])[0]);

  test("is told once, whichever is first", async () => {
    await scene.observer.network.seed.account(troll);
    await pollListings(reading(), "memes");
    await pollRecords(reading(), "memes");
    confirm(member("BAN"));
    await pollHub(reading());
    await owner().channelBans.ban({ channelId: "memes", banFid: troll });
    await pollListings(reading(), "memes");
    expect(await bannings()).toEqual(["user.banned"]);
    await owner().channelBans.unban({ channelId: "memes", unbanFid: troll });
    await pollListings(reading(), "memes");
    confirm(member("UNBAN"));
    await pollHub(reading());
    expect((await bannings()).filter((kind) => kind.endsWith("banned"))).toEqual([
      "user.banned",
      "user.unbanned",
    ]);
  });

  test("is told once by whatever else tells of channels", async () => {
    confirm(member("BAN"));
    const context = reading();
    await pollHub(context);
    const banned = { kind: "user.banned", data: { at: scene.now() } } as const;
    const event = newEvent(context.clock.now(), {
      ...banned,
      sourceKey: "an event of the client API:user.banned",
      channelId: "memes",
      subjectFid: troll,
    });
    const append = async () => context.database.transaction((tx) => context.appendEvents(tx, [event]));
    expect(await append()).toEqual([]);
    scene.context.clock.advance(7200);
    event.occurredAt = scene.now();
    expect(await append()).toHaveLength(1);
  });

  test("is told again when it happens again", async () => {
    confirm(member("BAN"));
    confirm(member("UNBAN"));
    confirm(member("BAN"));
    await pollHub(reading());
    expect(await bannings()).toEqual(["user.banned", "user.unbanned", "user.banned"]);
    confirm(message("PIN", { castHash }), message("PIN", { castHash: otherHash }, { castHash }));
    confirm(message("PIN", { castHash }, { castHash: otherHash }));
    await pollHub(reading());
    expect((await bannings()).filter((kind) => kind === "pin.changed")).toHaveLength(3);
    for (const name of ["one", "two"]) {
      confirm(message("UPDATE", { name }, { name: "zero" }));
      await pollHub(reading());
    }
    expect((await bannings()).filter((kind) => kind === "channel.edited")).toHaveLength(2);
  });
});
