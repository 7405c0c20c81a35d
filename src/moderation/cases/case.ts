import { sql, type Selectable } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { camelCased, type CamelCased } from "../../database/camel-case.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import type { CaseKind, CaseTable } from "../../database/tables/bot.ts";
import type { StoredOutcome } from "./outcome.ts";
import { hourMs } from "../../limits/rate-limit.ts";
import { requestedOrInForce } from "../../database/tables/case-states.ts";

/*
 * A case is proposed (propose.ts), applied to the network (apply.ts, by effects.ts) under a lease, and settled
 * (settle.ts). The change that the network then shows is its echo; every other change becomes a case from outside
 * (claim.ts, change.ts). Once no echo can come, the cases in force are compared with the network's state
 * (resolve-echoes.ts). A timed ban is lifted when it expires (expire.ts).
 *
 * Transactions lock in this order: sources, channel data from them, cases by id, case numbers, the counter of events.
 * Settling touches neither of the first two.
 */

export type { CaseKind } from "../../database/tables/bot.ts";

export const caseKinds = [
  "ban",
  "unban",
  "change_expiry",
  "hide",
  "unhide",
  "pin",
  "unpin",
  "invite",
  "revoke_invite",
  "remove_member",
] as const satisfies CaseKind[];

export type CaseRow = Selectable<CaseTable>;

/** One action: by a person, a rule, or from outside. */
export interface Case extends CamelCased<Omit<CaseRow, "target_key">> {
  /** As returned by `targetKey`. */
  target: string;
}

export function toCase({ target_key, ...row }: CaseRow): Case {
  return { ...camelCased(row), target: target_key };
}

/** The target of a case: a user, a cast, or the channel's pin. */
export interface Target {
  channelId: string;
  kind: CaseKind;
  targetFid?: number | undefined;
  targetCast?: string | undefined;
}

/**
 * The key of a target, the same for all its cases (column `target_key`). They are applied one after the other, oldest
 * first, so that each sees the effect of the one before.
 */
export function targetKey({ channelId, kind, targetFid, targetCast }: Target): string {
  if (kind === "pin" || kind === "unpin") return `${channelId} pin`;
  return targetFid === undefined ? `${channelId} ${targetCast}` : `${channelId} ${targetFid}`;
}

export async function readCases(query: Queryable, ids: readonly number[]): Promise<Case[]> {
  if (ids.length === 0) return [];
  const rows = await query.selectFrom("castellan.cases").selectAll().where("id", "in", ids).execute();
  return rows.map(toCase);
}

/** The result of a case. */
export type Outcome = StoredOutcome & {
  state: "applied" | "already" | "failed";
  /** None of its calls had an effect: the changes it claimed were made by others. */
  hadNoEffect?: boolean;
};

/** Kinds of cases with a ban's expiry. */
export const banKinds = ["ban", "change_expiry"] as const;

export function isBanKind(kind: CaseKind): boolean {
  return banKinds.some((one) => one === kind);
}

/** Which kinds of cases end which others. */
export const endedBy: Partial<Record<CaseKind, readonly CaseKind[]>> = {
  unban: ["ban", "change_expiry"],
  // Only within the same server.
  change_expiry: ["change_expiry"],
  unhide: ["hide"],
  hide: ["unhide"],
  pin: ["pin", "unpin"],
  unpin: ["pin"],
  revoke_invite: ["invite"],
  remove_member: ["invite"],
};

/** Cases of rules, and expired bans, can be hundreds at once: their calls wait for limits, behind those of people. */
export function yieldsToPeople({ actorKind, endsCaseId }: Pick<Case, "actorKind" | "endsCaseId">): boolean {
  return actorKind === "rule" || endsCaseId !== null;
}

/** The action that undoes a case, by kind. */
export const opposite = {
  ban: "unban",
  unban: "ban",
  change_expiry: "change_expiry",
  hide: "unhide",
  unhide: "hide",
  invite: "revoke_invite",
  revoke_invite: "invite",
  remove_member: "invite",
  pin: "unpin",
  unpin: "pin",
} as const satisfies Record<CaseKind, CaseKind>;

/**
 * Locks the cases of one target that are requested, in force, or have an echo, until the transaction ends. Call this
 * before changing several of its cases. Statements after it see the writes of earlier transactions.
 */
export async function lockTarget(tx: Tx, key: string): Promise<void> {
  await tx
    .selectFrom("castellan.cases")
    .select("id")
    .where("target_key", "=", key)
    .where((is) => is.or([is("state", "in", requestedOrInForce), is("echo", "is not", null)]))
    .orderBy("id")
    .forUpdate()
    .execute();
}

export async function readCase({ database }: BotContext, caseId: number): Promise<Case> {
  const row = await database.query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("id", "=", caseId)
    .executeTakeFirstOrThrow();
  return toCase(row);
}

/** A channel as one server sees it: cases belong to both. */
export interface Scope {
  guildId: string;
  channelId: string;
}

export async function findCase(
  query: Queryable,
  { guildId, channelId, number }: Scope & { number: number },
): Promise<Case | undefined> {
  const [found] = await listNumbered(query, guildId, [channelId], [number]);
  return found;
}

/**
 * The cases with these numbers in these channels, in the order in which they were requested. Several have one number if it is
 * from a time when each channel counted its own.
 */
export async function listNumbered(
  query: Queryable,
  guildId: string,
  channelIds: readonly string[],
  numbers: readonly number[],
): Promise<Case[]> {
  if (channelIds.length === 0 || numbers.length === 0) return [];
  const rows = await query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where("channel_id", "in", channelIds)
    .where("number", "in", numbers)
    .orderBy("channel_id")
    .orderBy("id")
    .execute();
  return rows.map(toCase);
}

/** How many of a server's cases are unsettled, and when the oldest was requested, in UNIX milliseconds. */
export function countOpenCases(
  query: Queryable,
  guildId: string,
): Promise<{ open: number; oldestMs: number | null }> {
  return query
    .selectFrom("castellan.cases")
    .select((cases) => [
      cases.fn.countAll<number>().as("open"),
      cases.fn.min<number | null>("requested_at_ms").as("oldestMs"),
    ])
    .where("guild_id", "=", guildId)
    .where("state", "=", "requested")
    .executeTakeFirstOrThrow();
}

/** How many calls on invites the bot has made in the last hour, by channel: all servers of a channel share them. */
export async function countInviteCalls(
  { database, clock }: BotContext,
  channelIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await database.query
    .selectFrom("castellan.cases")
    .select(["channel_id", sql<number>`sum(attempts)`.as("calls")])
    .where("channel_id", "in", channelIds)
    .where("kind", "in", ["invite", "revoke_invite", "remove_member"])
    .where("sent_at_ms", ">", clock.now() - hourMs)
    .groupBy("channel_id")
    .execute();
  return new Map(rows.map(({ channel_id, calls }) => [channel_id, calls]));
}
