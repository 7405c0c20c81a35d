import type { BotContext } from "../../bot-context.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import { readEvidence } from "../../observe/cast-body.ts";
import { describeTime } from "../../text/message-text.ts";
import { showNumber } from "../../text/numbered.ts";
import { isBanKind, opposite, readCases, toCase, type Case } from "../cases/case.ts";
import { standsBy } from "../cases/outcome.ts";
import type { BulkAction } from "./begin.ts";
import { isInForce, succeeded } from "../../database/tables/case-states.ts";

/** The plan for undoing cases. */
export interface UndoPlan {
  /** For each target, the action and the case that it undoes. */
  steps: { undone: Case; action: BulkAction }[];
  /** Cases that stay in force, and why, in words. */
  stays: { subject: Case; why: string }[];
}

/**
 * The actions that undo these cases of one server. A target that another case keeps in its state stays. Of several cases
 * with one target, the last is undone, and with it the others. Cases still under way are undone only with `underWayToo`:
 * their undo is applied after them.
 */
export async function planUndo(
  { clock }: Pick<BotContext, "clock">,
  query: Queryable,
  cases: readonly Case[],
  { underWayToo = false }: { underWayToo?: boolean } = {},
): Promise<UndoPlan> {
  const plan: UndoPlan = { steps: [], stays: [] };
  const undoable: Case[] = [];
  const over = cases.filter(({ hasExpired }) => hasExpired);
  const ended = await readCases(
    query,
    over.flatMap(({ revertedByCaseId }) => revertedByCaseId ?? []),
  );
  const endings = new Map(ended.map((ending) => [ending.id, ending]));
  for (const subject of cases) {
    const why = whyNot(subject, endings.get(subject.revertedByCaseId ?? 0), underWayToo);
    if (why === undefined) undoable.push(subject);
    else plan.stays.push({ subject, why });
  }
  const chosen = new Set(cases.map(({ id }) => id));
  const about = await readAbout(query, undoable);
  const last = new Map(
    undoable.toSorted((one, other) => one.id - other.id).map((subject) => [keyOf(subject), subject]),
  );
  for (const subject of last.values()) {
    // The ban's expiry goes with the ban.
    if (subject.kind === "change_expiry" && last.has(keyOf({ ...subject, kind: "ban" }))) continue;
    const holder = about.cases.find((other) => !chosen.has(other.id) && isHolding(other, subject));
    const again = about.cases.find((other) => !chosen.has(other.id) && isBannedAgain(other, subject));
    const action = toAction(subject, about.ended, clock.now());
    if (again) plan.stays.push({ subject, why: `${nameOf(again, subject)} has banned them again since` });
    else if (holder) plan.stays.push({ subject, why: describeHolder(holder, subject) });
    else if (subject.targetCast !== null && about.removed.has(subject.targetCast)) {
      plan.stays.push({ subject, why: "the cast was removed by its author" });
    } else if ("why" in action) plan.stays.push({ subject, why: action.why });
    else plan.steps.push({ undone: subject, action });
  }
  return plan;
}

/** Locks the cases and reads them again at confirmation, so that nobody ends one of them before ours are written. */
export async function lockCases(tx: Tx, ids: readonly number[]): Promise<Case[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .selectFrom("castellan.cases")
    .selectAll()
    .where("id", "in", ids)
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map(toCase);
}

/** Whether another case keeps a target in its state, unless it is another server's for the same change, or an expiry. */
function isHolding(other: Case, subject: Case): boolean {
  if (subject.kind === "change_expiry") return false;
  const isSame = other.eventId !== null && other.eventId === subject.eventId;
  return keyOf(other) === keyOf(subject) && !isSame && isInForce(other.state);
}

/** After a later ban, the unban is no longer in effect, and banning again would change nothing. */
function isBannedAgain(other: Case, subject: Case): boolean {
  const isLater = other.target === subject.target && other.id > subject.id;
  return subject.kind === "unban" && other.kind === "ban" && isLater && isInForce(other.state);
}

