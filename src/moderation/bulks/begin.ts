import { sql } from "kysely";
import type { BotContext, Doer } from "../../bot-context.ts";
import { camelCased } from "../../database/camel-case.ts";
import type { Tx } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import { lockCaseNumbers } from "../cases/case-numbers.ts";
import type { Target } from "../cases/case.ts";
import { proposeCases, type Proposal } from "../cases/propose.ts";
import { announceBulk } from "./announce.ts";
import { maxTargets, type Bulk, type BulkKind } from "./bulk.ts";
import { withoutRequested } from "./without-requested.ts";

/** The most bulks of a server at the same time: more would only wait for each other. */
const maxOpen = 10;

/** An action on many targets, as requested. */
export interface NewBulk {
  guildId: string;
  /** Where its actions are that name no channel. */
  channelId: string;
  kind: BulkKind;
  /** In words, without other people's texts and names. */
  selection: string;
  /** The single user that it concerns, if any. */
  subjectFid?: number | undefined;
  by: Doer;
  reason?: string | undefined;
  undoesBulkId?: number | undefined;
  /**
   * Leaves out what is under way already, which would change nothing, and would keep the other bulk from being undone.
   * If nothing is left, `invalid_input`.
   */
  leavesOutRequested?: true;
}

/** The action on one target; its own reason comes before the bulk's. */
export type BulkAction = Omit<Proposal, "guildId" | "channelId" | "actor" | "bulkId"> &
  Partial<Pick<Proposal, "channelId">>;

/**
 * Begins a bulk with all of its cases, or nothing: `runBulk` applies each of them, however often the program ends before.
 * Locks the counter of events, so it is last in its transaction. Throws `invalid_input` for too many targets.
 */
export async function beginBulk(
  context: BotContext,
  tx: Tx,
  asked: NewBulk,
  actions: readonly BulkAction[],
): Promise<Bulk> {
  const { guildId, channelId, by: actor, reason } = asked;
  const targets = await chooseTargets(
    tx,
    asked,
    actions.map((action) => ({ channelId, ...action })),
  );
  const bulk = await addBulk(context, tx, asked, targets);
  const shared = { guildId, actor, bulkId: bulk.id };
  const proposals = targets.map((target) => ({
    ...target,
    ...shared,
    publicReason: target.publicReason ?? reason,
  }));
  await proposeCases(tx, context.clock, proposals);
  const kinds = [...new Set(targets.map(({ kind }) => kind))];
  await announceBulk(context, tx, bulk, kinds);
  return bulk;
}

async function chooseTargets<Action extends Target>(
  tx: Tx,
  { guildId, leavesOutRequested }: NewBulk,
  targets: readonly Action[],
): Promise<readonly Action[]> {
  // Before anything else, like other writers of cases: another bulk sees what this one requests, or this one what it does.
  await lockCaseNumbers(tx, guildId);
  if (!leavesOutRequested) return targets;
  const left = await withoutRequested(tx, targets);
  if (left.length > 0) return left;
  throw new AppError("invalid_input", "All of it is done or under way by now: see /case show.");
}

/** Writes the row of a bulk with these targets. The caller has locked the server's case numbers. */
async function addBulk(
  { clock }: BotContext,
  tx: Tx,
  asked: NewBulk,
  targets: readonly Pick<Proposal, "channelId">[],
): Promise<Bulk> {
  if (targets.length > maxTargets) {
    throw new AppError(
      "invalid_input",
      `One bulk takes ${maxTargets} targets at most; these are ${targets.length}.`,
    );
  }
  const channelIds = [...new Set(targets.map(({ channelId }) => channelId))].toSorted();
  const [first = asked.channelId, ...others] = channelIds;
  const number = await nextBulkNumber(tx, asked.guildId);
  const { open } = await tx
    .selectFrom("castellan.bulks")
    .select((bulks) => bulks.fn.countAll<number>().as("open"))
    .where("guild_id", "=", asked.guildId)
    .where("ended_at_ms", "is", null)
    .executeTakeFirstOrThrow();
  if (open >= maxOpen) {
    throw new AppError(
      "invalid_input",
      `${open} bulks are under way in this server. Wait for one to end, or stop one (/case show bulks:True, /undo).`,
    );
  }
  const row = await tx
    .insertInto("castellan.bulks")
    .values({
      guild_id: asked.guildId,
      channel_id: first,
      other_channel_ids: others,
      number,
      kind: asked.kind,
      selection: asked.selection,
      subject_fid: asked.subjectFid,
      reason: asked.reason,
      requested_by: asked.by.userId,
      actor_fid: asked.by.fid,
      targets: targets.length,
      undoes_bulk_id: asked.undoesBulkId,
      begun_at_ms: clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return camelCased(row);
}

/** Locks the counter until the transaction ends. */
async function nextBulkNumber(tx: Tx, guildId: string): Promise<number> {
  const { last_number } = await tx
    .insertInto("castellan.bulk_numbers")
    .values({ guild_id: guildId, last_number: 1 })
    .onConflict((conflict) =>
      conflict.column("guild_id").doUpdateSet({ last_number: sql`bulk_numbers.last_number + 1` }),
    )
    .returning("last_number")
    .executeTakeFirstOrThrow();
  return last_number;
}
