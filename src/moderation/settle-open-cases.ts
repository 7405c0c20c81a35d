import { sql } from "kysely";
import type { Tx } from "../database/database.ts";
import { isUnleased } from "../database/lease.ts";
import { answerAlready, answerDone } from "./answers.ts";
import { applyCase } from "./apply-case.ts";
import type { Case } from "./case.ts";
import type { ModerationContext } from "./context.ts";
import { announceCase } from "./settle-case.ts";

/** Cases that are worked on at the same time. */
const concurrency = 4;
const batch = 200;

/**
 * Goes on with what a crash, a slow network or a rule left at requested, one lane after the other; then looks which
 * applied cases changed nothing. Gives how many lanes it took up.
 */
export async function settleOpenCases(context: ModerationContext): Promise<number> {
  const waiting = await findWaiting(context);
  const rest = [...waiting];
  const work = async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await applyCase(context, next);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  await noteUnclaimed(context);
  return waiting.length;
}

/** The oldest case of each lane that nobody holds and whose time has come. */
async function findWaiting({ database, clock }: ModerationContext): Promise<number[]> {
  const now = clock.now();
  const rows = await database.query
    .selectFrom((query) =>
      query
        .selectFrom("castellan.cases")
        .distinctOn("lane")
        .select(["id", "retry_at_ms", "leased_until_ms"])
        .where("state", "=", "requested")
        .orderBy("lane")
        .orderBy("id")
        .as("oldest"),
    )
    .select("id")
    .where((is) => is.or([is("retry_at_ms", "is", null), is("retry_at_ms", "<=", now)]))
    .where(isUnleased(clock))
    .orderBy("id")
    .limit(batch)
    .execute();
  return rows.map((row) => row.id);
}

/** Records are read every two seconds: a read this long after a case was settled is at least the second one. Milliseconds. */
const twoReads = 10_000;

/**
 * A cast that was hidden already gets no record: a case that claims none after two reads changed nothing. One that another
 * has ended since stays reverted, but does not say that it did something.
 */
export function noteUnclaimed(context: ModerationContext): Promise<void> {
  return context.database.transaction(async (tx) => {
    const noted = [...(await markAlready(tx, "hide")), ...(await markAlready(tx, "unhide"))];
    for (const subject of noted) await announceCase(context, tx, { ...subject, state: "already" });
  });
}

/** A case that somebody holds is being claimed, or marked, by another: it is looked at again at the next run. */
function markAlready(tx: Tx, kind: "hide" | "unhide"): Promise<Case[]> {
  return tx
    .with("unclaimed", (query) =>
      query
        .selectFrom("castellan.cases as subject")
        .innerJoin("castellan.sources as records", (join) =>
          join.on("records.source", "=", sql`'records/' || subject.channel_id`),
        )
        .select("subject.id")
        .where("subject.state", "in", ["applied", "reverted"])
        .where("subject.kind", "=", kind)
        .where("subject.answer", "=", answerDone({ kind, notify: false }))
        .where("subject.claimed_event_id", "is", null)
        .where("records.behind", "=", false)
        .whereRef("records.good_at_ms", ">", sql`subject.settled_at_ms + ${twoReads}`)
        .forUpdate("subject")
        .skipLocked(),
    )
    .updateTable("castellan.cases")
    .set({
      state: sql<Case["state"]>`case state when 'applied' then 'already' else state end`,
      answer: answerAlready(kind),
    })
    .where("id", "in", (query) => query.selectFrom("unclaimed").select("id"))
    .returningAll()
    .execute();
}
