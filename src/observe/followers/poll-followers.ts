import { sql } from "kysely";
import type { ChannelFollower } from "../../contract/channels.ts";
import type { Network } from "../../contract/index.ts";
import type { Queryable } from "../../database/database.ts";
import type { ObserveContext } from "../append-events.ts";
import { newEvent, type NewChannelEvent } from "../event.ts";
import { markGood, moveSource, noteFailure, openSource } from "../source.ts";

/** Of more new followers than fit these pages, the oldest are not told of. */
const mostPages = 20;

/**
 * Tells who began to follow a channel since the last look, as long as a rule of some server listens. The first look only
 * notes where it begins.
 */
export async function pollFollowers(context: ObserveContext, channelId: string): Promise<void> {
  const { database, network, clock } = context;
  const name = `followers/${channelId}`;
  if (!(await isAskedFor(database.query, channelId))) {
    await database.query.deleteFrom("castellan.sources").where("source", "=", name).execute();
    return;
  }
  const source = await openSource(database.query, name, channelId);
  await noteFailure(context, name, async () => {
    const lookedAt = clock.now();
    const fresh = source.baselined ? await readSince(network, channelId, source.position) : [];
    const newest = fresh[0]?.followedAt;
    if (source.baselined && newest === undefined) return markGood(context, source, lookedAt);
    const position = source.baselined ? (newest ?? source.position) : await findBeginning(network, channelId);
    const events = fresh.map((follower) => tell(channelId, follower, lookedAt)).toReversed();
    await database.transaction(async (tx) => {
      const moved = await moveSource(tx, source, { baselined: true, position }, lookedAt);
      if (moved && events.length > 0) await context.appendEvents(tx, events);
    });
  });
}

async function isAskedFor(db: Queryable, channelId: string): Promise<boolean> {
  const { rows } = await sql<{ asked: boolean }>`
    select exists (
      select from castellan.links join castellan.rules_in_force using (guild_id)
      where links.channel_id = ${channelId} and links.suspended_at_ms is null
        and 'follower.added' = any(rules_in_force.event_kinds)
    ) as asked
  `.execute(db);
  return rows[0]?.asked ?? false;
}

/** After the newest follower that there is. */
async function findBeginning(network: Network, channelId: string): Promise<number> {
  const { result } = await network.channels.followers({ channelId, limit: 1 });
  return (result.users[0]?.followedAt ?? 0) + 1;
}

/** Followers since a time, newest first. Those of that very second may have been told of, which appendEvents knows. */
async function readSince(network: Network, channelId: string, since: number): Promise<ChannelFollower[]> {
  const found: ChannelFollower[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const { result, next } = await network.channels.followers({ channelId, limit: 100, cursor });
    const fresh = result.users.filter(({ followedAt }) => followedAt >= since);
    found.push(...fresh);
    cursor = next?.cursor;
    if (cursor === undefined || fresh.length < result.users.length) break;
  }
  return found;
}

function tell(channelId: string, { fid, followedAt }: ChannelFollower, observedAt: number): NewChannelEvent {
  return newEvent(observedAt, {
    sourceKey: `follower.added:${channelId}:${fid}:${followedAt}`,
    kind: "follower.added",
    channelId,
    subjectFid: fid,
    occurredAt: followedAt,
    data: { at: followedAt },
  });
}
