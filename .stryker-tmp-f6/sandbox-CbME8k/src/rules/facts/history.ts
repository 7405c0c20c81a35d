// @ts-nocheck
import { sql } from "kysely";
import type { EventKind } from "../../observe/event.ts";
import type { Ask, Fact, FactContext, FactSource } from "../evaluate/fact.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import { authorNotKnown } from "./author-source.ts";

/** Kinds of event that happen to a user in a channel, and can be counted. */
export const historyEvents = [
  "cast.created",
  "cast.removed",
  "record.hidden",
  "record.unhidden",
  "user.banned",
  "user.unbanned",
  "user.restricted",
  "member.joined",
  "member.left",
  "invite.created",
  "follower.added",
] as const satisfies EventKind[];
type HistoryEvent = (typeof historyEvents)[number];

/** Whose events are counted. */
export const historyScopes = ["author", "channel"] as const;
export type HistoryScope = (typeof historyScopes)[number];

interface HistoryAsk extends Ask<number> {
  event: HistoryEvent;
  by: HistoryScope;
  within: number;
}

const history: FactSource = {
  name: "events of the channel",
  // Only asks made by askHistory name this source.
  async load(context, wanted: readonly { ask: HistoryAsk; occurrence: Occurrence }[]) {
    const counts = await countEvents(context, wanted);
    const [source, at] = [history.name, context.clock.now()];
    return wanted.map(({ ask: { by }, occurrence }, index): Fact<number> => {
      if (by === "author" && occurrence.authorFid === null) return authorNotKnown(source, context);
      return { known: true, value: counts.get(index) ?? 0, source, at };
    });
  },
};

/** How often an event happened in the channel in the seconds up to this one, itself included. */
export function askHistory(event: HistoryEvent, within: number, by: HistoryScope = "author"): Ask<number> {
  const ask: HistoryAsk = { key: `history:${event}:${by}:${within}`, source: history, event, by, within };
  return ask;
}

/**
 * Counts by index of the question. Hiding one cast again and again counts once. Records name no user, so theirs are
 * found through the author's casts. Events after the one in question do not count: two workers, or a rehearsal,
 * give the same.
 */
async function countEvents(
  context: FactContext,
  wanted: readonly { ask: HistoryAsk; occurrence: Occurrence }[],
): Promise<Map<number, number>> {
  const questions = wanted.map(({ ask, occurrence }, index) => ({
    index,
    by: ask.by,
    fid: occurrence.authorFid,
    channel: occurrence.channelId,
    kind: ask.event,
    since: occurrence.event.occurredAt - ask.within,
    until: occurrence.event.id,
  }));
  const { rows } = await sql<{ index: number; count: number }>`
    select asked.index, count(distinct coalesce(found.cast_hash, found.id::text)) as count
    from json_to_recordset(${JSON.stringify(questions)}::text::json)
      as asked(index int, by text, fid bigint, channel text, kind text, since bigint, until bigint)
    cross join lateral (
      select id, cast_hash from castellan.events
      where asked.by = 'author' and channel_id = asked.channel and subject_fid = asked.fid and kind = asked.kind
        and occurred_at > asked.since and id <= asked.until
      union all
      select events.id, events.cast_hash from castellan.casts join castellan.events on cast_hash = casts.hash
      where asked.by = 'author' and asked.kind in ('record.hidden', 'record.unhidden')
        and casts.fid = asked.fid and casts.channel_id = asked.channel
        and subject_fid is null and events.channel_id = asked.channel and kind = asked.kind and occurred_at > asked.since and events.id <= asked.until
      union all
      select id, cast_hash from castellan.events
      where asked.by = 'channel' and channel_id = asked.channel and kind = asked.kind
        and occurred_at > asked.since and id <= asked.until
    ) as found
    group by asked.index
  `.execute(context.database.query);
  return new Map(rows.map(({ index, count }) => [index, count]));
}
