import { sql, type Insertable } from "kysely";
import type { Clock } from "../clock.ts";
import type { Tx } from "../database/database.ts";
import type { CaseTable } from "../database/tables/bot.ts";
import type { ProposeRuleAction, RuleAction } from "../rules/actions/action.ts";
import { laneOf, type Case, type Target } from "./case.ts";
import { findRunningBan } from "./running-ban.ts";

/** What somebody wants done. */
export interface Proposal extends Target {
  guildId: string;
  actor: { userId: string; fid?: number | undefined } | { endOf: Case };
  role?: "member" | "moderator";
  publicReason?: string | undefined;
  privateReason?: string | undefined;
  evidence?: string | undefined;
  notify?: boolean;
  /** How long the effect lasts; without it, until somebody ends it. */
  forSeconds?: number | undefined;
}

/** Writes a requested case. It is applied later, by `applyCase` or by the worker. */
export async function proposeCase(tx: Tx, clock: Clock, proposal: Proposal): Promise<Case> {
  const { guildId, channelId, actor } = proposal;
  const number = await nextNumbers(tx, guildId, channelId, 1);
  const now = clock.now();
  return tx
    .insertInto("castellan.cases")
    .values({
      ...blankCase,
      guild_id: guildId,
      channel_id: channelId,
      number,
      lane: laneOf(proposal),
      kind: proposal.kind,
      target_fid: proposal.targetFid ?? null,
      target_cast: proposal.targetCast ?? null,
      role: proposal.role ?? null,
      ...("endOf" in actor ? endingActor(actor.endOf) : personActor(actor)),
      public_reason: proposal.publicReason ?? null,
      private_reason: proposal.privateReason ?? null,
      evidence: proposal.evidence ?? null,
      notify: proposal.notify ?? false,
      requested_at_ms: now,
      due_at_ms: proposal.forSeconds === undefined ? null : now + proposal.forSeconds * 1000,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Rules propose through this; a case that is there already keeps its number and is not written again. A rule that bans
 * somebody whom it bans already, for no longer, makes no case.
 */
export function createProposeRuleAction(clock: Clock): ProposeRuleAction {
  return async (tx, action) => {
    const known = await findRuleCase(tx, action);
    if (known !== undefined) return { caseId: known };
    const written = ruleCase(action, clock.now());
    if (written.kind === "ban") {
      // Takes none yet, but from here on no other worker does.
      await nextNumbers(tx, action.guildId, action.channelId, 0);
      const running = await findRunningBan(tx, clock, written);
      if (running !== undefined) return { needless: `Banned already by this rule: case #${running}.` };
    }
    const number = await nextNumbers(tx, action.guildId, action.channelId, 1);
    const inserted = await tx
      .insertInto("castellan.cases")
      .values({ ...written, number })
      .onConflict((conflict) =>
        conflict.columns(["cause_event_id", "rule_id", "action_index", "guild_id", "channel_id"]).doNothing(),
      )
      .returning("id")
      .executeTakeFirst();
    const caseId = inserted?.id ?? (await findRuleCase(tx, action));
    if (caseId === undefined) throw new Error("the case of a rule's action is neither new nor there");
    return { caseId };
  };
}

function ruleCase(rule: RuleAction, now: number): Omit<Insertable<CaseTable>, "number"> {
  const { action, channelId, approvedBy } = rule;
  const target =
    "fid" in action
      ? { kind: action.kind, targetFid: action.fid }
      : { kind: action.kind, targetCast: action.castHash ?? undefined };
  const forSeconds = action.kind === "ban" ? action.forSeconds : null;
  return {
    ...blankCase,
    guild_id: rule.guildId,
    channel_id: channelId,
    lane: laneOf({ channelId, ...target }),
    kind: action.kind,
    target_fid: target.targetFid ?? null,
    target_cast: target.targetCast ?? null,
    role: action.kind === "invite" || action.kind === "remove_member" ? "member" : null,
    ...(approvedBy ? personActor(approvedBy) : { actor_kind: "rule" as const }),
    rule_id: rule.ruleId,
    rule_version: rule.ruleVersion,
    cause_event_id: rule.eventId,
    action_index: rule.actionIndex,
    depth: rule.depth,
    public_reason: action.kind === "ban" ? action.reason : null,
    evidence: rule.evidence,
    requested_at_ms: now,
    due_at_ms: forSeconds === null ? null : now + forSeconds * 1000,
  };
}

async function findRuleCase(tx: Tx, action: RuleAction): Promise<number | undefined> {
  const row = await tx
    .selectFrom("castellan.cases")
    .select("id")
    .where("cause_event_id", "=", action.eventId)
    .where("rule_id", "=", action.ruleId)
    .where("action_index", "=", action.actionIndex)
    .where("guild_id", "=", action.guildId)
    .where("channel_id", "=", action.channelId)
    .executeTakeFirst();
  return row?.id;
}

/** Takes `count` case numbers of a server and channel; gives the first. Locks the counter until the transaction ends. */
export async function nextNumbers(
  tx: Tx,
  guildId: string,
  channelId: string,
  count: number,
): Promise<number> {
  const row = await tx
    .insertInto("castellan.case_numbers")
    .values({ guild_id: guildId, channel_id: channelId, last_number: count })
    .onConflict((conflict) =>
      conflict
        .columns(["guild_id", "channel_id"])
        .doUpdateSet({ last_number: sql`case_numbers.last_number + ${count}` }),
    )
    .returning("last_number")
    .executeTakeFirstOrThrow();
  return row.last_number - count + 1;
}

function personActor(actor: { userId: string; fid?: number | undefined }) {
  return { actor_kind: "person" as const, actor_user: actor.userId, actor_fid: actor.fid ?? null };
}

/** The end of a timed action is the doing of whoever began it, and as deep as what it ends. */
function endingActor(ended: Case) {
  const { actor_kind, actor_user, actor_fid, rule_id, rule_version, depth } = ended;
  return { actor_kind, actor_user, actor_fid, rule_id, rule_version, depth, ends_case_id: ended.id };
}

/** A case to which nothing has happened. */
export const blankCase = {
  state: "requested",
  target_fid: null,
  target_cast: null,
  role: null,
  actor_user: null,
  actor_fid: null,
  rule_id: null,
  rule_version: null,
  cause_event_id: null,
  action_index: null,
  public_reason: null,
  private_reason: null,
  evidence: null,
  answer: null,
  settled_at_ms: null,
  sent_at_ms: null,
  seen_before: null,
  retry_at_ms: null,
  leased_until_ms: null,
  lease_token: null,
  due_at_ms: null,
  ends_case_id: null,
  claimed_event_id: null,
} as const;
