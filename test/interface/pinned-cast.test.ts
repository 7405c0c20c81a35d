import { describe, expect, it } from "vitest";
import { people, refused, resultOf, success, useInterfaceNetwork } from "../support/interface-network.ts";

const { owner, moderator, member, follower, stranger } = people;

const network = await useInterfaceNetwork();

const pin = (by: number, castHash: string, more: object = {}) =>
  network.as(by, "PUT /fc/pinned-casts", { castHash, ...more });
const unpin = (by: number, input: object) => network.as(by, "DELETE /fc/pinned-casts", input);

const pinned = async (channelId: string) => {
  const { channel } = resultOf(await network.call("GET /v1/channel", { channelId }));
  // One channel, as interface.md describes it.
  return (channel as { pinnedCastHash?: string }).pinnedCastHash;
};

const announcements = async (channelId: string) =>
  resultOf(await network.operator("GET /operator/notifications", { channelId }))["notifications"];

async function channelWithCasts() {
  const channelId = await network.channel({ followers: [follower, stranger, member] });
  const cast = () => network.cast({ fid: follower, channelId });
  return { channelId, first: await cast(), second: await cast() };
}

describe("Pinned cast of a channel", () => {
  it.each([
    ["the owner", owner],
    ["a moderator", moderator],
  ])("row 1: no pin → pinned, by %s, without an announcement", async (_, caller) => {
    const { channelId, first } = await channelWithCasts();
    expect(await pinned(channelId)).toBeUndefined();
    expect(await pin(caller, first)).toEqual(success);
    expect(await pinned(channelId)).toBe(first);
    expect(await announcements(channelId)).toEqual([]);
  });

  it("row 1: another cast pinned → the given one replaces it", async () => {
    const { channelId, first, second } = await channelWithCasts();
    await pin(owner, first);
    expect(await pin(moderator, second, { notifyChannelFollowers: false })).toEqual(success);
    expect(await pinned(channelId)).toBe(second);
    expect(await announcements(channelId)).toEqual([]);
  });

  it("row 1: notifyChannelFollowers announces to all followers of the channel", async () => {
    const { channelId, first, second } = await channelWithCasts();
    expect(await pin(owner, first, { notifyChannelFollowers: true })).toEqual(success);
    const announced = { channelId, castHash: first, recipients: 3, at: network.justNow() };
    expect(await announcements(channelId)).toEqual([announced]);
    await network.pass(1);
    await network.as(9, "POST /fc/channel-follows", { channelId });
    await pin(owner, second, { notifyChannelFollowers: true });
    expect(await announcements(channelId)).toEqual([
      { channelId, castHash: second, recipients: 4, at: network.justNow() },
      announced,
    ]);
  });

  it("row 1: every channel has a pin of its own", async () => {
    const [here, there] = [await channelWithCasts(), await channelWithCasts()];
    await pin(owner, here.first);
    await pin(owner, there.first);
    expect([await pinned(here.channelId), await pinned(there.channelId)]).toEqual([here.first, there.first]);
  });

  it("row 2: the same cast pinned: success, unchanged, and no announcement", async () => {
    const { channelId, first } = await channelWithCasts();
    await pin(owner, first);
    expect(await pin(owner, first)).toEqual(success);
    expect(await pin(moderator, first, { notifyChannelFollowers: true })).toEqual(success);
    expect(await pinned(channelId)).toBe(first);
    expect(await announcements(channelId)).toEqual([]);
  });

  it("row 3: pinned → no pin, by that cast's hash; announcements stay", async () => {
    const { channelId, first } = await channelWithCasts();
    await pin(owner, first, { notifyChannelFollowers: true });
    const before = await announcements(channelId);
    expect(await unpin(moderator, { castHash: first })).toEqual(success);
    expect(await pinned(channelId)).toBeUndefined();
    expect(await announcements(channelId)).toEqual(before);
    expect(before).toHaveLength(1);
  });

  it("row 3: another cast's hash: success, the pin stays", async () => {
    const { channelId, first, second } = await channelWithCasts();
    await pin(owner, first);
    expect(await unpin(owner, { castHash: second })).toEqual(success);
    expect(await pinned(channelId)).toBe(first);
  });

  it("row 4: pinned → no pin, by the channel's id; announcements stay", async () => {
    const { channelId, first } = await channelWithCasts();
    await pin(owner, first, { notifyChannelFollowers: true });
    expect(await unpin(moderator, { channelId })).toEqual(success);
    expect(await pinned(channelId)).toBeUndefined();
    expect(await announcements(channelId)).toHaveLength(1);
  });

  it("row 4: no pin: success, unchanged", async () => {
    const { channelId } = await channelWithCasts();
    expect(await unpin(owner, { channelId })).toEqual(success);
    expect(await pinned(channelId)).toBeUndefined();
  });
});

describe("Pins, refused", () => {
  it.each([
    ["a member", member],
    ["the cast's author", follower],
    ["a stranger", 9],
  ])("to %s", async (_, caller) => {
    const { channelId, first, second } = await channelWithCasts();
    await pin(owner, first);
    expect(await pin(caller, second, { notifyChannelFollowers: true })).toEqual(
      refused(403, "not_permitted"),
    );
    expect(await unpin(caller, { castHash: first })).toEqual(refused(403, "not_permitted"));
    expect(await unpin(caller, { channelId })).toEqual(refused(403, "not_permitted"));
    expect(await pinned(channelId)).toBe(first);
    expect(await announcements(channelId)).toEqual([]);
  });

  it.each([
    ["neither field", () => ({})],
    ["both fields", (channelId: string, castHash: string) => ({ channelId, castHash })],
  ])("for an unpin with %s", async (_, input) => {
    const { channelId, first } = await channelWithCasts();
    await pin(owner, first);
    expect(await unpin(owner, input(channelId, first))).toEqual(refused(400, "invalid_request"));
    expect(await pinned(channelId)).toBe(first);
  });

  it("for a cast in no channel", async () => {
    const hash = await network.cast({ fid: owner });
    expect(await pin(owner, hash)).toEqual(refused(403, "cast_not_in_channel"));
  });

  it("for what nobody knows", async () => {
    const castHash = `0x${"ab".repeat(20)}`;
    expect(await pin(owner, castHash)).toEqual(refused(404, "not_found"));
    expect(await unpin(owner, { castHash })).toEqual(success);
    expect(await unpin(owner, { channelId: "nowhere" })).toEqual(refused(404, "not_found"));
  });

  it.each(["yes", 1, null])("for notifyChannelFollowers %j", async (notifyChannelFollowers) => {
    const { channelId, first } = await channelWithCasts();
    expect(await pin(owner, first, { notifyChannelFollowers })).toEqual(refused(400, "invalid_request"));
    expect(await pinned(channelId)).toBeUndefined();
  });
});

describe("a removed cast", () => {
  it("ends its pin and cannot be pinned again; announcements stay", async () => {
    const { channelId, first } = await channelWithCasts();
    await pin(owner, first, { notifyChannelFollowers: true });
    await network.operator(`DELETE /operator/casts/${first}`);
    expect(await pinned(channelId)).toBeUndefined();
    expect(await announcements(channelId)).toHaveLength(1);
    expect(await pin(owner, first)).toEqual(refused(404, "not_found"));
  });

  it("ends no other's pin", async () => {
    const { channelId, first, second } = await channelWithCasts();
    await pin(owner, first);
    await network.operator(`DELETE /operator/casts/${second}`);
    expect(await pinned(channelId)).toBe(first);
  });
});
