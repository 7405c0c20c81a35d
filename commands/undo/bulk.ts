import { z } from "zod";
import type { Queryable, Tx } from "../../src/database/database.ts";
import type { Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { beginBulk, type NewBulk } from "../../src/moderation/bulks/begin.ts";
import {
  isBeingUndone,
  listCasesOfBulk,
  maxTargets,
  readBulk,
  requireBulk,
  type Bulk,
} from "../../src/moderation/bulks/bulk.ts";
import { lockCases, planUndo } from "../../src/moderation/bulks/plan-undo.ts";
import { escapeText } from "../../src/text/message-text.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { followBulk, showBulk } from "../shared/bulk.ts";
import { authorizeUndo, describeUndo, requireSteps } from "./describe-undo.ts";

export const BulkState = z.object({
  kind: z.literal("bulk"),
  bulkId: z.int(),
  reason: z.string().optional(),
});
type BulkState = z.infer<typeof BulkState>;

export async function previewBulk(
  context: CommandContext,
  number: number,
  reason: string | undefined,
): Promise<Preview<BulkState>> {
  const { query } = context.database;
  const bulk = await requireBulk(query, context.actor.guildId, number);
  const cases = await listCasesOfBulk(query, bulk.id, { limit: maxTargets });
  await authorizeUndo(context, bulk.channelId, cases);
  await assertIdle(query, bulk);
  const plan = await planUndo(context, query, cases);
  requireSteps(plan, showNumber("bulk", number));
  const [shown] = (await showBulk(context, bulk.id)).embeds ?? [];
  const lines = [
    shown?.description ?? "",
    ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
    "",
    ...(await describeUndo(context, plan)),
  ];
  const title = `Undo ${showNumber("bulk", number)} in /${bulk.channelId}?`;
  return {
    view: textView("warning", lines, { title }),
    state: { kind: "bulk", bulkId: bulk.id, reason },
    confirmLabel: "Undo all of it",
  };
}

export async function undoBulk(context: CommandContext, { bulkId, reason }: BulkState): Promise<View> {
  const { database, actor } = context;
  const bulk = await readBulk(database.query, bulkId);
  const cases = await listCasesOfBulk(database.query, bulkId, { limit: maxTargets });
  const { by } = await authorizeUndo(context, bulk.channelId, cases);
  const request = { channelId: bulk.channelId, selection: "what was done in", undoesBulkId: bulkId };
  const asked = { ...request, guildId: actor.guildId, kind: "undo" as const, by, reason };
  return undoCases(
    context,
    asked,
    cases.map(({ id }) => id),
    (tx) => assertIdle(tx, bulk),
  );
}

/** Plans the undo of these cases again with the cases locked, then carries it out. */
export async function undoCases(
  context: CommandContext,
  asked: NewBulk,
  caseIds: readonly number[],
  inTransaction: (tx: Tx) => Promise<void> = async () => {},
): Promise<View> {
  const { id } = await context.database.transaction(async (tx) => {
    const plan = await planUndo(context, tx, await lockCases(tx, caseIds));
    await inTransaction(tx);
    requireSteps(plan, "it");
    const actions = plan.steps.map(({ action }) => action);
    return beginBulk(context, tx, asked, actions);
  });
  return followBulk(context, id);
}

/** Throws while the bulk is under way, or while somebody else is undoing it. */
async function assertIdle(query: Queryable, { id, number, endedAtMs }: Bulk): Promise<void> {
  if (endedAtMs === null) {
    throw new AppError(
      "invalid_input",
      `${showNumber("bulk", number)} is still under way. /bulk stop ends it, then undo it.`,
    );
  }
  if (await isBeingUndone(query, id)) {
    throw new AppError(
      "invalid_input",
      `${showNumber("bulk", number)} is already being undone. /bulk list shows the progress.`,
    );
  }
}
