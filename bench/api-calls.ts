import type { Api } from "../src/api/create-api.ts";
import type { Network } from "../src/contract/index.ts";
import type { Database } from "../src/database/database.ts";
import { createSeed } from "../test/support/seed.ts";
import { custodyOf } from "../test/support/signing.ts";
import type { Round } from "./load.ts";

export const owner = 1;
export const moderator = 2;
/** Placeholder for a counted fid. */
export const markedFid = 987_654_321;

/** Our calls' minimum speed relative to the bare server's, by kind. */
export const targets = { read: 0.7, list: 0.7, write: 0.6 };

/** A call of the interface, as the load process sends it and the bench records its statements. */
export interface BenchedCall extends Pick<Round, "method"> {
  kind: keyof typeof targets;
  path: string;
  body?: { fields: Record<string, unknown>; counted?: string };
  call: (network: Network) => Promise<unknown>;
}

const channelId = "memes";
const listed = 150;
const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

/** Creates a channel and lists longer than a page; returns the calls to measure on them. */
export async function prepareCalls(database: Database, api: Api): Promise<BenchedCall[]> {
  const members = range(100, 200);
  const crowd = range(10_000, listed);
  const seed = createSeed(database.query);
  await seed.channel(channelId, { owner, moderators: [moderator, 3, 4], members });
  const custodyAddress = custodyOf(1).address;
  await api.operator.importNetwork({
    accounts: [owner, ...crowd].map((fid) => ({ fid, custodyAddress, username: `name-${fid}` })),
    primaryAddresses: crowd.map((fid) => ({ fid, protocol: "ethereum", address: custodyAddress })),
    verifications: crowd.map((fid, index) => ({
      fid,
      platform: "x",
      platformId: `p${fid}`,
      platformUsername: `user${fid}`,
      verifiedAt: 1_690_000_000 + index,
    })),
  });
  const network = api.network(moderator);
  const hashes: string[] = [];
  for (const [index, fid] of crowd.entries()) {
    await seed.follow(fid, channelId, 1_690_000_000 + index);
    const castHash = await seed.cast({ fid, channelId });
    hashes.push(castHash);
    await network.channelBans.ban({ channelId, banFid: fid + 5000 });
    await network.moderatedCasts.moderate({ castHash, action: "hide" });
    await network.blockedUsers.block({ blockFid: fid });
  }
  const [pinned = ""] = hashes;
  await network.pinnedCasts.pin({ castHash: pinned });
  const [event] = (await network.hub.events({ page_size: 1 })).events;
  return listCalls(pinned, event?.id ?? 0);
}

function listCalls(castHash: string, eventId: number): BenchedCall[] {
  const get = (
    kind: "read" | "list",
    path: string,
    query: Record<string, string>,
    call: BenchedCall["call"],
  ): BenchedCall => ({
    kind,
    method: "GET",
    path: `${path}?${new URLSearchParams(query).toString()}`,
    call,
  });
  const [fid, protocol, user] = [10_000, "ethereum" as const, { fid: "10000" }];
  return [
    get("read", "/v1/channel", { channelId }, (n) => n.channels.get({ channelId })),
    get("read", "/v1/user-channel", { ...user, channelId }, (n) =>
      n.channelFollows.status({ fid, channelId }),
    ),
    get("read", "/fc/primary-address", { ...user, protocol }, (n) =>
      n.primaryAddresses.get({ fid, protocol }),
    ),
    get("read", "/transfers/current", user, (n) => n.transfers.current({ fid })),
    get("read", "/v1/eventById", { event_id: String(eventId) }, (n) =>
      n.hub.eventById({ event_id: eventId }),
    ),
    get("list", "/fc/channel-bans", { channelId }, (n) => n.channelBans.list({ channelId })),
    get("list", "/fc/channel-members", { channelId }, (n) => n.channelMembers.list({ channelId })),
    get("list", "/v1/channel-followers", { channelId }, (n) => n.channels.followers({ channelId })),
    get("list", "/fc/moderated-casts", { channelId }, (n) => n.moderatedCasts.list({ channelId })),
    get("list", "/fc/blocked-users", { blockerFid: String(moderator) }, (n) =>
      n.blockedUsers.list({ blockerFid: moderator }),
    ),
    get("list", "/fc/account-verifications", { limit: "100" }, (n) =>
      n.accountVerifications.list({ limit: 100 }),
    ),
    get("list", "/transfers", {}, (n) => n.transfers.list({})),
    {
      kind: "write",
      method: "POST",
      path: "/fc/channel-bans",
      body: { fields: { channelId }, counted: "banFid" },
      call: (n) => n.channelBans.ban({ channelId, banFid: markedFid }),
    },
    {
      kind: "write",
      method: "POST",
      path: "/fc/blocked-users",
      body: { fields: {}, counted: "blockFid" },
      call: (n) => n.blockedUsers.block({ blockFid: markedFid }),
    },
    {
      kind: "write",
      method: "PUT",
      path: "/fc/pinned-casts",
      body: { fields: { castHash } },
      call: (n) => n.pinnedCasts.pin({ castHash }),
    },
  ];
}
