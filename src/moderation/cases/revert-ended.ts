import type { Tx } from "../../database/database.ts";
import { banKinds, endedBy, type Case } from "./case.ts";
import { inForce } from "../../database/tables/case-states.ts";

/**
 * Marks cases that this one ends as no longer in force: an unban reverts the earlier bans, in every server. If ours had to
 * wait, earlier changes by others have a later number; they came before ours unless they were seen before. `later`: our
 * own cases that came after it, whatever their numbers. If others did the same again since, theirs stays.
 */
export async function revertEnded(tx: Tx, ending: Case, later: readonly number[] = []): Promise<void> {
  // A user whom we could ban was not banned: others had lifted the bans that we knew.
  const kinds = ending.kind === "ban" && ending.state === "applied" ? banKinds : endedBy[ending.kind];
  if (!kinds || (ending.kind === "change_expiry" && ending.state !== "applied")) return;
  await tx
    .updateTable("castellan.cases")
    .set({ state: "reverted", has_expired: ending.endsCaseId !== null, reverted_by_case_id: ending.id })
    .where("target_key", "=", ending.target)
    .where("kind", "in", kinds)
    .where("state", "in", inForce)
    .where((is) =>
      is.or([
        is("id", "<", ending.id),
        is.and([
          is("id", ">", ending.id),
          is("state", "=", "outside"),
          is.val(ending.outcome !== "banned_again"),
          ...(ending.eventId === null ? [] : [is("event_id", "<", ending.eventId)]),
        ]),
      ]),
    )
    .$if(later.length > 0, (cases) => cases.where("id", "not in", later))
    .$if(ending.kind === "change_expiry", (cases) => cases.where("guild_id", "=", ending.guildId))
    .execute();
}
