import { sql, type Selectable } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { camelCased, type CamelCased } from "../../database/camel-case.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import type { CaseKind, CaseTable } from "../../database/tables/bot.ts";
import type { StoredOutcome } from "./outcome.ts";
import { hourMs } from "../../limits/rate-limit.ts";

/*
 * A case is proposed (propose.ts), applied to the network (apply.ts, by effects.ts) under a lease, and settled (settle.ts).
 * What the network shows of it afterwards is its echo; everything else becomes a case from outside (claim.ts, change.ts). Once no echo
 * can come any more, what is in force is compared with what the network shows (resolve-echoes.ts). A ban that was meant to end is
 * lifted when its time is over (expire.ts).
 *
 * Transactions lock in this order: sources, what they show of channels, cases by id, case numbers, the counter of events. Settling
 * touches neither of the first two.
 */

export type { CaseKind, CaseState } from "../../database/tables/bot.ts";

export type CaseRow = Selectable<CaseTable>;

/** One action: by a person, a rule, or from outside. */
export interface Case extends CamelCased<Omit<CaseRow, "target_key">> {
  /** As `targetKey` gives it. */
  target: string;
}

export function toCase({ target_key, ...row }: CaseRow): Case {
  return { ...camelCased(row), target: target_key };
}

/** What a case acts on: a user, a cast, or whatever the channel has pinned. */
export interface Target {
  channelId: string;
  kind: CaseKind;
  targetFid?: number | undefined;
  targetCast?: string | undefined;
}

/**
 * The same for all cases about one target (column `target_key`). They are applied one after the other, oldest first, so that each
 * sees the effect of the one before.
 */
export function targetKey({ channelId, kind, targetFid, targetCast }: Target): string {
  if (kind === "pin" || kind === "unpin") return `${channelId} pin`;
  return targetFid === undefined ? `${channelId} ${targetCast}` : `${channelId} ${targetFid}`;
}

/** States of cases that did something, whatever became of it: not those that failed, are under way, or changed nothing. */
export const tookEffect = ["applied", "outside", "reverted"] as const;

/** States in which a case has its effect on the network, as far as we know. */
export const inForce = ["applied", "already", "outside"] as const;

export async function readCases(query: Queryable, ids: readonly number[]): Promise<Case[]> {
  if (ids.length === 0) return [];
  const rows = await query.selectFrom("castellan.cases").selectAll().where("id", "in", ids).execute();
  return rows.map(toCase);
}

/** How a case ended. */
export interface Outcome extends StoredOutcome {
  state: "applied" | "already" | "failed";
  /** No call of it did anything: what it claimed is what others did. */
  hadNoEffect?: boolean;
}

/** Kinds whose cases say until when somebody is banned. */
export const banKinds = ["ban", "change_expiry"] as const;

export function isBanKind(kind: CaseKind): boolean {
  return banKinds.some((one) => one === kind);
}

/** Cases of these kinds end what the others began. */
export const endedBy: Partial<Record<CaseKind, readonly CaseKind[]>> = {
  unban: ["ban", "change_expiry"],
  // Of the same server alone.
  change_expiry: ["change_expiry"],
  unhide: ["hide"],
  hide: ["unhide"],
  pin: ["pin", "unpin"],
  unpin: ["pin"],
  revoke_invite: ["invite"],
  remove_member: ["invite"],
};

/** What takes a case back, kind by kind. */
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
 * Locks what is requested or in force about one target, or has an echo, until the transaction ends. Whoever changes several of
 * its cases does this first. Statements after it see what earlier transactions wrote.
 */
export async function lockTarget(tx: Tx, key: string): Promise<void> {
  await tx
    .selectFrom("castellan.cases")
    .select("id")
    .where("target_key", "=", key)
    .where((is) => is.or([is("state", "in", ["requested", ...inForce]), is("echo", "is not", null)]))
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

/** The channel as one server sees it: cases are numbered, and belong, by both. */
export interface Scope {
  guildId: string;
  channelId: string;
}

export async function findCase(
  query: Queryable,
  { guildId, channelId, number }: Scope & { number: number },
): Promise<Case | undefined> {
  const row = await query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("number", "=", number)
    .executeTakeFirst();
  return row && toCase(row);
}

/** How many of a server's cases the network has not settled, and when the oldest was asked for, in UNIX milliseconds. */
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

/** Calls on invites that one account may make in a channel in an hour (interface.md, "Limits"). */
export const invitesAnHour = 100;

/** How many of them the bot has used in the last hour, by channel: all servers of a channel share them. */
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
