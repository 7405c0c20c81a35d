import { describe, expect, it } from "vitest";
import {
  cursorOf,
  readPages,
  founded,
  membershipCalls,
  people,
  range,
  recordsOf,
  refused,
  useInterfaceNetwork,
} from "../support/interface-network.ts";
import { titled } from "../support/test-cases.ts";

const { owner, moderator } = people;

const network = await useInterfaceNetwork();
const calls = membershipCalls(network);
const six = range(10, 15);

/** With six accounts on one platform. */
const [verified = 0] = await network.newcomers(1);
/** With six of everything, in two of each second. */
const channelId = await network.channel({ moderatorFids: [], memberFids: [], followers: [] });
await fill();

async function fill(): Promise<void> {
  const followedAt = (index: number) => founded + Math.floor(index / 2);
  const later = six.map((_, index) => ({
    id: `later-${index}`,
    name: "Later",
    url: `https://castle.test/later-${index}`,
    leadFid: 40,
    createdAt: founded,
  }));
  await network.import({
    channels: later,
    channelFollows: later.map(({ id }, index) => ({ fid: 39, channelId: id, followedAt: followedAt(index) })),
    starterPacks: [
      { id: "six", members: six.map((fid, index) => ({ fid, memberAt: followedAt(index) * 1000 })) },
    ],
    verifications: six.map((_, index) => ({
      fid: verified,
      platform: "x",
      platformId: `p${verified}-${index}`,
      platformUsername: `user${index}`,
      verifiedAt: followedAt(index),
    })),
  });
  for (const [index, fid] of six.entries()) {
    if (index % 2 === 0) await network.pass(1);
    const castHash = await network.cast({ fid: 30, channelId });
    await Promise.all([
      network.as(38, "POST /fc/blocked-users", { blockFid: fid }),
      network.as(fid, "POST /fc/channel-follows", { channelId }),
      calls.join(fid, channelId),
      calls.ban(owner, channelId, fid + 10),
      network.as(owner, "POST /fc/moderated-casts", { castHash, action: "hide" }),
    ]);
    await calls.join(fid + 20, channelId);
    await calls.remove(owner, channelId, fid + 20, "member");
    await calls.invite(owner, channelId, fid, "moderator");
  }
}

interface Listing {
  request: string;
  query: Record<string, unknown>;
  time: string;
  /** A filter that one of them fits. */
  filter?: Record<string, unknown>;
  total: number;
}

const inChannel = { channelId };
const listings: Listing[] = [
  { request: "GET /v1/channel-followers", query: inChannel, time: "followedAt", total: 6 },
  { request: "GET /v1/user-following-channels", query: { fid: 39 }, time: "followedAt", total: 6 },
  { request: "GET /fc/channel-members", query: inChannel, time: "memberAt", total: 7, filter: { fid: 12 } },
  { request: "GET /fc/channel-invites", query: inChannel, time: "invitedAt", total: 6, filter: { fid: 12 } },
  {
    request: "GET /fc/channel-restricted-users",
    query: inChannel,
    time: "restrictedAt",
    total: 6,
    filter: { fid: 32 },
  },
  { request: "GET /fc/channel-bans", query: inChannel, time: "bannedAt", total: 6, filter: { fid: 22 } },
  { request: "GET /fc/moderated-casts", query: inChannel, time: "moderatedAt", total: 6 },
  { request: "GET /fc/account-verifications", query: { fid: verified }, time: "verifiedAt", total: 6 },
  { request: "GET /fc/blocked-users", query: { blockerFid: 38 }, time: "createdAt", total: 6 },
  { request: "GET /fc/starter-pack-members", query: { id: "six" }, time: "memberAt", total: 6 },
];

const byRequest = ({ request }: Listing) => request;

describe.each(titled(listings, byRequest))("%s", (_, { request, query, time, total }) => {
  it("is ordered by time, descending", async () => {
    const records = await network.list(request, query);
    expect(records).toHaveLength(total);
    const times = records.map((record) => Number(record[time]));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(new Set(times).size).toBeGreaterThan(2);
  });

  it("gives each record once over pages of one, two and four, in the same order", async () => {
    const whole = await network.list(request, query);
    for (const limit of [1, 2, 4]) {
      const pages = await readPages(network, request, query, limit);
      expect(pages.flatMap(recordsOf)).toEqual(whole);
      expect(pages).toHaveLength(Math.ceil(total / limit));
    }
  });

  it("gives no next on the last page, even when that is full", async () => {
    const { status, body } = await network.call(request, { ...query, limit: total });
    expect([status, Object.keys(Object(body))]).toEqual([200, ["result"]]);
    expect(cursorOf(await network.call(request, { ...query, limit: total - 1 }))).toMatch(/^[\w-]{1,1024}$/);
  });

  it("takes a limit above the maximum as the maximum", async () => {
    for (const limit of [1000, 1001, 999_999, 2 ** 31 - 1, Number.MAX_SAFE_INTEGER]) {
      expect(recordsOf(await network.call(request, { ...query, limit }))).toHaveLength(total);
    }
  });

  it.each(["0", "-1", "1.5", "ten", "", "1e2", "01", "+5"])("refuses limit %j", async (limit) => {
    expect(await network.call(request, { ...query, limit })).toEqual(refused(400, "invalid_request"));
  });

  it.each(["nonsense", "", "e30", "bnVsbA", "x".repeat(1025)])("refuses cursor %.20j", async (cursor) => {
    expect(await network.call(request, { ...query, cursor })).toEqual(refused(400, "invalid_cursor"));
  });

  it("refuses the cursors of all other listings", async () => {
    for (const other of listings.filter((listing) => listing.request !== request)) {
      const answer = await network.call(other.request, { ...other.query, limit: 1 });
      expect(await network.call(request, { ...query, cursor: cursorOf(answer) })).toEqual(
        refused(400, "invalid_cursor"),
      );
    }
  });
});

