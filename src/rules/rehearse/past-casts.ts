import { sql } from "kysely";
import type { Queryable } from "../../database/database.ts";
import { beforeLink, type Occurrence } from "../evaluate/occurrence.ts";
import { readText } from "../text/rule-text.ts";
import type { Past } from "./past-events.ts";

/** Where reading casts continues: before this one. */
export interface CastPlace {
  at: number;
  hash: string;
}

interface PastCastRow {
  hash: string;
  channel_id: string;
  fid: number;
  text: string;
  parent_hash: string | null;
  root_hash: string;
  thread_depth: number;
  embeds: string[];
  cast_at: number;
}

/** Casts that were requested from the network, without events, because they are older than their channel's link. */
const isWanted = ({ channelIds, since }: Past) => sql<boolean>`
  channel_id = any(${[...channelIds]}::text[]) and cast_at >= ${since} and from_past and erased_at_ms is null`;

export async function countPastCasts(db: Queryable, past: Past): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from castellan.casts where ${isWanted(past)}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** This many casts, newest first, as the events they would have been. */
export async function readPastCasts(
  db: Queryable,
  past: Past,
  before: CastPlace | undefined,
  limit: number,
): Promise<Occurrence[]> {
  const { at, hash } = before ?? { at: Number.MAX_SAFE_INTEGER, hash: "" };
  const { rows } = await sql<PastCastRow>`
    select hash, channel_id, fid, text, parent_hash, root_hash, thread_depth, embeds, cast_at
    from castellan.casts
    where ${isWanted(past)} and cast_at <= ${at} and (cast_at, hash) < (${at}, ${hash})
    order by cast_at desc, hash desc limit ${limit}
  `.execute(db);
  return rows.map((row) => toOccurrence(past.guildId, row));
}

/** Its merge time is unknown, so its own time counts. */
function toOccurrence(guildId: string, row: PastCastRow): Occurrence {
  const { hash, channel_id: channelId, fid, text, embeds, cast_at: castAt, thread_depth: threadDepth } = row;
  const parent = row.parent_hash === null ? {} : { parentHash: row.parent_hash };
  return {
    guildId,
    channelId,
    event: {
      id: beforeLink,
      sourceKey: `cast:${hash}`,
      kind: "cast.created",
      channelId,
      subjectFid: fid,
      occurredAt: castAt,
      observedAt: castAt * 1000,
      depth: 0,
      caseId: null,
      data: { castHash: hash, text, rootHash: row.root_hash, threadDepth, mentions: [], embeds, ...parent },
    },
    authorFid: fid,
    text: readText(text),
    cast: { hash, embeds, threadDepth, mentions: null },
    name: null,
    causedByRule: null,
  };
}
