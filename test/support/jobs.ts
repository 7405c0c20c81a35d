import type { BotContext } from "../../src/bot-context.ts";
import { deliverNext, findDueRooms, serveRoom } from "../../src/feed/deliver/deliver.ts";
import { findDueBulks, runBulk } from "../../src/moderation/bulks/run.ts";
import { applyOpenCases as applyInChannel } from "../../src/moderation/cases/apply.ts";
import { resolveEchoes } from "../../src/moderation/cases/resolve-echoes.ts";
import { findDueChannels } from "../../src/moderation/cases/settle.ts";
import { createProposeRuleAction } from "../../src/moderation/cases/propose-rule-action.ts";
import type { Rooms } from "../../src/feed/rooms.ts";
import type { NetworkAction, RuleAction } from "../../src/rules/actions/action.ts";
import type { RuleContext } from "../../src/rules/context.ts";
import { evaluateServer } from "../../src/rules/pending/evaluate-pending.ts";
import { findDueServers } from "../../src/rules/pending/pending.ts";

/** What a rule does by itself, about the first event in /memes. */
export const byRule = {
  guildId: "g1",
  channelId: "memes",
  eventId: 1,
  ruleId: "r",
  ruleVersion: 1,
  actionIndex: 0,
  actionSource: "rule",
  reviewRound: 0,
  depth: 1,
  evidence: null,
} as const;

/** Gives the case of a rule's action; fails where it needs none. */
export async function proposeByRule(
  { database, clock }: Pick<BotContext, "database" | "clock">,
  action: NetworkAction,
  change: Partial<RuleAction> = {},
): Promise<number> {
  const propose = createProposeRuleAction(clock);
  const proposed = await database.transaction((tx) => propose(tx, { ...byRule, ...change, action }));
  if ("noChange" in proposed) throw new Error(proposed.noChange);
  return proposed.caseId;
}

/** Sends a room what waits for it. */
export async function deliver(context: BotContext, rooms: Rooms, roomId: string): Promise<void> {
  while ((await deliverNext(context, rooms, roomId)) !== undefined);
}

/** Serves each room that has something waiting now, as jobs would; where a room rests, the post waits for that. */
export async function deliverAll(context: BotContext, rooms: Rooms): Promise<void> {
  const patient = { ...rooms, resetAfter: () => 0 };
  const due = await findDueRooms(context, 500).execute(context.database.query);
  for (const { id } of due.rows) while ((await serveRoom(context, patient, id)) !== undefined);
}

export async function hasMessagesToSend(context: BotContext): Promise<boolean> {
  return (await findDueRooms(context, 1).execute(context.database.query)).rows.length > 0;
}

/** Evaluates a batch for each server that has something due now, and gives how many rows that were. */
export async function evaluatePending(context: RuleContext): Promise<number> {
  const due = await findDueServers(context, 500).execute(context.database.query);
  let taken = 0;
  for (const { id } of due.rows) taken += (await evaluateServer(context, id)).taken;
  return taken;
}

/** Goes on with the cases of each channel that has some, and gives the number of targets; then resolves their echoes. */
export async function applyOpenCases(context: BotContext): Promise<number> {
  const due = await findDueChannels(context, 500).execute(context.database.query);
  let targets = 0;
  for (const { id } of due.rows) targets += (await applyInChannel(context, id)).found;
  await resolveEchoes(context);
  return targets;
}

/** Goes on with each bulk that nobody works on, until it has to wait. */
export async function runOpenBulks(context: BotContext): Promise<void> {
  const due = await findDueBulks(context, 500).execute(context.database.query);
  for (const { id } of due.rows) await runBulk(context, Number(id));
}

export async function hasOpenBulks(context: BotContext): Promise<boolean> {
  return (await findDueBulks(context, 1).execute(context.database.query)).rows.length > 0;
}
