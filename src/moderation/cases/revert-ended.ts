import type { Tx } from "../../database/database.ts";
import { banKinds, endedBy, inForce, type Case } from "./case.ts";

/**
 * What a case ends is no longer in force: an unban reverts the bans before it, in every server. What others did has a later number
 * where ours had to wait meanwhile: it was before what ours did, unless that was seen before it. `later` are cases of ours that
 * came after it, whatever their numbers. Where others have done the same again since, theirs stays: the network shows it.
 */
export async function revertEnded(tx: Tx, ending: Case, later: readonly number[] = []): Promise<void> {
  // Whom we ban was not banned: others had lifted what we knew of.
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
