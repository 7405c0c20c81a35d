import { sql } from "kysely";
import type { Queryable } from "../database/database.ts";
import { amount } from "../text/amount.ts";
import type { Erasure } from "./erase-author.ts";

/** A report of what was erased and what remains, for the accountable operator. `historyDays` as configured. */
export async function describeErasure(
  db: Queryable,
  fid: number,
  done: Erasure,
  historyDays: number,
): Promise<string> {
  const posts = await countEdits(db, fid);
  if (posts.length === 0 && Object.values(done).every((count) => count === 0))
    return `Castellan has stored nothing about fid ${fid}, so nothing was erased. Is the number right?\n`;
  const unreachable = posts.filter(({ state }) => state === "failed");
  const waiting = posts.filter(({ state }) => state === "waiting");
  const edited = posts.length - waiting.length - unreachable.length;
  return `${[
    `fid ${fid}: erased from Castellan's database.`,
    `  the text of ${amount(done.casts, "cast")}; ${amount(done.events, "event")} with the data stored about them; ${amount(done.names, "name")}`,
    `  the evidence of ${amount(done.cases, "case")} and ${amount(done.reviews, "review")}; the values in ${amount(done.decisions, "decision")}; ${amount(done.notes, "note")} of moderators or rules`,
    `  ${amount(done.waitingReplies, "cast")} that waited for a place in a thread; ${amount(done.prompts, "unanswered question")} of commands, from all users`,
    `  the stored content of ${amount(done.messages, "message")} for Discord`,
    "Posts in Discord: Castellan edits those that it still has on record, while it runs.",
    `  ${waiting.length} to be edited, ${edited} edited, ${unreachable.length} that it could not reach within a week. Run this command again for the current numbers.`,
    ...unreachable.map(
      ({ room_id, discord_id, error }) => `  by hand: room ${room_id}, message ${discord_id}: ${error}`,
    ),
    "Not erased, because Castellan cannot or must not:",
    "  the network's own data (casts, names, even on the embedded network): only the user can remove it there",
    `  posts in Discord older than ${historyDays} days (HISTORY_DAYS), responses to commands, and copies that people made: search Discord for "fid ${fid}"`,
    "  backups made before now; log files hold no casts",
    "  the fact that the user wrote, the moderators' actions about it, and their reasons for cases",
    "The user's later casts are stored again.",
  ].join("\n")}\n`;
}

function countEdits(db: Queryable, fid: number) {
  return db
    .selectFrom("castellan.outbox as edit")
    .innerJoin("castellan.erasures as erasure", "erasure.id", "edit.erasure_id")
    .innerJoin("castellan.feed_messages as message", (join) =>
      join.on(sql<boolean>`edit.key = message.id::text`),
    )
    .select(["edit.state", "edit.error", "message.room_id", "message.discord_id"])
    .where("erasure.fid", "=", fid)
    .orderBy("message.id")
    .execute();
}
