import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Network } from "../../../src/contract/index.ts";
import type { Page } from "../../../src/contract/endpoint.ts";
import { createTestNetwork, type TestNetwork } from "../../support/world.ts";

interface Ask {
  channelId: string;
  limit?: number | string;
  cursor?: string;
}

interface Listing {
  name: string;
  /** Fids of the page and the cursor of the next. */
  ask(network: Network, ask: Ask): Promise<{ fids: number[]; cursor: string | undefined }>;
  table:
    | "network.bans"
    | "network.restrictions"
    | "network.invites"
    | "network.memberships"
    | "network.channel_follows";
  time: "banned_at" | "restricted_at" | "invited_at" | "member_at" | "followed_at";
  further: object;
}

function toPage<T>(page: Page<T>, fids: (result: T) => number[]) {
  return { fids: fids(page.result), cursor: page.next?.cursor };
}

const listings: Listing[] = [
  {
    name: "bans",
    ask: async (network, ask) =>
      toPage(await network.channelBans.list(ask), (result) => result.bannedUsers.map((user) => user.fid)),
    table: "network.bans",
    time: "banned_at",
    further: {},
  },
  {
    name: "restricted users",
    ask: async (network, ask) =>
      toPage(await network.channelRestrictedUsers.list(ask), (result) =>
        result.restrictedUsers.map((user) => user.fid),
      ),
    table: "network.restrictions",
    time: "restricted_at",
    further: {},
  },
  {
    name: "invites",
    ask: async (network, ask) =>
      toPage(await network.channelInvites.list(ask), (result) =>
        result.invites.map((invite) => invite.invitedFid),
      ),
    table: "network.invites",
    time: "invited_at",
    further: { role: "member", inviter_fid: 1 },
  },
  {
    name: "members",
    ask: async (network, ask) =>
      toPage(await network.channelMembers.list(ask), (result) => result.members.map((user) => user.fid)),
    table: "network.memberships",
    time: "member_at",
    further: { role: "member" },
  },
  {
    name: "followers",
    ask: async (network, ask) =>
      toPage(await network.channels.followers(ask), (result) => result.users.map((user) => user.fid)),
    table: "network.channel_follows",
    time: "followed_at",
    further: {},
  },
];

let network: TestNetwork;
let channelId: string;
let channels = 0;

beforeAll(async () => {
  network = await createTestNetwork();
});
afterAll(() => network.context.database.close());
beforeEach(async () => {
  channelId = `memes-${++channels}`;
  await network.seed.channel(channelId);
  // The owner's membership would only disturb the order below.
  await network.context.database.query.deleteFrom("network.memberships").execute();
});

/** Rows in the order of their ids. */
async function fill(listing: Listing, rows: { fid: number; time: number }[]) {
  const values = rows.map(({ fid, time }) => ({
    channel_id: channelId,
    fid,
    [listing.time]: time,
    ...listing.further,
  }));
  await network.context.database.query.insertInto(listing.table).values(values).execute();
}

async function readAll(listing: Listing, ask: Ask): Promise<number[]> {
  const { fids, cursor } = await listing.ask(network.public, ask);
  return cursor ? [...fids, ...(await readAll(listing, { ...ask, cursor }))] : fids;
}

describe.each(listings)("the listing of $name", (listing) => {
  it("comes newest first, ties by the record's id, descending", async () => {
    await fill(listing, [
      { fid: 11, time: 50 },
      { fid: 12, time: 70 },
      { fid: 13, time: 50 },
      { fid: 14, time: 60 },
    ]);
    expect((await listing.ask(network.public, { channelId })).fids).toEqual([12, 14, 13, 11]);
  });

  it("skips and repeats nothing while rows come and go between its pages", async () => {
    await fill(
      listing,
      [11, 12, 13, 14, 15, 16].map((fid) => ({ fid, time: 50 })),
    );
    const first = await listing.ask(network.public, { channelId, limit: 2 });
    expect(first.fids).toEqual([16, 15]);
    await fill(listing, [{ fid: 17, time: 50 }]);
    await network.context.database.query.deleteFrom(listing.table).where("fid", "in", [15, 13]).execute();
    const rest = await readAll(listing, { channelId, limit: 2, cursor: first.cursor ?? "" });
    expect(rest).toEqual([14, 12, 11]);
  });

  it("gives pages of a hundred, at most a thousand", async () => {
    await fill(
      listing,
      Array.from({ length: 1005 }, (_, index) => ({ fid: index + 1, time: 50 })),
    );
    const sizes = [];
    for (const limit of [undefined, "7", 1000, 5000]) {
      const { fids } = await listing.ask(network.public, { channelId, ...(limit && { limit }) });
      sizes.push(fids.length);
    }
    expect(sizes).toEqual([100, 7, 1000, 1000]);
  });

  it("refuses a page size that is no positive integer", async () => {
    for (const limit of [0, -1, 1.5, "0", "1e3", ""]) {
      await expect(listing.ask(network.public, { channelId, limit })).rejects.toMatchObject({
        code: "invalid_request",
        instancePath: "/limit",
      });
    }
  });

  it("drops a deleted channel's rows", async () => {
    await fill(listing, [{ fid: 11, time: 50 }]);
    await network.context.database.query.deleteFrom("network.channels").where("id", "=", channelId).execute();
    const { rows } = await network.context.database.pool.query(
      `select fid from ${listing.table} where channel_id = '${channelId}'`,
    );
    expect(rows).toEqual([]);
  });
});