function describeHolder(holder: Case, subject: Case): string {
  return standsBy(nameOf(holder, subject), subject.kind);
}

function nameOf(other: Case, { guildId }: Case): string {
  return other.guildId === guildId
    ? `case ${showNumber("case", other.number)}`
    : "another server that is linked to the channel";
}

const keyOf = ({ target, kind }: Case) => `${kind} ${target}`;

function describeExpiry(subject: Case, ending: Case | undefined): string {
  if (!ending) return "it expired";
  const by = ending.guildId === subject.guildId ? `, ${nameOf(ending, subject)}` : "";
  return `it expired ${describeTime(ending.requestedAtMs / 1000, "f")}${by}`;
}

function whyNot(subject: Case, ending: Case | undefined, underWayToo: boolean): string | undefined {
  const { state, kind, targetCast, hasExpired } = subject;
  const unknownPin = kind === "unpin" && targetCast === null ? "it is not known what was pinned" : undefined;
  switch (state) {
    case "requested":
      return underWayToo ? unknownPin : "it is not settled yet";
    case "failed":
      return "it failed, so there is nothing to undo";
    case "already":
      return "it changed nothing: it was already in that state";
    case "reverted":
      return hasExpired ? describeExpiry(subject, ending) : "it was undone since";
    case "applied":
    case "outside":
      return unknownPin;
  }
}

interface About {
  /** All cases with the same targets. */
  cases: Case[];
  /** Ended bans and roles among them. */
  ended: Case[];
  /** Hashes of casts that no longer exist. */
  removed: ReadonlySet<string>;
}

async function readAbout(query: Queryable, cases: readonly Case[]): Promise<About> {
  if (cases.length === 0) return { cases: [], ended: [], removed: new Set() };
  const rows = await query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("target_key", "in", [...new Set(cases.map(({ target }) => target))])
    .where("state", "in", succeeded)
    .orderBy("id")
    .execute();
  const hashes = cases.flatMap(({ targetCast }) => targetCast ?? []);
  const removed =
    hashes.length === 0
      ? []
      : await query
          .selectFrom("castellan.casts")
          .select("hash")
          .where("hash", "in", hashes)
          .where("removed_at", "is not", null)
          .execute();
  const known = rows.map(toCase);
  return {
    cases: known,
    ended: known.filter(({ state }) => state === "reverted"),
    removed: new Set(removed.map(({ hash }) => hash)),
  };
}

function toAction(subject: Case, ended: readonly Case[], now: number): BulkAction | { why: string } {
  const { id, channelId, target, targetFid, targetCast, role } = subject;
  const kind = opposite[subject.kind];
  const action = {
    kind,
    channelId,
    targetFid: targetFid ?? undefined,
    targetCast: targetCast ?? undefined,
    evidence: readEvidence(subject),
    undoesCaseId: id,
  };
  if (kind === "invite" || kind === "revoke_invite") return { ...action, role: role ?? "member" };
  if (kind === "change_expiry") {
    if (subject.previousExpiryMs === null) return action;
    return subject.previousExpiryMs > now
      ? { ...action, untilMs: subject.previousExpiryMs }
      : { why: "the expiry that it changed has passed: /undo with the person lifts the ban" };
  }
  if (kind !== "ban") return action;
  // A timed ban lasts until its original expiry.
  const ban = ended.findLast((one) => one.target === target && saysEnd(one) && one.id < id);
  if (!ban || ban.dueAtMs === null) return action;
  return ban.dueAtMs > now
    ? { ...action, untilMs: ban.dueAtMs }
    : { why: "the ban that it lifted would have expired" };
}

/** Bans of users who were already banned never counted. */
function saysEnd({ kind, outcome }: Case): boolean {
  return isBanKind(kind) && outcome !== "already";
}
