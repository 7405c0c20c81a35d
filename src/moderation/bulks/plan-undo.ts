import type { BotContext } from "../../bot-context.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import { readEvidence } from "../../observe/cast-body.ts";
import { describeTime } from "../../text/message-text.ts";
import { showNumber } from "../../text/numbered.ts";
import { inForce, isBanKind, opposite, readCases, toCase, type Case } from "../cases/case.ts";
import { standsBy } from "../cases/outcome.ts";
import type { BulkAction } from "./begin.ts";

/** What taking cases back comes to. */
export interface UndoPlan {
  /** For each target what is done to it, and the case that this takes back. */
  steps: { undone: Case; action: BulkAction }[];
  /** What stays as it is, and why, in words. */
  stays: { subject: Case; why: string }[];
}

/**
 * What has to be done so that these cases of one server and channel count no more. A target that another case holds as it is
 * stays so. Of several cases about one target the last is taken back, and the others with it. What is under way is undone with
 * `underWayToo` alone: what undoes it is applied after it.
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
    // With the ban its end goes, too.
    if (subject.kind === "change_expiry" && last.has(keyOf({ ...subject, kind: "ban" }))) continue;
    const holder = about.cases.find((other) => !chosen.has(other.id) && isHolding(other, subject));
    const again = about.cases.find((other) => !chosen.has(other.id) && isBannedAgain(other, subject));
    const action = toAction(subject, about.ended, clock.now());
    if (again) plan.stays.push({ subject, why: `${nameOf(again, subject)} banned them again since` });
    else if (holder) plan.stays.push({ subject, why: describeHolder(holder, subject) });
    else if (subject.targetCast !== null && about.removed.has(subject.targetCast)) {
      plan.stays.push({ subject, why: "the cast was removed by its author" });
    } else if ("why" in action) plan.stays.push({ subject, why: action.why });
    else plan.steps.push({ undone: subject, action });
  }
  return plan;
}

/** The same once more when it is confirmed, with the cases locked, so that nobody ends one of them before ours are written. */
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

/** Whether another case keeps a target as it is: not where it is what another server has of the same change, or says of an end. */
function isHolding(other: Case, subject: Case): boolean {
  if (subject.kind === "change_expiry") return false;
  const isSame = other.eventId !== null && other.eventId === subject.eventId;
  return keyOf(other) === keyOf(subject) && !isSame && inForce.some((state) => state === other.state);
}

/** A ban ends no unban: what it did is so no more, and to ban again would do nothing. */
function isBannedAgain(other: Case, subject: Case): boolean {
  const isLater = other.target === subject.target && other.id > subject.id;
  return (
    subject.kind === "unban" &&
    other.kind === "ban" &&
    isLater &&
    inForce.some((state) => state === other.state)
  );
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
  if (!ending) return "it ended by itself when its time was up";
  const by = ending.guildId === subject.guildId ? `, ${nameOf(ending, subject)}` : "";
  return `it ended by itself ${describeTime(ending.requestedAtMs / 1000, "f")}, when its time was up${by}`;
}

function whyNot(subject: Case, ending: Case | undefined, underWayToo: boolean): string | undefined {
  const { state, kind, targetCast, hasExpired } = subject;
  const unknownPin = kind === "unpin" && targetCast === null ? "it is not known what was pinned" : undefined;
  switch (state) {
    case "requested":
      return underWayToo ? unknownPin : "it is not settled yet";
    case "failed":
      return "it failed, so there is nothing to take back";
    case "already":
      return "it changed nothing: it was so already";
    case "reverted":
      return hasExpired ? describeExpiry(subject, ending) : "it was undone since";
    case "applied":
    case "outside":
      return unknownPin;
  }
}

interface About {
  /** All that is about the same targets. */
  cases: Case[];
  /** Of those, bans and roles that were ended. */
  ended: Case[];
  /** Hashes of casts that are there no more. */
  removed: ReadonlySet<string>;
}

async function readAbout(query: Queryable, cases: readonly Case[]): Promise<About> {
  if (cases.length === 0) return { cases: [], ended: [], removed: new Set() };
  const rows = await query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("target_key", "in", [...new Set(cases.map(({ target }) => target))])
    .where("state", "in", [...inForce, "reverted"])
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
  const { id, target, targetFid, targetCast, role } = subject;
  const kind = opposite[subject.kind];
  const action = {
    kind,
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
      : { why: "the end that it changed is over by now: /undo with the person lifts the ban" };
  }
  if (kind !== "ban") return action;
  // A ban that was meant to end lasts as long as it would have.
  const ban = ended.findLast((one) => one.target === target && saysEnd(one) && one.id < id);
  if (!ban || ban.dueAtMs === null) return action;
  return ban.dueAtMs > now
    ? { ...action, untilMs: ban.dueAtMs }
    : { why: "the time of the ban that it lifted is over" };
}

/** Bans that found the user banned never counted. */
function saysEnd({ kind, outcome }: Case): boolean {
  return isBanKind(kind) && outcome !== "already";
}
