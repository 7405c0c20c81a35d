import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../database/database.ts";
import type { ChannelEvent } from "../../observe/events.ts";
import { orMore } from "../comparisons/number-tests.ts";
import type { ConditionKind } from "../evaluate/condition.ts";
import { countSource } from "../facts/count-source.ts";
import { needOf } from "../facts/fact.ts";
import { durationBetween } from "../language/duration.ts";
import { maxBitsApart, similarityPrint } from "../text/similarity.ts";
import { factField, leafWhere, numberLeaf } from "./make-condition.ts";

/** At most this many replies of one author are compared, newest first. */
const maxReplies = 500;

/** Stores the fingerprints and addressees of new replies, in the transaction that stores the casts. */
export async function storeReplyPrints(tx: Tx, events: readonly ChannelEvent[]): Promise<void> {
  const rows = events.flatMap((event) => {
    if (event.kind !== "cast.created" || event.channelId === null) return [];
    const { id: event_id, channelId: channel_id, subjectFid: fid, occurredAt: at, data } = event;
    const { parentHash: answered_hash, text } = data;
    const fingerprint = answered_hash === undefined ? undefined : similarityPrint(text);
    return fingerprint === undefined ? [] : [{ event_id, channel_id, fid, answered_hash, fingerprint, at }];
  });
  if (rows.length === 0) return;
  await sql`
    insert into castellan.reply_fingerprints (event_id, channel_id, fid, answered_hash, answered_fid, fingerprint, at)
    select event_id, reply.channel_id, reply.fid, answered_hash, answered.fid, fingerprint, at
    from json_populate_recordset(null::castellan.reply_fingerprints, ${JSON.stringify(rows)}::text::json) as reply
    left join castellan.casts as answered on answered.hash = answered_hash
  `.execute(tx);
}

const source = countSource<[within: number]>(
  "replies of the channel",
  sql`
    select asked.index, count(distinct coalesce(latest.answered_fid::text, latest.answered_hash)) as count
    from asked join castellan.reply_fingerprints as own
      on own.event_id = asked.event and own.answered_fid is distinct from asked.fid
    cross join lateral (
      select answered_fid, answered_hash, fingerprint from castellan.reply_fingerprints as other
      where other.fid = asked.fid and other.channel_id = asked.channel and other.at > asked.since
        and other.event_id <= asked.event and other.answered_fid is distinct from asked.fid
      order by other.at desc, other.event_id desc limit ${sql.lit(maxReplies)}
    ) as latest
    where length(replace((latest.fingerprint # own.fingerprint)::text, '0', '')) <= ${sql.lit(maxBitsApart)}
    group by asked.index
  `,
  ({ event }, within) => ({ since: event.occurredAt - within }),
  () => "Castellan compares replies from the link on",
);

/**
 * The number of people to whom the author replied in the channel with nearly this text in the seconds up to it; 0 for
 * casts that are not replies, replies to oneself, and replies without words.
 */
export const peopleAnswered = (within: number) => needOf(source, within);

/** The number of people to whom the author replies nearly the same. */
export const sameReply: ConditionKind = {
  name: "same_reply",
  events: ["cast.created"],
  sources: [source],
  schema: () =>
    z
      .strictObject({ within: durationBetween("1m", "7d"), gte: z.int().min(2).max(500) })
      .transform(({ within, gte }) => {
        const called = `the number of people the author answered with nearly this text within ${within.text}:`;
        const leaf = numberLeaf(called, factField(peopleAnswered(within.seconds)), orMore(gte));
        return leafWhere(leaf, { reply: true }, ({ cast }) => !cast || cast.threadDepth > 0);
      }),
};
