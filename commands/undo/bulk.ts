import { z } from "zod";
import type { Doer } from "../../src/bot-context.ts";
import type { Queryable, Tx } from "../../src/database/database.ts";
import type { Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError, asAppError } from "../../src/errors.ts";
import { groupBy } from "../../src/group-by.ts";
import { authorizeEach, type AuthorizedAction } from "../../src/moderation/authorize.ts";
import { authorizeStop, listUnviewed, notAllowedInBulk } from "../../src/moderation/authorize-server.ts";
import { beginBulk, type NewBulk } from "../../src/moderation/bulks/begin.ts";
import {
  channelsOf,
  isBeingUndone,
  listCasesOfBulk,
  maxTargets,
  readBulk,
  requireBulk,
  stopBulk,
  type Bulk,
} from "../../src/moderation/bulks/bulk.ts";
import { lockCases, planUndo } from "../../src/moderation/bulks/plan-undo.ts";
import type { Case } from "../../src/moderation/cases/case.ts";
import { amount } from "../../src/text/amount.ts";
import { escapeText } from "../../src/text/message-text.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { describeLeft, followAndOffer, followBulk, showBulk } from "../shared/bulk.ts";
import { describeUndo, neededToUndo, requireSteps } from "./describe-undo.ts";

export const BulkState = z.object({
  kind: z.literal("bulk"),
  bulkId: z.int(),
  reason: z.string().optional(),
  /** The channels in which the preview would undo it; prompts of earlier versions name none. */
  channelIds: z.array(z.string()).optional(),
});
type BulkState = z.infer<typeof BulkState>;

export async function previewBulk(
  context: CommandContext,
  number: number,
  reason: string | undefined,
): Promise<Preview<BulkState>> {
  const { query } = context.database;
  const bulk = await requireBulk(query, context.actor.guildId, number);
  if (bulk.endedAtMs === null) return { view: await stop(context, bulk) };
  const { cases, allowed, left, shown: viewed } = await readAllowed(context, bulk);
  await assertIdle(query, bulk);
  const plan = await planUndo(context, query, cases);
  requireSteps(plan, showNumber("bulk", number));
  const [shown] = (await showBulk(context, bulk.id, { viewed })).embeds ?? [];
  const lines = [
    shown?.description ?? "",
    ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
    "",
    ...(await describeUndo(context, plan)),
    ...describeLeft(left),
  ];
  const where = bulk.otherChannelIds.length === 0 ? ` in /${bulk.channelId}` : "";
  const title = `Undo ${showNumber("bulk", number)}${where}?`;
  return {
    view: textView("warning", lines, { title }),
    state: { kind: "bulk", bulkId: bulk.id, reason, channelIds: allowed },
    confirmLabel: left.length === 0 ? "Undo all of it" : "Undo",
  };
}

/** Stops it before its remaining targets; what it did can be undone then. */
async function stop(context: CommandContext, bulk: Bulk): Promise<View> {
  const viewed = await authorizeStop(context, context.actor, bulk);
  await stopBulk(context, bulk.id, context.actor.userId);
  return followAndOffer(context, bulk.id, { viewed });
}

/** Undoes it in the channels of the preview, as far as the actor still may. */
export async function undoBulk(
  context: CommandContext,
  { bulkId, reason, channelIds }: BulkState,
): Promise<View> {
  const { database, actor } = context;
  const bulk = await readBulk(database.query, bulkId);
  const { cases, by, left } = await readAllowed(context, bulk, channelIds);
  const { channelId } = bulk;
  const request = { channelId, selection: "what was done in", undoesBulkId: bulkId };
  const asked = { ...request, guildId: actor.guildId, kind: "undo" as const, by, reason };
  return undoCases(
    context,
    asked,
    cases.map(({ id }) => id),
    { inTransaction: (tx) => assertIdle(tx, bulk), notes: describeLeft(left) },
  );
}

interface Undoable {
  /** The cases in the channels where the actor may undo them. */
  cases: Case[];
  allowed: string[];
  by: Doer;
  /** The other channels, and why not there. */
  left: string[];
  /** The channels that may be named. */
  shown: string[];
}

/** Throws if the actor may undo the bulk in none of these channels: all of its own if none are given. */
async function readAllowed(
  context: CommandContext,
  bulk: Bulk,
  channelIds: readonly string[] = channelsOf(bulk),
): Promise<Undoable> {
  const cases = await listCasesOfBulk(context.database.query, bulk.id, { limit: maxTargets });
  const own = groupBy(cases, ({ channelId }) => channelId);
  const wanted = channelIds.map((id) => {
    return { key: id, channelId: id, needed: neededToUndo(context, own.get(id) ?? []) };
  });
  const rights = await authorizeEach(context, context.actor, wanted);
  const isOne = bulk.otherChannelIds.length === 0;
  const unviewed = isOne ? new Set<string>() : await listUnviewed(context, context.actor, channelIds);
  const allowed = new Map<string, AuthorizedAction>();
  const refused: { channelId: string; error: AppError }[] = [];
  for (const [channelId, right] of rights) {
    if (!(right instanceof AppError)) allowed.set(channelId, right);
    else if (!unviewed.has(channelId)) refused.push({ channelId, error: right });
  }
  const hidden = channelIds.length - allowed.size - refused.length;
  const [one] = allowed.values();
  if (!one) {
    const errors = refused.map(({ error }) => error);
    const first = errors.find(isUnreadable) ?? errors.find(({ code }) => code === "not_allowed");
    const last = hidden === 0 ? errors[0] : undefined;
    throw first ?? last ?? notAllowedInBulk(bulk, neededToUndo(context, cases)[0]);
  }
  const shown = channelIds.filter((id) => allowed.has(id) || !unviewed.has(id));
  const left = refused.map(({ channelId, error }) => `✖ /${channelId}: ${error.message}`);
  if (hidden > 0) left.push(`✖ ${amount(hidden, "channel")} that you may not view`);
  const reached = cases.filter(({ channelId }) => allowed.has(channelId));
  return { cases: reached, allowed: [...allowed.keys()], by: one.by, left, shown };
}

/** Whether the network did not say if it is allowed. */
function isUnreadable(error: AppError): boolean {
  return !asAppError(error, "not_allowed", "not_proven", "not_linked", "not_found");
}

/** Plans the undo of these cases again with the cases locked, then carries it out. */
export async function undoCases(
  context: CommandContext,
  asked: NewBulk,
  caseIds: readonly number[],
  {
    inTransaction = async () => {},
    notes = [],
  }: { inTransaction?: (tx: Tx) => Promise<void>; notes?: readonly string[] } = {},
): Promise<View> {
  const { id } = await context.database.transaction(async (tx) => {
    const plan = await planUndo(context, tx, await lockCases(tx, caseIds));
    await inTransaction(tx);
    requireSteps(plan, "it");
    const actions = plan.steps.map(({ action }) => action);
    return beginBulk(context, tx, asked, actions);
  });
  return followBulk(context, id, { notes });
}

/** Throws while somebody else is undoing the bulk. */
async function assertIdle(query: Queryable, { id, number }: Bulk): Promise<void> {
  if (await isBeingUndone(query, id)) {
    throw new AppError(
      "invalid_input",
      `${showNumber("bulk", number)} is already being undone. /case show has its progress.`,
    );
  }
}
