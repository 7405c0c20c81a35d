import { beforeEach, describe, expect, test } from "vitest";
import type { BotContext } from "../../src/bot-context.ts";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { pollListings } from "../../src/observe/listings/poll-listings.ts";
import { observeStatus } from "../../src/observe/observe-status.ts";
import { createFarClient } from "../client/far-client.ts";
import { useObserver } from "../support/scenes.ts";

const owner = 1;

const observer = await useObserver();
beforeEach(async () => {
  const { seed } = observer.network;
  await seed.channel("memes", { owner, members: [2, 3] });
  for (const fid of [owner, 2, 3, 4, 5]) await seed.account(fid);
  for (const fid of [4, 5]) await seed.follow(fid, "memes");
});

const poll = (context: BotContext = observer.context) => pollListings(context, "memes");
async function link(): Promise<void> {
  await observer.link("memes");
  await pollHub(observer.context);
  await poll();
}
const told = async () =>
  (await observer.events()).map(({ kind, subjectFid }) => `${kind} ${subjectFid ?? ""}`.trim());
const asOwner = () => observer.network.as(owner);
const ban = (banFid: number) => asOwner().channelBans.ban({ channelId: "memes", banFid });

/** The network with something of it replaced for one reading. */
function withNetwork(change: Partial<BotContext["network"]>): BotContext {
  return { ...observer.context, network: { ...observer.context.network, ...change } };
}

