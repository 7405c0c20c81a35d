import { sql } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import { requestedOrInForce } from "../../database/tables/case-states.ts";
import { packEvidence } from "../../observe/cast-body.ts";
import type { ProposeRuleAction, RuleAction } from "../../rules/actions/action.ts";
import type { CastBody } from "../../text/show-cast.ts";
import { amount } from "../../text/amount.ts";
import { showNumber } from "../../text/numbered.ts";
import { searchCasts } from "../bulks/find-casts.ts";
import { withoutRequested } from "../bulks/without-requested.ts";
import { banKinds, targetKey, type Target } from "./case.ts";
import { lockCaseNumbers, takeNumbers } from "./case-numbers.ts";
import { personActor, requestOpened, subjectFidOf } from "./propose.ts";

/**
 * Rules propose through this. An action that already has a case keeps it, with its number. If a rule has already banned
 * somebody for at least as long, it does nothing. A person's decision about a review always makes a case.
 */
export function createProposeRuleAction(clock: Clock): ProposeRuleAction {
  return async (tx, rule) => {
    const known = await findRuleCase(tx, rule);
    if (known !== undefined) return { caseId: known };
    await lockCaseNumbers(tx, rule.guildId);
    if (rule.action.kind === "ban" && !rule.approvedBy) {
      const running = await findRunningBan(tx, clock, rule, rule.action);
      if (running !== undefined) {
        // A ban does not keep its user from casting.
        const { hideCasts, fid } = rule.action;
        const hidden = hideCasts ? await hideCastsToo(tx, clock, rule, fid, withoutCases) : 0;
        const since = hidden === 0 ? "" : ` It hides ${amount(hidden, "cast")} made since.`;
        return { noChange: `Already banned by this rule: case ${showNumber("case", running)}.${since}` };
      }
    }
    const number = await takeNumbers(tx, rule, 1);
    const inserted = await tx
      .insertInto("castellan.cases")
      .values({ ...ruleCase(rule, clock.now()), number })
      .onConflict((conflict) =>
        conflict
          .columns([
            "cause_event_id",
            "rule_id",
            "review_round",
            "action_source",
            "action_index",
            "guild_id",
            "channel_id",
          ])
          .doNothing(),
      )
      .returning(["id", "guild_id", "channel_id"])
      .executeTakeFirst();
    if (inserted) {
      await requestOpened(tx, [inserted], clock.now());
      if (rule.action.kind === "ban" && rule.action.hideCasts)
        await hideCastsToo(tx, clock, rule, rule.action.fid);
    }
    const caseId = inserted?.id ?? (await findRuleCase(tx, rule));
    if (caseId === undefined) throw new Error("the case of a rule's action is neither new nor stored");
    return { caseId };
  };
}

/** The most casts that are hidden with a rule's ban, the newest ones. */
const maxHidden = 500;

/**
 * Requests that the banned person's visible casts are hidden: replies are, by the ban. These cases come with the ban's, so
 * they need no key of their own. Returns how many.
 */
async function hideCastsToo(
  tx: Tx,
  clock: Clock,
  rule: RuleAction,
  fid: number,
  choose = withoutRequested<HideOf>,
): Promise<number> {
  const { channelId } = rule;
  const search = { channelId, hidden: false, fid, rootsOnly: true };
  const { casts } = await searchCasts(tx, search, maxHidden);
  const hides = await choose(
    tx,
    casts.map(({ hash, body }) => ({ channelId, kind: "hide" as const, targetCast: hash, body })),
  );
  if (hides.length === 0) return 0;
  const number = await takeNumbers(tx, rule, hides.length);
  const rows = hides.map(({ targetCast, body }, index) => ({
    ...ruleCase({ ...rule, action: { kind: "hide", castHash: targetCast }, evidence: body }, clock.now()),
    number: number + index,
    action_source: null,
    action_index: null,
  }));
  const inserted = await tx
    .insertInto("castellan.cases")
    .values(rows)
    .returning(["id", "guild_id", "channel_id"])
    .execute();
  await requestOpened(tx, inserted, clock.now());
  return hides.length;
}

