import { setTimeout as delay } from "node:timers/promises";
import { exponentialBackoff, mapLimited } from "../../async.ts";
import type { BotContext } from "../../bot-context.ts";
import type { CallOptions } from "../../contract/endpoint.ts";
import type { Network } from "../../contract/index.ts";
import { actsPurpose } from "../../observe/live/call-limits.ts";
import { inBackground } from "../../observe/live/live-context.ts";
import { asAppError, wasNotBegun, type AppError, type ErrorCode } from "../../errors.ts";
import { readCase, yieldsToPeople, type Case, type CaseKind, type Outcome } from "./case.ts";
import { effects, type Reading } from "./effects.ts";
import { findObstacle } from "./obstacle.ts";
import type { StoredOutcome } from "./outcome.ts";
import { findOpenCases, leaseOldest, postpone, postponeAlike, recordSending, settleCase } from "./settle.ts";

/** Timeout of one call to the network, in milliseconds; well below a lease. */
const callTimeout = 15_000;
/** The most tries of one case. */
const maxAttempts = 7;
/** The backoff between tries, in milliseconds. */
const pauses = { first: 5_000, longest: 240_000, factor: 3 };
/** How often, and at what interval in milliseconds, a command checks whether earlier cases are done. */
const [maxChecks, checkEvery] = [150, 100];
/** How many of a channel's cases run in parallel, and how many are taken before other channels get a turn. */
const [concurrency, batch] = [12, 24];

/** How a case is carried out. */
interface How {
  /** A network whose reads several cases share, used before the call. */
  reads?: Network | undefined;
  /** A person waits for it, even if its kind yields to people. */
  asPerson?: boolean;
}

/**
 * Carries out a case, after the earlier cases about the same target. Any number of callers may call this at once, even for
 * the same case: it is carried out once. The case is returned settled, or still requested if the network cannot be reached
 * (the worker continues) or others take too long.
 */
export async function applyCase(context: BotContext, caseId: number, how: How = {}): Promise<Case> {
  for (let check = 0; check < maxChecks; check += 1) {
    const taken = await leaseOldest(context, caseId);
    if (taken) {
      const after = await workOn(context, taken, taken.id === caseId ? how : {});
      if (after.id === caseId) return after;
      if (after.state === "requested") break;
      continue;
    }
    const subject = await readCase(context, caseId);
    if (subject.state !== "requested") return subject;
    await delay(checkEvery);
  }
  return readCase(context, caseId);
}

/**
 * Continues a channel's requested cases after a crash, a slow network, or for a rule, one after the other for each target.
 * Returns the number of targets it found, and the milliseconds until there is more to do: 0 for at once, undefined if only
 * the rows know. Cases that yield to people wait once a limit is reached.
 */
export async function applyOpenCases(
  context: BotContext,
  channelId: string,
): Promise<{ found: number; again: number | undefined }> {
  const { open, isMore } = await findOpenCases(context, channelId, batch);
  const reads = shareRecords(inBackground(context, actsPurpose).network);
  const limited = new Map<CaseKind, number>();
  await mapLimited(open, concurrency, async ({ id, kind, ...origin }) => {
    const yields = yieldsToPeople(origin);
    if (yields && limited.has(kind)) return;
    const after = await applyCase(context, id, yields ? { reads } : {});
    if (yields && waitsForLimit(after)) limited.set(kind, after.retryAtMs);
  });
  if (limited.size > 0) {
    const untilMs = Math.min(...limited.values());
    await postponeAlike(context, channelId, [...limited.keys()], untilMs);
    if (!isMore) return { found: open.length, again: Math.max(0, untilMs - context.clock.now()) };
  }
  return { found: open.length, again: isMore ? 0 : undefined };
}

/** Whether a case is retried when a limit has room for it. */
export function waitsForLimit(subject: Case): subject is Case & { retryAtMs: number } {
  return subject.state === "requested" && subject.waitingReason === "limit" && subject.retryAtMs !== null;
}

/** The same network, but a channel's recent hides are read once: the listing is long, and the same for all casts. */
export function shareRecords(network: Network): Network {
  const listings = new Map<string, ReturnType<Network["moderatedCasts"]["list"]>>();
  const list: Network["moderatedCasts"]["list"] = (input, options) => {
    const key = JSON.stringify(input);
    const listing = listings.get(key) ?? network.moderatedCasts.list(input, options);
    listings.set(key, listing);
    listing.catch(() => void (listings.get(key) === listing && listings.delete(key)));
    return listing;
  };
  return { ...network, moderatedCasts: { ...network.moderatedCasts, list } };
}

async function workOn(context: BotContext, subject: Case, how: How): Promise<Case> {
  const outcome = await attempt(context, subject, how);
  const settled = outcome && (await settleCase(context, subject, outcome));
  if (!settled) return readCase(context, subject.id);
  // Not awaited: a reader that is not woken runs later anyway.
  if (settled.state === "applied") void wakeReader(context, settled);
  return settled;
}

/** The change shows in the channel now, so its reader can run at once. */
async function wakeReader(context: BotContext, settled: Case): Promise<void> {
  const shownIn = settled.kind === "hide" || settled.kind === "unhide" ? "poll-records" : "poll-listings";
  await context.wake(shownIn, settled.channelId);
}

