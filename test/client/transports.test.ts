import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { pages } from "../../src/contract/pages.ts";
import { createTestNetwork, type TestNetwork } from "../support/world.ts";
import { forEachTransport, type ReachedNetwork } from "../support/interface-server.ts";

forEachTransport((reach) => {
  let network: TestNetwork;
  let reached: ReachedNetwork;
  beforeAll(async () => {
    network = await createTestNetwork();
    reached = await reach(network);
  });
  beforeEach(async () => {
    await network.context.database.truncate();
    await network.seed.channel("memes", { owner: 1, moderators: [2], members: [3, 4, 5] });
  });
  afterAll(async () => {
    await reached.close();
    await network.context.database.close();
  });

  it("a moderator bans and the public sees it", async () => {
    const moderator = await reached.as(2);
    await expect(moderator.channelBans.ban({ channelId: "memes", banFid: 3 })).resolves.toEqual({
      success: true,
    });
    const { result, ...rest } = await reached.public.channelBans.list({ channelId: "memes", fid: "3" });
    expect(result).toEqual({ bannedUsers: [{ fid: 3, channelId: "memes", bannedAt: 1_700_000_000 }] });
    expect(rest).toEqual({});
  });

  it("a channel reads the same", async () => {
    const { channel } = await reached.public.channels.get({ channelId: "memes" });
    expect(channel).toMatchObject({ id: "memes", leadFid: 1, moderatorFids: [2], memberCount: 5 });
    expect(Object.keys(channel)).not.toContain("pinnedCastHash");
  });

  it("a listing is read to its end, page by page", async () => {
    const fids: number[] = [];
    for await (const page of pages(reached.public.channelMembers.list, { channelId: "memes", limit: 2 })) {
      expect(page.members.length).toBeLessThanOrEqual(2);
      fids.push(...page.members.map(({ fid }) => fid));
    }
    expect(fids.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
  });

  it("hub events are the same", async () => {
    await expect(reached.public.hub.events({ from_event_id: 5 })).resolves.toEqual({
      nextPageEventId: 5,
      events: [],
    });
    await expect(reached.public.hub.eventById({ event_id: 5 })).rejects.toMatchObject({ code: "not_found" });
  });

  it("every refusal has the same code and names the same field", async () => {
    const stranger = await reached.as(9);
    const owner = await reached.as(1);
    const moderator = await reached.as(2);
    const { public: anyone } = reached;
    const memes = { channelId: "memes" };
    const signature = "0x00";
    const claim = {
      name: "a",
      from: 0,
      to: 2,
      fid: 3,
      owner: `0x${"1".repeat(40)}`,
      timestamp: 1,
      signature,
    };
    const refusals: [() => Promise<unknown>, object][] = [
      [() => stranger.channelBans.ban({ ...memes, banFid: 3 }), { code: "not_permitted" }],
      [() => moderator.channelBans.ban({ ...memes, banFid: 1 }), { code: "cannot_ban_owner" }],
      [
        () => moderator.channelInvites.invite({ ...memes, inviteFid: 3, role: "moderator" }),
        { code: "not_owner" },
      ],
      [
        () => owner.channelInvites.invite({ ...memes, inviteFid: 9, role: "member" }),
        { code: "invitee_not_following" },
      ],
      [
        () => stranger.channelInvites.answer({ ...memes, role: "member", accept: true }),
        { code: "no_active_invite" },
      ],
      [
        () => owner.channelBans.ban({ ...memes, banFid: 0 }),
        { code: "invalid_request", instancePath: "/banFid" },
      ],
      [() => owner.channelFollows.follow({ channelId: "gone" }), { code: "not_found" }],
      [() => anyone.channelFollows.follow(memes), { code: "invalid_auth_token" }],
      [() => anyone.channelBans.list({ cursor: "x" }), { code: "invalid_cursor", instancePath: "/cursor" }],
      [() => anyone.channelBans.list({ limit: 0 }), { code: "invalid_request", instancePath: "/limit" }],
      [() => anyone.transfers.create(claim), { code: "UNAUTHORIZED" }],
      [
        () => anyone.transfers.current({ name: "nobody" }),
        { code: "not_found", message: "No transfer found" },
      ],
      [() => anyone.hub.events({ shard_index: 2 }), { code: "invalid_request" }],
    ];
    for (const [call, error] of refusals)
      await expect(call()).rejects.toMatchObject({ name: "AppError", ...error });
  });
});
