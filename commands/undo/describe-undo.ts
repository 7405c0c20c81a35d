import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeAction, type AuthorizedAction } from "../../src/moderation/authorize.ts";
import { neededFor, type Capability } from "../../src/moderation/capabilities.ts";
import type { Case, CaseKind } from "../../src/moderation/cases/case.ts";
import type { UndoPlan } from "../../src/moderation/bulks/plan-undo.ts";
import { readCaseLookups } from "../../src/moderation/cases/case-lookups.ts";
import { amount } from "../../src/text/amount.ts";
import { describeTime, listSome } from "../../src/text/message-text.ts";
import { describeCaseLine } from "../shared/describe-case.ts";

/** How an undo was asked for, beside what is undone. */
export interface Asked {
  channelId: string;
  reason: string | undefined;
}

/** The most cases listed as staying. */
const maxListed = 8;

/**
 * Makes sure that the actor may undo these cases: the right to act again, and "undo" for others' actions. Throws
 * as `authorizeAction` does.
 */
export function authorizeUndo(
  context: CommandContext,
  channelId: string,
  cases: readonly Case[],
): Promise<AuthorizedAction> {
  return authorizeAction(context, context.actor, channelId, ...neededToUndo(context, cases));
}

/** The capabilities that undoing these cases takes. */
export function neededToUndo(
  { actor }: CommandContext,
  cases: readonly Case[],
): [Capability, ...Capability[]] {
  const needed = new Set<Capability>(cases.map(({ kind }) => neededFor[kind]));
  if (cases.some(({ actorUser }) => actorUser !== actor.userId)) needed.add("undo");
  const [first = "undo", ...others] = needed;
  return [first, ...others];
}

/** What a plan restores, what it does not, and what stays as it is and why. */
export async function describeUndo(context: CommandContext, { steps, stays }: UndoPlan): Promise<string[]> {
  const counts = new Map<CaseKind, number>();
  for (const { action } of steps) counts.set(action.kind, (counts.get(action.kind) ?? 0) + 1);
  const limits = [...counts.keys()].flatMap((kind) => notBack[kind] ?? []);
  const notified = steps.filter(({ undone }) => undone.notify).length;
  if (notified > 0) limits.push("an announcement that went out");
  const [step, another] = steps;
  const until = step && another === undefined ? step.action.untilMs : undefined;
  const lookups = await readCaseLookups(
    context.database.query,
    stays.slice(0, maxListed).map(({ subject }) => subject),
  );
  const channels = new Set(
    [...stays.map(({ subject }) => subject), ...steps.map(({ undone }) => undone)].map(
      ({ channelId }) => channelId,
    ),
  );
  const whereIs = ({ channelId }: Case) => (channels.size > 1 ? `/${channelId} ` : "");
  return [
    ...[...counts].map(([kind, count]) => `↩️ ${comesBack[kind](count)}`),
    ...(until === undefined
      ? []
      : [
          `It ends at its original time, ${describeTime(until / 1000, "f")} (${describeTime(until / 1000)}).`,
        ]),
    ...(limits.length === 0 ? [] : [`**What this does not bring back:** ${limits.join("; ")}.`]),
    ...(stays.length === 0
      ? []
      : ["", `**${amount(stays.length, "case")} ${stays.length === 1 ? "stays" : "stay"} unchanged:**`]),
    ...listSome(
      stays,
      maxListed,
      ({ subject, why }) => `${whereIs(subject)}${describeCaseLine(subject, lookups)}\n⤷ ${why}.`,
    ),
  ];
}

/** By the kind of the undoing action. */
const comesBack: Record<CaseKind, (count: number) => string> = {
  unhide: (count) => (count === 1 ? "1 cast shows again." : `${count} casts show again.`),
  hide: (count) => `${amount(count, "cast")} ${count === 1 ? "is" : "are"} hidden again.`,
  unban: (count) =>
    `${amount(count, "ban")} ${count === 1 ? "is" : "are"} lifted: the replies show again, and new ones are folded away at the end of the thread.`,
  ban: (count) => `${amount(count, "user")} ${count === 1 ? "is" : "are"} banned again, as long as before.`,
  change_expiry: (count) => `${amount(count, "ban")} ${count === 1 ? "ends" : "end"} as before.`,
  revoke_invite: (count) => `${amount(count, "invite")} ${count === 1 ? "is" : "are"} revoked.`,
  invite: (count) => `${amount(count, "user")} ${count === 1 ? "is" : "are"} invited again.`,
  remove_member: (count) => `${amount(count, "member")} ${count === 1 ? "is" : "are"} removed.`,
  unpin: (count) => `${amount(count, "cast")} ${count === 1 ? "is" : "are"} unpinned.`,
  pin: (count) => `${amount(count, "cast")} ${count === 1 ? "is" : "are"} pinned again; nobody is notified.`,
};

const notBack: Partial<Record<CaseKind, string>> = {
  unban: "roles and invites that went with the ban: the user stays restricted until somebody invites them",
  revoke_invite: "a role that was accepted in the meantime: those users stay members",
  invite: "the role itself, because they have to accept the invite",
  unpin: "what was pinned before",
};

/** Throws if none of it can be undone, with the reasons. */
export function requireSteps(plan: UndoPlan, what: string): void {
  if (plan.steps.length > 0) return;
  const reasons = [...new Set(plan.stays.map(({ why }) => why))].slice(0, 3).join("; ");
  throw new AppError(
    "invalid_input",
    `Nothing of ${what} can be undone${reasons === "" ? "" : `: ${reasons}`}.`,
  );
}
