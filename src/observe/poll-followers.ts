import { sql } from "kysely";
import type { BotContext } from "../bot-context.ts";
import { seconds } from "../clock.ts";
import type { ChannelFollower } from "../contract/channels.ts";
import type { Network } from "../contract/index.ts";
import type { Queryable } from "../database/database.ts";
import { newEvent, type NewChannelEvent } from "./events.ts";
import { latestPast, markGood, moveSource, openSource, withFailureNoted } from "./sources.ts";

/** If more new followers came than fit these pages, the oldest are left out. */
const maxPages = 20;

/**
 * Finds a channel's new followers since the last reading, as long as a rule in some server needs them. The first reading
 * only notes where to begin.
 */
export async function pollFollowers(context: BotContext, channelId: string): Promise<void> {
  const { database, network, clock } = context;
  const name = `followers/${channelId}`;
  if (!(await hasListeners(database.query, channelId))) {
    await database.query.deleteFrom("castellan.sources").where("source", "=", name).execute();
    return;
  }
  const source = await openSource(database.query, name, channelId);
  await withFailureNoted(context, name, async () => {
    const readAt = clock.now();
    const now = seconds(clock);
    const since = Math.min(source.position, now + 1);
    const fresh = source.has_baseline ? await readSince(network, channelId, since) : [];
    if (source.has_baseline && fresh.length === 0) return markGood(context, source, readAt);
    const times = fresh.map(({ followedAt }) => followedAt);
    const position = source.has_baseline
      ? latestPast(since, times, now)
      : await findBeginning(network, channelId, now);
    const events = fresh.map((follower) => toFollowerEvent(channelId, follower, readAt)).toReversed();
    await database.transaction(async (tx) => {
      const moved = await moveSource(tx, source, { has_baseline: true, position }, readAt);
      if (moved && events.length > 0) await context.appendEvents(tx, events);
    });
  });
}

/** Whether any rule in any channel needs followers. The next run drops positions that are no longer needed. */
export async function wantsFollowers({ database }: BotContext): Promise<boolean> {
  const { rows } = await sql<{ wanted: boolean }>`
    select exists (select from castellan.rules_in_force where 'follower.added' = any(event_kinds)) as wanted
  `.execute(database.query);
  return rows[0]?.wanted ?? false;
}

export async function hasListeners(db: Queryable, channelId: string): Promise<boolean> {
  const { rows } = await sql<{ listening: boolean }>`
    select exists (
      select from castellan.links join castellan.rules_in_force using (guild_id)
      where links.channel_id = ${channelId} and links.suspended_at_ms is null
        and 'follower.added' = any(rules_in_force.event_kinds)
    ) as listening
  `.execute(db);
  return rows[0]?.listening ?? false;
}

/** The position after the newest existing follower. */
async function findBeginning(network: Network, channelId: string, now: number): Promise<number> {
  const { result } = await network.channels.followers({ channelId, limit: 1 });
  return Math.min(result.users[0]?.followedAt ?? 0, now) + 1;
}

/** Followers since a time, newest first. Those of that same second may be stored already; appendEvents knows them. */
async function readSince(network: Network, channelId: string, since: number): Promise<ChannelFollower[]> {
  const found: ChannelFollower[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { result, next } = await network.channels.followers({ channelId, limit: 100, cursor });
    const fresh = result.users.filter(({ followedAt }) => followedAt >= since);
    found.push(...fresh);
    cursor = next?.cursor;
    if (cursor === undefined || fresh.length < result.users.length) break;
  }
  return found;
}

export function toFollowerEvent(
  channelId: string,
  { fid, followedAt }: ChannelFollower,
  observedAt: number,
): NewChannelEvent {
  return newEvent(observedAt, {
    sourceKey: `follower.added:${channelId}:${fid}:${followedAt}`,
    kind: "follower.added",
    channelId,
    subjectFid: fid,
    occurredAt: followedAt,
    data: { at: followedAt },
  });
}