interface HideOf extends Target {
  kind: "hide";
  targetCast: string;
  body: CastBody;
}

/** Leaves out casts that were hidden before: somebody has shown them again. */
async function withoutCases(tx: Queryable, hides: readonly HideOf[]): Promise<HideOf[]> {
  if (hides.length === 0) return [];
  const rows = await tx
    .selectFrom("castellan.cases")
    .select("target_key")
    .where("target_key", "in", hides.map(targetKey))
    .execute();
  const known = new Set(rows.map(({ target_key }) => target_key));
  return hides.filter((hide) => !known.has(targetKey(hide)));
}

function ruleCase(rule: RuleAction, now: number) {
  const { action, channelId, approvedBy } = rule;
  const target =
    "fid" in action
      ? { kind: action.kind, targetFid: action.fid }
      : { kind: action.kind, targetCast: action.castHash ?? undefined };
  const ban = action.kind === "ban" ? action : undefined;
  return {
    guild_id: rule.guildId,
    channel_id: channelId,
    target_key: targetKey({ channelId, ...target }),
    kind: action.kind,
    state: "requested" as const,
    target_fid: target.targetFid,
    target_cast: target.targetCast,
    subject_fid: subjectFidOf(target),
    role: action.kind === "invite" || action.kind === "remove_member" ? ("member" as const) : undefined,
    ...(approvedBy ? personActor(approvedBy) : { actor_kind: "rule" as const }),
    rule_id: rule.ruleId,
    rule_version: rule.ruleVersion,
    cause_event_id: rule.eventId,
    review_round: rule.reviewRound,
    action_source: rule.actionSource,
    action_index: rule.actionIndex,
    depth: rule.depth,
    public_reason: ban?.reason,
    ...packEvidence(rule.evidence),
    requested_at_ms: now,
    due_at_ms: ban && ban.forSeconds !== null ? now + ban.forSeconds * 1000 : undefined,
  };
}

async function findRuleCase(tx: Tx, rule: RuleAction): Promise<number | undefined> {
  const row = await tx
    .selectFrom("castellan.cases")
    .select("id")
    .where("cause_event_id", "=", rule.eventId)
    .where("rule_id", "=", rule.ruleId)
    .where("review_round", "=", rule.reviewRound)
    .where("action_source", "=", rule.actionSource)
    .where("action_index", "=", rule.actionIndex)
    .where("guild_id", "=", rule.guildId)
    .where("channel_id", "=", rule.channelId)
    .executeTakeFirst();
  return row?.id;
}

/**
 * The number of an earlier ban that the same rule requested, for at least as long, and that is neither over nor about to
 * be lifted.
 */
async function findRunningBan(
  tx: Tx,
  clock: Clock,
  { guildId, channelId, ruleId }: RuleAction,
  { fid, forSeconds }: { fid: number; forSeconds: number | null },
): Promise<number | undefined> {
  const target = targetKey({ channelId, kind: "ban", targetFid: fid });
  const length = forSeconds === null ? null : forSeconds * 1000;
  const running = await tx
    .selectFrom("castellan.cases")
    .select("number")
    .where("guild_id", "=", guildId)
    .where("target_key", "=", target)
    .where("kind", "in", banKinds)
    .where("rule_id", "=", ruleId)
    .where("state", "in", requestedOrInForce)
    .where((is) =>
      is.or([
        is("due_at_ms", "is", null),
        is.and([
          is("due_at_ms", ">", clock.now()),
          sql<boolean>`due_at_ms - requested_at_ms >= ${length}::bigint`,
        ]),
      ]),
    )
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom("castellan.cases as unban")
            .select("unban.id")
            .where("unban.target_key", "=", target)
            .where("unban.kind", "=", "unban")
            .where("unban.state", "=", "requested"),
        ),
      ),
    )
    .orderBy("id", "desc")
    .executeTakeFirst();
  return running?.number;
}
