// @ts-nocheck
import { sql } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Database, Tx } from "../../database/database.ts";
import type { EvaluatedNode } from "../evaluate/condition.ts";
import { blankCasts, deleteEvents } from "./delete-events.ts";

const chunk = 200;

/** What stands where an author's words stood. */
export const erased = "(erased at the author's request)";

/** How much of an author's text was erased. */
export interface Erasure {
  casts: number;
  cases: number;
}

/**
 * Erases what an author wrote wherever we keep it: index, history, cases, reviews, kept decisions and messages. That they
 * wrote, and what was done about it, stays. What stands in Discord's rooms is Discord's to delete.
 */
export async function eraseAuthor(
  { database, clock }: { database: Database; clock: Clock },
  fid: number,
): Promise<Erasure> {
  const total: Erasure = { casts: 0, cases: 0 };
  for (;;) {
    const done = await database.transaction((tx) => eraseSome(tx, clock.now(), fid));
    total.casts += done.casts;
    total.cases += done.cases;
    if (done.casts < chunk) return total;
  }
}

async function eraseSome(tx: Tx, now: number, fid: number): Promise<Erasure> {
  const casts = await tx
    .selectFrom("castellan.casts")
    .select("hash")
    .where("fid", "=", fid)
    .where("erased_at_ms", "is", null)
    .orderBy("cast_at")
    .limit(chunk)
    .forUpdate()
    .execute();
  const hashes = casts.map(({ hash }) => hash);
  if (hashes.length === 0) return { casts: 0, cases: 0 };
  const events = await tx
    .selectFrom("castellan.events")
    .select(["id", "kind"])
    .where("cast_hash", "in", hashes)
    .execute();
  const ids = events.map(({ id }) => id);
  await forgetMessages(tx, ids);
  await forgetTrees(tx, ids);
  await deleteEvents(
    tx,
    events.filter(({ kind }) => kind === "cast.created").map(({ id }) => id),
  );
  const { numUpdatedRows: cases } = await tx
    .updateTable("castellan.cases")
    .set({ evidence: erased })
    .where((is) =>
      is.or([is("target_cast", "in", hashes), ...(ids.length > 0 ? [is("cause_event_id", "in", ids)] : [])]),
    )
    .where("evidence", "is not", null)
    .executeTakeFirst();
  return { casts: await blankCasts(tx, hashes, now), cases: Number(cases) };
}

/** Posted messages were kept for a crash before they were posted; nobody reads them any more. */
async function forgetMessages(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update castellan.feed_messages as message set embeds_json = '[]'
    from castellan.feed_rows as told
    where told.event_id = any(${[...ids]}::bigint[]) and message.id = told.message_id and message.state = 'sent'
  `.execute(tx);
  await tx
    .updateTable("castellan.review_items")
    .set({ evidence: erased })
    .where("event_id", "in", [...ids])
    .execute();
}

async function forgetTrees(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx
    .selectFrom("castellan.rule_decisions")
    .select(["id", "tree"])
    .where("event_id", "in", [...ids])
    .execute();
  for (const { id, tree } of rows) {
    // Written by decide as JSON of an evaluated tree.
    const blank = JSON.stringify(blankTree(JSON.parse(tree) as EvaluatedNode));
    await tx.updateTable("castellan.rule_decisions").set({ tree: blank }).where("id", "=", id).execute();
  }
}

function blankTree(node: EvaluatedNode): EvaluatedNode {
  if (node.kind === "leaf") return typeof node.value === "string" ? { ...node, value: erased } : node;
  return { ...node, parts: node.parts.map(blankTree) };
}
