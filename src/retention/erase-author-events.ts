import { sql, type Selectable } from "kysely";
import type { BotContext } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import type { RetentionTables } from "../database/tables/retention.ts";
import { erasedWords } from "../feed/render/phrases.ts";
import { textsFor } from "../languages/languages.ts";
import { blankEmbeds } from "../feed/blank-embeds.ts";
import { unsentStates } from "../feed/room-changes.ts";
import type { RoomEmbed } from "../feed/rooms.ts";
import type { EvaluatedNode } from "../rules/evaluate/condition.ts";
import { deleteEvents } from "./delete-events.ts";
import { showNumber } from "../text/numbered.ts";

/** An unfinished erasure. */
export type OpenErasure = Pick<
  Selectable<RetentionTables["castellan.erasures"]>,
  "id" | "fid" | "up_to_event_id" | "requested_at_ms"
>;

interface ErasedEvents {
  events: number;
  messages: number;
  decisions: number;
}

/**
 * Deletes the author's casts and names from the events, with the explanations of rules' verdicts on them. Erases
 * the stored texts of all messages about the author, and queues edits of the posts.
 */
export async function eraseEvents(
  { database, clock }: Pick<BotContext, "database" | "clock">,
  erasure: OpenErasure,
  chunk: number,
): Promise<ErasedEvents> {
  const own = await findOwn(database.query, erasure);
  const total: ErasedEvents = { events: 0, messages: 0, decisions: 0 };
  for (let from = 0; from < own.length; from += chunk) {
    const some = own.slice(from, from + chunk);
    const ids = some.filter(({ isOwn }) => isOwn).map(({ id }) => id);
    const gone = some.filter(({ isGone }) => isGone).map(({ id }) => id);
    await database.transaction(async (tx) => {
      const told = some.map(({ id }) => id);
      total.messages += await forgetMessages(tx, told, erasure, clock.now());
      total.decisions += await blankTrees(tx, ids);
      total.events += await deleteEvents(tx, gone);
    });
  }
  for (const table of ["cast_fingerprints", "cast_addresses", "reply_fingerprints"]) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(`castellan.${table}`)}
      where fid = ${erasure.fid} and event_id <= ${erasure.up_to_event_id}
    `.execute(database.query);
    total.events += Number(numAffectedRows);
  }
  return total;
}

/**
 * Remaining events about the author, and causes of cases and reviews, which now have only a number; with other people's
 * casts that mention the author, of which only the messages are about them.
 */
async function findOwn(
  db: BotContext["database"]["query"],
  { fid, up_to_event_id }: OpenErasure,
): Promise<{ id: number; isGone: boolean; isOwn: boolean }[]> {
  const { rows } = await sql<{ id: number; isGone: boolean; isOwn: boolean }>`
    with casts as materialized (select hash from castellan.casts where fid = ${fid}),
    own as (
      select id, (kind = 'cast.created' or kind = 'username_proof.merged' and subject_fid = ${fid}) as gone, true as own
      from castellan.events
      where subject_fid = ${fid} or cast_hash in (select hash from casts)
        or data ->> 'previousHash' in (select hash from casts)
        or (data ->> 'inviterFid')::bigint = ${fid} or (data ->> 'previousFid')::bigint = ${fid}
      union all
      select cause_event_id, false, true from castellan.cases
      where target_fid = ${fid} or target_cast in (select hash from casts)
      union all
      select event_id, false, true from castellan.review_items where fid = ${fid} or cast_hash in (select hash from casts)
      union all
      select id, false, false from castellan.events where cast_hash in (
        select hash from castellan.casts where mentions @> to_jsonb(${fid}::bigint))
    )
    select id, bool_or(gone) as "isGone", bool_or(own) as "isOwn" from own
    where id <= ${up_to_event_id} group by id order by id
  `.execute(db);
  return rows;
}

/** Returns the number of messages about these events. Locks their rooms' queues, so that no event gets bound. */
async function forgetMessages(
  tx: Tx,
  ids: readonly number[],
  erasure: OpenErasure,
  nowMs: number,
): Promise<number> {
  const about = sql`event_id = any(${[...ids]}::bigint[])`;
  await sql`
    select from castellan.room_queues
    where room_id in (select room_id from castellan.feed_rows where ${about}) order by room_id for update
  `.execute(tx);
  const { rows } = await sql<{
    id: number;
    room: string;
    locale: string;
    state: string;
    embeds: string;
    events: number[];
  }>`
    select id, room_id as room, state, embeds_json as embeds,
      (select locale from castellan.room_queues as queue where queue.room_id = message.room_id) as locale,
      (select array_agg(event_id order by event_id) from castellan.feed_rows
        where message_id = message.id and head_id is null) as events
    from castellan.feed_messages as message
    -- A digest contains no texts and no names.
    where not digest and id in (select message_id from castellan.feed_rows where ${about})
  `.execute(tx);
  const numbers = new Set(ids.flatMap((id) => [showNumber("event", id), `#${id}`]));
  // Posts for readers have no number, so all of the message goes until its edit.
  const isMeant = ({ footer }: RoomEmbed) => footer === undefined || numbers.has(footer);
  for (const { id, room, locale, state, embeds, events } of rows) {
    const { erased } = textsFor(locale).posts.cast;
    await tx
      .updateTable("castellan.feed_messages")
      .set({
        embeds_json: unsentStates.some((one) => one === state) ? blankEmbeds(embeds, erased, isMeant) : "[]",
      })
      .where("id", "=", id)
      .execute();
    if (state === "parked") continue;
    const wanted = { erasure_id: erasure.id, requested_at_ms: nowMs, due_at_ms: nowMs };
    await tx
      .insertInto("castellan.outbox")
      .values({
        ...wanted,
        kind: "edit",
        key: String(id),
        destination: room,
        data: JSON.stringify({ eventIds: events }),
      })
      .onConflict((conflict) =>
        conflict
          .columns(["kind", "key"])
          .doUpdateSet({
            ...wanted,
            requested_at_ms: sql`greatest(excluded.requested_at_ms, outbox.requested_at_ms + 1)`,
            // Includes events that an earlier erasure deleted from the message's rows.
            data: sql`outbox.data - 'lines'`,
            state: "waiting",
            attempts: 0,
            settled_at_ms: null,
            error: null,
          })
          .where(
            sql<boolean>`outbox.state = 'failed' or outbox.erasure_id is null
              or outbox.erasure_id not in
              (select id from castellan.erasures where fid = ${erasure.fid})`,
          ),
      )
      .execute();
  }
  return rows.length;
}

async function blankTrees(tx: Tx, ids: readonly number[]): Promise<number> {
  const rows = await tx
    .selectFrom("castellan.rule_decisions")
    .select(["id", "tree"])
    .where("event_id", "in", [...ids])
    .execute();
  let blanked = 0;
  for (const { id, tree } of rows) {
    // The JSON of an evaluated tree, written by actOnVerdicts.
    const blank = JSON.stringify(blankTree(JSON.parse(tree) as EvaluatedNode));
    if (blank === tree) continue;
    blanked += 1;
    await tx.updateTable("castellan.rule_decisions").set({ tree: blank }).where("id", "=", id).execute();
  }
  return blanked;
}

function blankTree(node: EvaluatedNode): EvaluatedNode {
  if (node.kind !== "leaf") return { ...node, parts: node.parts.map(blankTree) };
  return typeof node.value === "string" ? { ...node, value: erasedWords } : node;
}