/** One try; undefined if it was postponed. */
async function attempt(
  context: BotContext,
  subject: Case,
  { reads, asPerson = false }: How,
): Promise<Outcome | undefined> {
  const isBehind = yieldsToPeople(subject) && !asPerson;
  const { network } = isBehind ? inBackground(context, actsPurpose) : context;
  const effect = effects[subject.kind];
  try {
    if (subject.eventId !== null) return { state: "applied", outcome: "done" };
    // Only a new read shows the effect of an earlier call.
    const source = subject.sentAtMs === null ? (reads ?? network) : network;
    const reading = await effect.read(source, subject, withinCallTimeout());
    if (reading.holds) return alreadyInState(subject);
    if (isOvertaken(subject, reading)) return overtaken(subject);
    const obstacle = await findObstacle(context, subject, reading);
    if (obstacle) return { state: "failed", ...obstacle };
    if (!(await recordSending(context, subject, reading.version))) return undefined;
    await effect.call(network, subject, withinCallTimeout());
    const aftermath = await effect
      .aftermath?.(network, subject, withinCallTimeout())
      .catch((error: unknown) => {
        context.log.warn({ err: error, caseId: subject.id }, "could not read the side effects of a call");
        return undefined;
      });
    return { state: "applied", outcome: aftermath ?? "done" };
  } catch (error) {
    return handleFailure({ ...context, network }, subject, error);
  }
}

/** Before anything was sent, somebody else did it; afterwards it was most likely our own call, whose response was lost. */
function alreadyInState({ sentAtMs }: Case): Outcome {
  return sentAtMs === null ? { state: "already", outcome: "already" } : { state: "applied", outcome: "done" };
}

/** The call may have been sent, and the target has been changed since: repeating the call would undo that change. */
function isOvertaken({ sentAtMs, stateBefore }: Case, { version }: Reading): boolean {
  return sentAtMs !== null && stateBefore !== null && version !== stateBefore;
}

/** If the user has a different ban than the one to lift, that one was lifted; for other kinds the result is unknown. */
function overtaken({ kind }: Case): Outcome {
  return kind === "unban"
    ? { state: "applied", outcome: "banned_again" }
    : { state: "failed", outcome: "changed_since" };
}

/** Errors that say nothing about the case: the network or our own database did not respond. */
const passing: ReadonlySet<ErrorCode> = new Set([
  "network_unreachable",
  "network_failed",
  "not_ready",
  "database_unavailable",
]);

/** A rejection fails the case; a missing response postpones it, until there were enough tries. */
async function handleFailure(
  context: BotContext,
  subject: Case,
  error: unknown,
): Promise<Outcome | undefined> {
  const known = asAppError(error);
  if (!known) context.log.error({ err: error, caseId: subject.id }, "a case failed unexpectedly");
  const isLast = subject.attempts >= maxAttempts;
  // An earlier call may have succeeded, even if its effect cannot be read now.
  const wentOut = subject.sentAtMs !== null;
  if (known && !passing.has(known.code)) {
    const isMany = subject.bulkId !== null || yieldsToPeople(subject);
    const mayWait = known.code === "rate_limited" && (wentOut || isMany);
    // With many cases, each would use up its tries before its turn comes.
    if (!mayWait || (isLast && !isMany)) {
      const outcome = mayWait && wentOut ? noResponse : refusal(known);
      return { state: "failed", ...outcome, hadNoEffect: !wentOut && !known.mayHaveHappened };
    }
    const pause = (known.retryAfter ?? 60) * 1000;
    await postpone(context, subject, { pause, waitingReason: "limit", notBegun: wasNotBegun(error) });
    return undefined;
  }
  if (known?.mayHaveHappened && (await showsEffect(context, subject))) {
    return { state: "applied", outcome: "done" };
  }
  if (isLast) return { state: "failed", ...noResponse, hadNoEffect: !wentOut && wasNotBegun(error) };
  const pause = exponentialBackoff(subject.attempts, pauses);
  await postpone(context, subject, { pause, waitingReason: "response", notBegun: wasNotBegun(error) });
  return undefined;
}

const triedFor = Array.from({ length: maxAttempts - 1 }, (_, index) =>
  exponentialBackoff(index + 1, pauses),
).reduce((sum, pause) => sum + pause);
const noResponse: StoredOutcome = {
  outcome: "no_response",
  outcome_detail: { minutes: Math.floor(triedFor / 60_000) },
};

async function showsEffect(context: BotContext, subject: Case): Promise<boolean> {
  try {
    return (await effects[subject.kind].read(context.network, subject, withinCallTimeout())).holds === true;
  } catch (error) {
    context.log.warn(
      { err: error, caseId: subject.id },
      "could not read the state after a call without a response",
    );
    return false;
  }
}

function withinCallTimeout(): CallOptions {
  return { signal: AbortSignal.timeout(callTimeout) };
}

/** A rejection with the data for its sentence. */
function refusal({ code, message, retryAfter }: AppError): StoredOutcome {
  return code === "rate_limited"
    ? {
        outcome: "limit_reached",
        outcome_detail: { minutes: Math.max(1, Math.ceil((retryAfter ?? 60) / 60)) },
      }
    : { outcome: "refused", outcome_detail: { code, message } };
}
