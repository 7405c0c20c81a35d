import { setTimeout as delay } from "node:timers/promises";
import { exponentialBackoff, mapLimited } from "../../async.ts";
import type { BotContext } from "../../bot-context.ts";
import type { CallOptions } from "../../contract/endpoint.ts";
import type { Network } from "../../contract/index.ts";
import { actsPurpose } from "../../observe/live/call-limits.ts";
import { inBackground } from "../../observe/live/live-context.ts";
import { asAppError, wasNotBegun, type AppError, type ErrorCode } from "../../errors.ts";
import { readCase, type Case, type CaseKind, type Outcome } from "./case.ts";
import { effects, type Reading } from "./effects.ts";
import { findObstacle } from "./obstacle.ts";
import type { StoredOutcome } from "./outcome.ts";
import { findOpenCases, leaseOldest, postpone, postponeAlike, recordSending, settleCase } from "./settle.ts";

/** How long one call to the network may take, in milliseconds; well below a lease. */
const callTimeout = 15_000;
/** Tries of one case. */
const maxAttempts = 7;
/** Between tries, in milliseconds. */
const pauses = { first: 5_000, longest: 240_000, factor: 3 };
/** How often, and every how many milliseconds, a command asks whether the cases before its own are done. */
const [maxChecks, checkEvery] = [150, 100];
/** Cases of a channel that are worked on at the same time, and how many of them are taken up before other channels have their turn. */
const [concurrency, batch] = [12, 24];

/**
 * Does what a case asks for, after the earlier cases about the same target. Any number may call this at once, for the
 * same case too: it is done once. The case comes back settled, or still requested when the network cannot be reached
 * (the worker goes on) or others take too long. What is so before the call may be read from `reads`, which is a network that
 * many cases share what they read of.
 */
export async function applyCase(
  context: BotContext,
  caseId: number,
  reads: Network = context.network,
): Promise<Case> {
  for (let check = 0; check < maxChecks; check += 1) {
    const taken = await leaseOldest(context, caseId);
    if (taken) {
      const after = await workOn(context, taken, taken.id === caseId ? reads : context.network);
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
 * Goes on with what a crash, a slow network or a rule left at requested in a channel, for each target one after the other. Gives the
 * number of targets it found, and the milliseconds until there is more to do: 0 for at once, undefined where only the rows say
 * when. What rules ask for waits once a limit is met.
 */
export async function applyOpenCases(
  context: BotContext,
  channelId: string,
): Promise<{ found: number; again: number | undefined }> {
  const { open, isMore } = await findOpenCases(context, channelId, batch);
  const reads = shareRecords(inBackground(context, actsPurpose).network);
  const limited = new Map<CaseKind, number>();
  await mapLimited(open, concurrency, async ({ id, kind, actorKind }) => {
    const isRules = actorKind === "rule";
    if (isRules && limited.has(kind)) return;
    const after = await applyCase(context, id, isRules ? reads : context.network);
    if (isRules && waitsForLimit(after)) limited.set(kind, after.retryAtMs);
  });
  if (limited.size > 0) {
    const untilMs = Math.min(...limited.values());
    await postponeAlike(context, channelId, [...limited.keys()], untilMs);
    if (!isMore) return { found: open.length, again: Math.max(0, untilMs - context.clock.now()) };
  }
  return { found: open.length, again: isMore ? 0 : undefined };
}

/** Whether a case is tried again when a limit leaves room for it. */
export function waitsForLimit(subject: Case): subject is Case & { retryAtMs: number } {
  return subject.state === "requested" && subject.waitingReason === "limit" && subject.retryAtMs !== null;
}

/** The same network, where what was hidden lately in a channel is read once: the listing is long, and the same for all casts. */
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

async function workOn(context: BotContext, subject: Case, reads: Network): Promise<Case> {
  const outcome = await attempt(context, subject, reads);
  const settled = outcome && (await settleCase(context, subject, outcome));
  if (!settled) return readCase(context, subject.id);
  // Nobody waits for it: a reader that is not woken comes in its own time.
  if (settled.state === "applied") void wakeReader(context, settled);
  return settled;
}

/** What was done shows in the channel now: whoever reads it need not wait for its time. */
async function wakeReader(context: BotContext, settled: Case): Promise<void> {
  const shownIn = settled.kind === "hide" || settled.kind === "unhide" ? "poll-records" : "poll-listings";
  await context.wake(shownIn, settled.channelId);
}

/** One try; undefined when it is put off. */
async function attempt(context: BotContext, subject: Case, reads: Network): Promise<Outcome | undefined> {
  // A rule may act on hundreds at once: it leaves room for what people wait for.
  const { network } = subject.actorKind === "rule" ? inBackground(context, actsPurpose) : context;
  const effect = effects[subject.kind];
  try {
    if (subject.eventId !== null) return { state: "applied", outcome: "done" };
    // What a call of before did can only be seen by a new look.
    const source = subject.sentAtMs === null ? reads : network;
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
        context.log.warn({ err: error, caseId: subject.id }, "what a call did besides is unreadable");
        return undefined;
      });
    return { state: "applied", outcome: aftermath ?? "done" };
  } catch (error) {
    return handleFailure(context, subject, error);
  }
}

/** Before anything was sent, somebody else did it; after, most likely our own call that we got no answer to. */
function alreadyInState({ sentAtMs }: Case): Outcome {
  return sentAtMs === null ? { state: "already", outcome: "already" } : { state: "applied", outcome: "done" };
}

/** The call may have gone out, and since then somebody changed what it is about: to repeat it would undo that. */
function isOvertaken({ sentAtMs, stateBefore }: Case, { version }: Reading): boolean {
  return sentAtMs !== null && stateBefore !== null && version !== stateBefore;
}

/** Another ban than the one that was to be lifted means that that one was; of the rest nobody can tell. */
function overtaken({ kind }: Case): Outcome {
  return kind === "unban"
    ? { state: "applied", outcome: "banned_again" }
    : { state: "failed", outcome: "changed_since" };
}

/** What says nothing of the case itself: the network's or our own database's silence. */
const passing: ReadonlySet<ErrorCode> = new Set([
  "network_unreachable",
  "network_failed",
  "not_ready",
  "database_unavailable",
]);

/** A refusal fails the case; silence puts it off, until it was tried often enough. */
async function handleFailure(
  context: BotContext,
  subject: Case,
  error: unknown,
): Promise<Outcome | undefined> {
  const known = asAppError(error);
  if (!known) context.log.error({ err: error, caseId: subject.id }, "a case failed in an unexpected way");
  const isLast = subject.attempts >= maxAttempts;
  // A call that went out before may have done it: that we may not look yet does not undo it.
  const wentOut = subject.sentAtMs !== null;
  if (known && !passing.has(known.code)) {
    const isMany = subject.bulkId !== null || subject.actorKind === "rule";
    const mayWait = known.code === "rate_limited" && (wentOut || isMany);
    // Of many, each would have used up its tries before its turn comes.
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
      "the state after a call without answer is unreadable",
    );
    return false;
  }
}

function withinCallTimeout(): CallOptions {
  return { signal: AbortSignal.timeout(callTimeout) };
}

/** A refusal with what its sentence needs. */
function refusal({ code, message, retryAfter }: AppError): StoredOutcome {
  return code === "rate_limited"
    ? {
        outcome: "limit_reached",
        outcome_detail: { minutes: Math.max(1, Math.ceil((retryAfter ?? 60) / 60)) },
      }
    : { outcome: "refused", outcome_detail: { code, message } };
}
