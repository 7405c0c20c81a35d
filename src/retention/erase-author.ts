import { sql } from "kysely";
import { mapLimited } from "../async.ts";
import type { BotContext } from "../bot-context.ts";
import { erasedWords } from "../feed/render/phrases.ts";
import { eraseEvents, type OpenErasure } from "./erase-author-events.ts";

/** Casts or events per transaction. */
const chunk = 200;
/** Milliseconds for which the erasure is repeated, for data in transit at the time of the request. */
const repeatFor = 10 * 60_000;

type EraseContext = Pick<BotContext, "database" | "clock">;

/** How much of an author's data was erased here, by place. */
export interface Erasure {
  casts: number;
  /** Deleted events: their casts, and changes of their names. */
  events: number;
  cases: number;
  reviews: number;
  decisions: number;
  notes: number;
  names: number;
  waitingReplies: number;
  prompts: number;
  /** Messages for Discord: their stored text is erased, and the bot will edit the posts. */
  messages: number;
}

/**
 * Erases an author's texts and names wherever the bot half stores them, even for casts whose text has been pruned. The
 * facts remain that they wrote, what was done about it, and why. Posts in Discord are left to `editMessages`, and data
 * in transit to `repeatErasures`.
 */
export async function eraseAuthor(context: EraseContext, fid: number): Promise<Erasure> {
  const now = context.clock.now();
  const erasure = await context.database.query
    .insertInto("castellan.erasures")
    .values((eb) => ({
      fid,
      up_to_event_id: eb.selectFrom("castellan.counters").select("last_id").where("name", "=", "events"),
      requested_at_ms: now,
      repeat_until_ms: now + repeatFor,
    }))
    .returning(["id", "fid", "up_to_event_id", "requested_at_ms"])
    .executeTakeFirstOrThrow();
  const prompts = await forgetPrompts(context);
  return { ...(await erase(context, erasure)), prompts };
}

/** Erases again what an interrupted erasure left, and data that was in transit when it began. */
export async function repeatErasures(context: EraseContext): Promise<void> {
  const { database, clock } = context;
  const open = await database.query
    .selectFrom("castellan.erasures")
    .selectAll()
    .where("finished_at_ms", "is", null)
    .orderBy("id")
    .execute();
  await mapLimited(open, 1, async (erasure) => {
    const isLast = clock.now() >= erasure.repeat_until_ms;
    await erase(context, erasure);
    if (!isLast) return;
    await database.query
      .updateTable("castellan.erasures")
      .set({ finished_at_ms: clock.now() })
      .where("id", "=", erasure.id)
      .execute();
  });
}

async function erase(context: EraseContext, erasure: OpenErasure): Promise<Erasure> {
  const casts = await blankCasts(context, erasure);
  const { events, messages, decisions } = await eraseEvents(context, erasure, chunk);
  await deleteOf(context, sql`castellan.shown_names`, sql`fid = ${erasure.fid}`);
  await forgetAnswers(context);
  return {
    casts,
    events,
    messages,
    decisions: decisions,
    cases: await blankCases(context, erasure),
    reviews: await blankReviews(context, erasure),
    notes: await blankNotes(context, erasure),
    names: await deleteOf(context, sql`castellan.names`, sql`fid = ${erasure.fid}`),
    waitingReplies: await deleteOf(
      context,
      sql`castellan.waiting_replies`,
      sql`(cast_json::jsonb ->> 'fid')::bigint = ${erasure.fid}`,
    ),
    prompts: 0,
  };
}

/** What the API answered may quote anybody. A request that is sent again is still not done again. */
async function forgetAnswers({ database }: EraseContext): Promise<void> {
  const answer = JSON.stringify({ cases: [], message: "Done. The stored answer was erased." });
  await database.query
    .updateTable("castellan.api_requests")
    .set({ answer })
    .where("answer", "is not", null)
    .execute();
}

/** The author's later casts have an event after the erasure's start. */
async function blankCasts({ database, clock }: EraseContext, erasure: OpenErasure): Promise<number> {
  for (let total = 0; ;) {
    const { numAffectedRows = 0n } = await sql`
      update castellan.casts set text = '', embeds = '[]', mentions = '[]', mentions_positions = '[]', quotes = '[]',
        erased_at_ms = ${clock.now()}
      where hash in (
        select hash from castellan.casts as own
        where fid = ${erasure.fid} and erased_at_ms is null and not exists (
          select from castellan.events as later where later.cast_hash = own.hash
            and later.kind = 'cast.created' and later.id > ${erasure.up_to_event_id})
        limit ${chunk} for update)
    `.execute(database.query);
    total += Number(numAffectedRows);
    if (numAffectedRows < chunk) return total;
  }
}

async function blankCases({ database }: EraseContext, erasure: OpenErasure): Promise<number> {
  const { fid, up_to_event_id, requested_at_ms } = erasure;
  const { numAffectedRows = 0n } = await sql`
    update castellan.cases set evidence = ${erasedWords}, evidence_extras = null
    where evidence is not null and evidence <> ${erasedWords} and (
      target_cast in (select hash from castellan.casts where fid = ${fid} and erased_at_ms is not null)
      or target_fid = ${fid} and coalesce(cause_event_id <= ${up_to_event_id}, requested_at_ms <= ${requested_at_ms}))
  `.execute(database.query);
  return Number(numAffectedRows);
}

async function blankReviews({ database }: EraseContext, erasure: OpenErasure): Promise<number> {
  const { fid, up_to_event_id } = erasure;
  const { numAffectedRows = 0n } = await sql`
    update castellan.review_items set evidence = ${erasedWords}, evidence_extras = null
    where evidence is not null and evidence <> ${erasedWords} and event_id <= ${up_to_event_id}
      and (fid = ${fid} or cast_hash in (select hash from castellan.casts where fid = ${fid}))
  `.execute(database.query);
  // Reports may quote the cast.
  await sql`
    update castellan.reports set reason = ${erasedWords} from castellan.review_items as item
    where item.id = item_id and item.fid = ${fid} and item.event_id <= ${up_to_event_id} and reason is not null
  `.execute(database.query);
  return Number(numAffectedRows);
}

async function blankNotes({ database }: EraseContext, erasure: OpenErasure): Promise<number> {
  const { numUpdatedRows } = await database.query
    .updateTable("castellan.user_notes")
    .set({ text: erasedWords })
    .where("fid", "=", erasure.fid)
    .where((is) =>
      is.or([
        is("event_id", "<=", erasure.up_to_event_id),
        is.and([is("event_id", "is", null), is("written_at_ms", "<=", erasure.requested_at_ms)]),
      ]),
    )
    .where("text", "!=", erasedWords)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** They contain what someone typed and live for minutes, lists for a day; their users can type it again. */
async function forgetPrompts({ database }: EraseContext): Promise<number> {
  const { numDeletedRows } = await database.query.deleteFrom("castellan.prompts").executeTakeFirst();
  return Number(numDeletedRows);
}

async function deleteOf(
  { database }: EraseContext,
  table: ReturnType<typeof sql>,
  which: ReturnType<typeof sql>,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from ${table} where ${which}`.execute(database.query);
  return Number(numAffectedRows);
}
