import { sql } from "kysely";
import type { Doer } from "../../bot-context.ts";
import type { Clock } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import { groupBy } from "../../group-by.ts";
import { packEvidence } from "../../observe/cast-body.ts";
import { requestWebhooks } from "../../outbox/request-webhooks.ts";
import { targetKey, toCase, type Case, type CaseRow, type Target } from "./case.ts";
import { lockCaseNumbers, takeNumbers } from "./case-numbers.ts";
import type { CastBody } from "../../text/show-cast.ts";

/** A requested action. */
export interface Proposal extends Target {
  guildId: string;
  /** A person; or the actor of the case that expires, or of the case that turned out wrong and is undone. */
  actor: Doer | { endOf: Case } | { takesBack: Case };
  role?: "member" | "moderator";
  publicReason?: string | undefined;
  privateReason?: string | undefined;
  /** The cast as it is at that moment. */
  evidence?: CastBody | null | undefined;
  notify?: boolean;
  /** The duration of the effect, or its end (UNIX milliseconds); without either, it is permanent. */
  forSeconds?: number | undefined;
  untilMs?: number | undefined;
  /** The bulk that it belongs to. */
  bulkId?: number | undefined;
  /** The case that it undoes. The caller has locked that case. */
  undoesCaseId?: number | undefined;
}

/** Writes a requested case. It is applied later, by `applyCase` or by the worker. */
export async function proposeCase(tx: Tx, clock: Clock, proposal: Proposal): Promise<Case> {
  await lockCaseNumbers(tx, proposal.guildId);
  const number = await takeNumbers(tx, proposal, 1);
  const row = await tx
    .insertInto("castellan.cases")
    .values(personCase(proposal, number, clock.now()))
    .returningAll()
    .executeTakeFirstOrThrow();
  await requestOpened(tx, [row], clock.now());
  return toCase(row);
}

/** Calls the webhooks that want new cases. Their worker finds the calls at its next sweep, or when the case is settled. */
export async function requestOpened(
  tx: Tx,
  opened: readonly Pick<CaseRow, "id" | "guild_id" | "channel_id">[],
  now: number,
): Promise<void> {
  const causes = opened.map(({ id, guild_id, channel_id }) => {
    return { guildId: guild_id, channelId: channel_id, event: "case.opened" as const, subject: id };
  });
  await requestWebhooks(tx, causes, now);
}

/** A statement has at most 65,535 values, so this many cases fit into one. */
const together = 1000;

/** Writes requested cases of one server, numbered in order, channel by channel. */
export async function proposeCases(tx: Tx, clock: Clock, proposals: readonly Proposal[]): Promise<void> {
  const now = clock.now();
  const rows: ReturnType<typeof personCase>[] = [];
  const [first] = proposals;
  if (!first) return;
  await lockCaseNumbers(tx, first.guildId);
  for (const own of groupBy(proposals, ({ channelId }) => channelId).values()) {
    const number = await takeNumbers(tx, own[0], own.length);
    rows.push(...own.map((proposal, index) => personCase(proposal, number + index, now)));
  }
  for (let from = 0; from < rows.length; from += together) {
    const inserted = await tx
      .insertInto("castellan.cases")
      .values(rows.slice(from, from + together))
      .returning(["id", "guild_id", "channel_id"])
      .execute();
    await requestOpened(tx, inserted, now);
  }
}

function personCase(proposal: Proposal, number: number, now: number) {
  const { actor, forSeconds, untilMs } = proposal;
  return {
    guild_id: proposal.guildId,
    channel_id: proposal.channelId,
    number,
    target_key: targetKey(proposal),
    kind: proposal.kind,
    state: "requested" as const,
    target_fid: proposal.targetFid,
    target_cast: proposal.targetCast,
    subject_fid: subjectFidOf(proposal),
    role: proposal.role,
    ...actorOf(actor),
    public_reason: proposal.publicReason,
    private_reason: proposal.privateReason,
    ...packEvidence(proposal.evidence),
    notify: proposal.notify,
    requested_at_ms: now,
    due_at_ms: forSeconds === undefined ? untilMs : now + forSeconds * 1000,
    bulk_id: proposal.bulkId,
    undoes_case_id: proposal.undoesCaseId,
  };
}

/** The subject of a case. For a cast that is indexed later, it is set then (index-casts.ts). */
export function subjectFidOf({ targetFid, targetCast }: Pick<Target, "targetFid" | "targetCast">) {
  return sql<number | null>`coalesce(${targetFid ?? null}::bigint,
    (select fid from castellan.casts where hash = ${targetCast ?? null}))`;
}

export function personActor({ userId, fid, token }: Doer) {
  return {
    actor_kind: "person" as const,
    actor_user: userId,
    actor_fid: fid,
    actor_token: token?.name,
    api_request_id: token?.requestId,
  };
}

function actorOf(actor: Proposal["actor"]) {
  if ("endOf" in actor) return { ...sameActor(actor.endOf), ends_case_id: actor.endOf.id };
  return "takesBack" in actor ? sameActor(actor.takesBack) : personActor(actor);
}

/** The actor of a timed action also ends it, at the same depth. */
function sameActor(before: Case) {
  return {
    actor_kind: before.actorKind,
    actor_user: before.actorUser,
    actor_fid: before.actorFid,
    actor_token: before.actorToken,
    rule_id: before.ruleId,
    rule_version: before.ruleVersion,
    depth: before.depth,
  };
}