describe("listings", () => {
  test("as they were at the link are the baseline; each observed change is told once", async () => {
    await ban(3);
    observer.context.clock.advance(5);
    await link();
    expect(await told()).toEqual([]);
    await ban(2);
    await asOwner().channelBans.unban({ channelId: "memes", unbanFid: 3 });
    await asOwner().channelInvites.invite({ channelId: "memes", inviteFid: 4, role: "member" });
    await poll();
    await poll();
    expect((await told()).toSorted(byText)).toEqual([
      "invite.created 4",
      "member.left 2",
      "user.banned 2",
      "user.restricted 3",
      "user.unbanned 3",
    ]);
    await observer.network.as(4).channelInvites.answer({ channelId: "memes", role: "member", accept: true });
    observer.context.clock.advance(1);
    await poll();
    expect((await told()).slice(5).toSorted(byText)).toEqual(["invite.ended 4", "member.joined 4"]);
  });

  test("show a ban that was lifted and made again as a new ban", async () => {
    await link();
    await ban(2);
    await poll();
    observer.context.clock.advance(1);
    await asOwner().channelBans.unban({ channelId: "memes", unbanFid: 2 });
    await ban(2);
    await poll();
    expect((await told()).filter((line) => line === "user.banned 2")).toHaveLength(2);
  });

  test("show that an invite ended where the next to the same user is there already", async () => {
    await link();
    const invite = (role: "member" | "moderator") =>
      asOwner().channelInvites.invite({ channelId: "memes", inviteFid: 4, role });
    await invite("member");
    await poll();
    observer.context.clock.advance(1);
    await observer.network.as(4).channelInvites.answer({ channelId: "memes", role: "member", accept: true });
    await invite("moderator");
    await poll();
    const lines = (await observer.events()).flatMap(({ kind, data }) =>
      "role" in data ? [`${kind} ${data.role}`] : [],
    );
    expect(lines).toEqual(["invite.created member", "invite.ended member", "invite.created moderator"]);
  });

  test("tell pins and edits of the channel, and the links follow its name", async () => {
    await link();
    const { query } = observer.context.database;
    const castHash = await observer.network.seed.cast({ fid: 2, channelId: "memes" });
    await asOwner().pinnedCasts.pin({ castHash });
    await query.updateTable("network.channels").set({ name: "Memes!", description: "new" }).execute();
    await poll();
    await asOwner().pinnedCasts.unpin({ channelId: "memes" });
    await poll();
    expect((await observer.events()).map(({ data }) => data)).toEqual([
      { castHash, previousHash: null },
      { fields: ["name", "description"] },
      { castHash: null, previousHash: castHash },
    ]);
    const links = await query.selectFrom("castellan.links").select("channel_name").execute();
    expect(links).toEqual([{ channel_name: "Memes!" }]);
  });

  test("read by several workers at once tell each change once", async () => {
    await link();
    for (const fid of [2, 3, 4]) {
      await ban(fid);
      await Promise.all([poll(), poll(), poll()]);
    }
    expect((await told()).filter((line) => line.startsWith("user.banned"))).toEqual([
      "user.banned 2",
      "user.banned 3",
      "user.banned 4",
    ]);
  });

  test("that were read before an unlink and come back after it tell nothing", async () => {
    await link();
    await ban(2);
    const { channels } = observer.context.network;
    const get: typeof channels.get = async (input) => {
      const answer = await channels.get(input);
      await observer.unlink("memes");
      return answer;
    };
    await poll(withNetwork({ channels: { ...channels, get } }));
    expect(await told()).toEqual([]);
  });

  test("longer than a page are glanced at, and read to the end when the count says that somebody left", async () => {
    const many = Array.from({ length: 2500 }, (_, index) => 1000 + index);
    await observer.network.seed.channel("big", { owner, members: many });
    await observer.link("big");
    await pollHub(observer.context);
    let calls = 0;
    const { channelMembers } = observer.context.network;
    const list: typeof channelMembers.list = (input) => {
      calls += 1;
      return channelMembers.list(input);
    };
    const context = withNetwork({ channelMembers: { ...channelMembers, list } });
    await pollListings(context, "big");
    expect(calls).toBe(3);
    observer.context.clock.advance(90);
    await pollListings(context, "big");
    expect(calls).toBe(4);
    await asOwner().channelInvites.remove({ channelId: "big", removeFid: 1007, role: "member" });
    await pollListings(context, "big");
    expect(await told()).toEqual(["user.restricted 1007", "member.left 1007"]);
  });

  const gaps = async () => (await observeStatus(observer.context)).gaps;
  async function makeGap(): Promise<void> {
    observer.context.clock.advance(5);
    await observer.context.database.query.deleteFrom("network.hub_events").execute();
    await pollHub(observer.context);
    observer.context.clock.advance(5);
  }

  test("heal a gap once every linked channel's were read to the end", async () => {
    await link();
    await observer.network.api.operator.cast({ fid: 2, text: "gm", channelId: "memes" });
    await pollHub(observer.context);
    await makeGap();
    expect(await gaps()).toMatchObject([{ healed: false }]);
    await poll();
    expect(await gaps()).toMatchObject([{ healed: true }]);
  });

  test("heal no gap that was found while they were read", async () => {
    await link();
    await observer.network.api.operator.cast({ fid: 2, text: "gm", channelId: "memes" });
    await pollHub(observer.context);
    const { channelMembers } = observer.context.network;
    const list = async (...input: Parameters<typeof channelMembers.list>) => {
      const listed = await channelMembers.list(...input);
      await makeGap();
      return listed;
    };
    observer.context.clock.advance(90);
    await poll(withNetwork({ channelMembers: { ...channelMembers, list } }));
    expect(await gaps()).toMatchObject([{ healed: false }]);
    await poll();
    expect(await gaps()).toMatchObject([{ healed: true }]);
  });

  test("heal a gap also when the last two channels were read at once, and neither saw the other", async () => {
    await link();
    await observer.network.api.operator.cast({ fid: 2, text: "gm", channelId: "memes" });
    await pollHub(observer.context);
    await makeGap();
    const completed_at_ms = observer.context.clock.now();
    await observer.context.database.query.updateTable("castellan.sources").set({ completed_at_ms }).execute();
    observer.context.clock.advance(90);
    await poll();
    expect(await gaps()).toMatchObject([{ healed: true }]);
  });

  /** The bans as the network gives them over HTTP, where the rows of some are of another make. */
  function withBansOf(damaged: readonly number[]): { context: BotContext; lookups: () => number } {
    const { channelBans } = observer.context.network;
    let asked = 0;
    const answer = async (url: URL) => {
      const fid = url.searchParams.get("fid");
      if (fid !== null) asked += 1;
      const { result } = await channelBans.list({
        channelId: "memes",
        ...(fid !== null && { fid: Number(fid) }),
      });
      const bannedUsers = result.bannedUsers.map((row) =>
        damaged.includes(row.fid) ? { ...row, bannedAt: null } : row,
      );
      return Response.json({ result: { bannedUsers } });
    };
    const far = createFarClient("http://127.0.0.1:1", { fetch: (url) => answer(new URL(String(url))) });
    const context = withNetwork({ channelBans: { ...channelBans, list: far.channelBans.list } });
    return { context, lookups: () => asked };
  }

  test("of which a row cannot be read keep whom it is about, and still show who left", async () => {
    await link();
    for (const fid of [2, 3, 4]) await ban(fid);
    await poll();
    const bans = async () => (await told()).filter((line) => /banned/.test(line));
    const before = await bans();
    const { context, lookups } = withBansOf([2]);
    for (let look = 0; look < 3; look += 1) await poll(context);
    expect(await bans()).toEqual(before);
    expect(lookups()).toBe(0);
    const { sources } = await observeStatus(context);
    expect(sources.find(({ source }) => source === "listings/memes")).toMatchObject({
      error: expect.stringMatching(/^1 of its rows cannot be read .*bannedUsers: bannedAt/),
      failingSinceMs: null,
    });
    await asOwner().channelBans.unban({ channelId: "memes", unbanFid: 3 });
    observer.context.clock.advance(301);
    await poll(context);
    expect((await bans()).slice(before.length)).toEqual(["user.unbanned 3"]);
    expect(lookups()).toBe(2);
    await asOwner().channelBans.unban({ channelId: "memes", unbanFid: 2 });
    await poll(context);
    expect((await bans()).slice(before.length)).toEqual(["user.unbanned 3", "user.unbanned 2"]);
    const after = await observeStatus(context);
    expect(after.sources.find(({ source }) => source === "listings/memes")?.error).toBeNull();
  });

  test("that cannot be read are named with the reason, until they can", async () => {
    await link();
    const { channelBans } = observer.context.network;
    const list: typeof channelBans.list = () => Promise.reject(new Error("down"));
    const broken = withNetwork({ channelBans: { ...channelBans, list } });
    await expect(poll(broken)).rejects.toThrow("down");
    const find = async () =>
      (await observeStatus(observer.context)).sources.find(({ source }) => source === "listings/memes");
    expect(await find()).toMatchObject({ error: "down", failingSinceMs: observer.context.clock.now() });
    await poll();
    expect(await find()).toMatchObject({ error: null, failingSinceMs: null });
  });
});

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}