const filtered = listings.flatMap(({ filter, ...listing }) => (filter ? [{ ...listing, filter }] : []));

describe.each(titled(filtered, byRequest))("%s", (_, { request, query, filter }) => {
  it("filters by fid", async () => {
    const whole = await network.list(request, query);
    const mine = whole.filter((record) => [record.fid, record["invitedFid"]].includes(filter["fid"]));
    expect(mine).toHaveLength(1);
    expect(await network.list(request, { ...query, ...filter })).toEqual(mine);
  });

  it("of an unknown fid is empty, a malformed one 400", async () => {
    expect(await network.list(request, { ...query, fid: 999_999 })).toEqual([]);
    for (const fid of ["0", "-1", "012", "x", "", "1.0", "12345678901234567"]) {
      expect(await network.call(request, { ...query, fid })).toEqual(refused(400, "invalid_request"));
    }
  });

  it("refuses a cursor that was made under another filter", async () => {
    const cursor = cursorOf(await network.call(request, { ...query, limit: 1 }));
    expect(await network.call(request, { ...query, ...filter, cursor })).toEqual(
      refused(400, "invalid_cursor"),
    );
  });
});

const ofChannel = listings.filter(({ query }) => query === inChannel);
describe.each(titled(ofChannel, byRequest))("%s", (_, { request }) => {
  it("of an unknown channel is 404, of a malformed id 400", async () => {
    expect(await network.call(request, { channelId: "nowhere" })).toEqual(refused(404, "not_found"));
    expect(await network.call(request, { channelId: "No/where" })).toEqual(refused(400, "invalid_request"));
  });

  it("refuses a cursor that was made in another channel", async () => {
    const cursor = cursorOf(await network.call(request, { channelId, limit: 1 }));
    for (const other of [await network.channel(), "nowhere"]) {
      expect(await network.call(request, { channelId: other, cursor })).toEqual(
        refused(400, "invalid_cursor"),
      );
    }
  });
});

describe.each(["channel-invites", "channel-restricted-users", "channel-bans", "moderated-casts"])(
  "GET /fc/%s",
  (name) => {
    it("without a channel lists those of every channel", async () => {
      const other = await network.channel();
      const castHash = await network.cast({ fid: 30, channelId: other });
      await calls.invite(moderator, other, people.follower, "member");
      await calls.remove(owner, other, people.member, "member");
      await calls.ban(owner, other, people.stranger);
      await network.as(owner, "POST /fc/moderated-casts", { castHash, action: "hide" });
      const channels = (await network.list(`GET /fc/${name}`)).map((record) => record["channelId"]);
      expect(channels.slice(0, 1)).toEqual([other]);
      expect(channels).toContain(channelId);
    });
  },
);

const happenings: [string, (id: string, fid: number) => Promise<unknown>][] = [
  ["channel-invites", (id, fid) => calls.invite(owner, id, fid, "member")],
  ["channel-bans", (id, fid) => calls.ban(owner, id, fid)],
  [
    "channel-restricted-users",
    async (id, fid) => {
      await calls.ban(owner, id, fid);
      await calls.unban(owner, id, fid);
    },
  ],
];

describe.each(happenings)("GET /fc/%s", (name, happen) => {
  it("of a fid alone lists that user's in every channel, page by page", async () => {
    const [fid = 0] = await network.newcomers(1);
    const parts = { followers: [fid] };
    const [early, late] = [await network.channel(parts), await network.channel(parts)];
    for (const id of [early, late]) {
      await network.pass(1);
      await happen(id, fid);
    }
    const pages = await readPages(network, `GET /fc/${name}`, { fid }, 1);
    expect(pages.flatMap(recordsOf).map((record) => record["channelId"])).toEqual([late, early]);
    expect(await network.list(`GET /fc/${name}`, { fid, channelId })).toEqual([]);
  });
});

describe.each(["/v1/channel-followers", "/fc/channel-members"])("GET %s", (path) => {
  it("needs a channel", async () => {
    expect(await network.call(`GET ${path}`)).toEqual(refused(400, "invalid_request"));
  });
});
