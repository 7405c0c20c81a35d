import type { Tx } from "../database/database.ts";
import { newEvent } from "../observe/event.ts";
import { noLease } from "../database/lease.ts";
import { endedBy, inForce, type Case } from "./case.ts";
import type { ModerationContext } from "./context.ts";
import { lockLane } from "./lock-lane.ts";

/** How a case ended. */
export interface Outcome {
  state: "applied" | "already" | "failed";
  /** The network's answer, for people. */
  answer: string;
}

/** Records the outcome of a case under the lease that it was read with; undefined when another worker has it meanwhile. */
export function settleCase(
  context: ModerationContext,
  subject: Case,
  outcome: Outcome,
): Promise<Case | undefined> {
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    if (endedBy[subject.kind]) await lockLane(tx, subject.lane);
    const settled = await tx
      .updateTable("castellan.cases")
      .set({ ...outcome, ...noLease, settled_at_ms: now, retry_at_ms: null })
      .where("id", "=", subject.id)
      .where("lease_token", "=", subject.lease_token)
      .where("state", "=", "requested")
      .returningAll()
      .executeTakeFirst();
    if (!settled) return undefined;
    if (settled.state !== "failed") await revertEnded(tx, settled);
    await announceCase(context, tx, settled);
    return settled;
  });
}

/** Makes what became of a case an event. Last in its transaction, as every event. */
export async function announceCase(context: ModerationContext, tx: Tx, subject: Case): Promise<void> {
  const { id, guild_id: guildId, number, kind, state } = subject;
  await context.appendEvents(tx, [
    newEvent(context.clock.now(), {
      sourceKey: `case ${id} ${state}`,
      kind: "case.settled",
      channelId: subject.channel_id,
      subjectFid: subject.target_fid,
      depth: subject.depth,
      caseId: id,
      data: { guildId, number, kind, state },
    }),
  ]);
}

/** What a case ends is no longer in force: an unban reverts the bans before it, in every server. */
export async function revertEnded(
  tx: Tx,
  ending: Pick<Case, "id" | "kind" | "channel_id" | "lane">,
): Promise<void> {
  const kinds = endedBy[ending.kind];
  if (!kinds) return;
  await tx
    .updateTable("castellan.cases")
    .set({ state: "reverted" })
    .where("lane", "=", ending.lane)
    .where("kind", "in", kinds)
    .where("state", "in", inForce)
    .where("id", "<", ending.id)
    .execute();
}
