import { sql, type Selectable } from "kysely";
import type { Queryable } from "../../database/database.ts";
import type { ReviewItemTable } from "../../database/tables/rules-acts.ts";

/** What a rule held for a person, with what they want to know before they decide. */
export interface ReviewFact {
  id: number;
  /** Names it in its buttons. */
  tag: string;
  guildId: string;
  channelName: string;
  queue: string;
  ruleId: string;
  ruleVersion: number;
  fid: number | null;
  name: string | null;
  castHash: string | null;
  evidence: string | null;
  why: string | null;
  /** What the rule would do, in words. */
  sentences: string[];
  state: Selectable<ReviewItemTable>["state"];
  heldAtMs: number;
  claimedBy: string | null;
  decidedBy: string | null;
  /** The author's earlier cases in the channel, and the points that count against them. */
  cases: number;
  points: number;
}

type Row = Omit<ReviewFact, "sentences"> & { deeds: string };

/** Review items by their numbers; `now` in UNIX milliseconds. */
export async function loadReviews(
  db: Queryable,
  ids: readonly number[],
  now: number,
): Promise<Map<number, ReviewFact>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select item.id, item.tag, item.guild_id as "guildId", coalesce(channel_name, item.channel_id) as "channelName", queue, rule_id as "ruleId",
      rule_version as "ruleVersion", item.fid, cast_hash as "castHash", evidence, why, deeds, state,
      held_at_ms as "heldAtMs", claimed_by as "claimedBy", decided_by as "decidedBy",
      (select name from castellan.names where names.fid = item.fid order by since, name limit 1) as name,
      (select count(*) from castellan.cases where cases.guild_id = item.guild_id
        and cases.channel_id = item.channel_id and cases.target_fid = item.fid) as cases,
      (select coalesce(sum(points), 0) from castellan.strikes where strikes.guild_id = item.guild_id
        and strikes.channel_id = item.channel_id and strikes.fid = item.fid
        and (expires_at_ms is null or expires_at_ms > ${now})) as points
    from castellan.review_items as item
    left join castellan.links as link on link.guild_id = item.guild_id and link.channel_id = item.channel_id
    where item.id = any(${[...ids]}::bigint[])
  `.execute(db);
  return new Map(
    rows.map(({ deeds, ...item }) => {
      const held = JSON.parse(deeds) as { sentence: string }[]; // written by holdForReview
      return [item.id, { ...item, sentences: held.map(({ sentence }) => sentence) }];
    }),
  );
}
