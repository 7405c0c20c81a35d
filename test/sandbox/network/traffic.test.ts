import { afterAll, describe, expect, it, vi } from "vitest";
import { AppError } from "../../../src/errors.ts";
import { createLog } from "../../../src/log.ts";
import { outsideModeratorFid } from "../../../src/sandbox/sample/personas.ts";
import {
  castSomething,
  followOrLeave,
  hideFromOutside,
  inviteFollower,
  registerOrRelease,
  replyToSomething,
  spamTheMarket,
} from "../../../src/sandbox/traffic/scenes.ts";
import { startTraffic } from "../../../src/sandbox/traffic/schedule.ts";
import { objectionsTo } from "../../contract/core-message.ts";
import { openSampleNetwork } from "../../support/sample-network.ts";

const sample = await openSampleNetwork();
afterAll(() => sample.close());

const latestEvents = async () => {
  const { events } = await sample.network.public.hub.events({ reverse: true, page_size: 3 });
  return events;
};

describe("the sample network's life", () => {
  it("casts into a channel and answers what was cast", async () => {
    await castSomething(sample.traffic);
    await replyToSomething(sample.traffic);
    const [reply, root] = (await latestEvents()).map(({ mergeMessageBody }) => mergeMessageBody?.["message"]);
    expect(reply).toMatchObject({
      data: { castAddBody: { parentCastId: { hash: Reflect.get(Object(root), "hash") } } },
    });
  });

  it("registers a name by a signed claim", async () => {
    await registerOrRelease(sample.traffic);
    const [{ mergeUsernameProofBody: body } = {}] = await latestEvents();
    expect(body?.usernameProof?.name).toMatch(/^[a-z]+-[a-z]+-[0-9]+/);
    const { transfer } = await sample.network.public.transfers.current({
      name: body?.usernameProof?.name ?? "",
    });
    expect(transfer).toMatchObject({ from: 0, user_signature: expect.stringMatching(/^0x[0-9a-f]{130}$/) });
  });

  it("spams the market from a new account", async () => {
    await spamTheMarket(sample.traffic);
    const texts = (await latestEvents()).map(({ mergeMessageBody }) => JSON.stringify(mergeMessageBody));
    expect(texts.every((text) => /claim.{0,20}airdrop/i.test(text))).toBe(true);
  });

  it("is signed, newcomers' casts too: the protocol's own library verifies it", async () => {
    const { channels } = await sample.network.public.channels.all({});
    const pages = await Promise.all(
      channels.map(({ url }) => sample.network.public.hub.castsByParent({ url })),
    );
    const messages = pages.flatMap((page) => page.messages);
    expect(messages.length).toBeGreaterThan(20);
    for (const message of messages) expect(await objectionsTo(message)).toBeUndefined();
  });

  it("hides a cast without Castellan", async () => {
    await hideFromOutside(sample.traffic);
    const page = await sample.network.public.moderatedCasts.list({ channelId: "night-market" });
    expect(page.result.moderationActions).toMatchObject([{ action: "hide" }]);
  });

  it("follows, and stops following", async () => {
    const followers = async () => {
      const { channels } = await sample.network.public.channels.all({});
      return channels.reduce((sum, { followerCount }) => sum + followerCount, 0);
    };
    const before = await followers();
    await followOrLeave(sample.traffic);
    const between = await followers();
    await followOrLeave(sample.traffic);
    expect([Math.abs(between - before), await followers()]).toEqual([1, before]);
  });

  it("invites a follower who is no member yet, who answers", async () => {
    const outsider = sample.traffic.accounts.find(({ name }) => name === "yuki");
    if (!outsider) throw new Error("yuki is missing");
    await sample.traffic.as(outsider).channelFollows.follow({ channelId: "night-market" });
    await inviteFollower(sample.traffic);
    const invites = await sample.network.public.channelInvites.list({ channelId: "night-market" });
    const members = await sample.network.public.channelMembers.list({ channelId: "night-market" });
    expect(invites.result.invites).toEqual([]);
    expect(members.result.members.map(({ fid }) => fid)).toContain(outsider.fid);
  });

  it("invites nobody who is banned", async () => {
    const channelId = "night-market";
    const moderator = sample.traffic.accounts.find(({ fid }) => fid === outsideModeratorFid);
    if (!moderator) throw new Error("nobody moderates from outside");
    const follower = sample.traffic.accounts.find(({ name }) => name === "wren");
    if (!follower) throw new Error("wren is missing");
    await sample.traffic.as(follower).channelFollows.follow({ channelId });
    await sample.traffic.as(moderator).channelBans.ban({ channelId, banFid: follower.fid });
    await expect(inviteFollower(sample.traffic)).resolves.toBeUndefined();
  });

  it.each([
    ["a refusal is no warning", new AppError("banned_from_channel", "The user is banned."), 20],
    ["what is wrong is one, with its cause", new Error("a bug"), 40],
  ])("%s", async (_, failure, level) => {
    const lines: { level: number; scene?: string; err?: unknown }[] = [];
    const log = createLog("debug", {}, { write: (line) => void lines.push(JSON.parse(line)) });
    const as = () => {
      throw failure;
    };
    const traffic = startTraffic({ ...sample.traffic, as, log, random: () => 0 });
    await vi.waitFor(() => expect(lines).not.toEqual([]), { timeout: 60_000 });
    await traffic.stop();
    expect(lines[0]).toMatchObject({ level, scene: "castSomething" });
    expect(lines[0]?.err !== undefined).toBe(level === 40);
  });

  it("stops when it is told to, in the middle of a pause", async () => {
    const traffic = startTraffic(sample.traffic);
    await expect(traffic.stop()).resolves.toBeUndefined();
  });
});
