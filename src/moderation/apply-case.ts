import { setTimeout as delay } from "node:timers/promises";
import type { CallOptions } from "../contract/endpoint.ts";
import { asAppError, type AppError } from "../errors.ts";
import { answerAlready, answerDone, answerRefused } from "./answers.ts";
import type { Case } from "./case.ts";
import type { ModerationContext } from "./context.ts";
import { effects, type Seen } from "./effects.ts";
import { leaseOldest, postpone, readCase, recordSending } from "./lease-case.ts";
import { findStrongerBan } from "./timed-bans.ts";
import { settleCase, type Outcome } from "./settle-case.ts";

/** How long one call to the network may take, in milliseconds; well below a lease. */
const callTimeout = 15_000;
/** Tries of one case, with growing pauses: about ten minutes in all. */
const maxAttempts = 7;
const firstPause = 5_000;
/** How long a command waits for the cases before its own, as a number of looks. */
const looks = 150;
const lookEvery = 100;

/**
 * Does what a case asks for, after the earlier cases about the same target. Any number may call this at once, for the
 * same case too: it is done once. The case comes back settled, or still requested when the network cannot be reached
 * (the worker goes on) or others take too long.
 */
export async function applyCase(context: ModerationContext, caseId: number): Promise<Case> {
  for (let look = 0; look < looks; look += 1) {
    const leased = await leaseOldest(context, caseId);
    if (leased) {
      const after = await workOn(context, leased);
      if (after.id === caseId) return after;
      if (after.state === "requested") break;
      continue;
    }
    const subject = await readCase(context, caseId);
    if (subject.state !== "requested") return subject;
    await delay(lookEvery);
  }
  return readCase(context, caseId);
}

async function workOn(context: ModerationContext, subject: Case): Promise<Case> {
  const outcome = await attempt(context, subject);
  const settled = outcome && (await settleCase(context, subject, outcome));
  if (!settled) return readCase(context, subject.id);
  if (settled.state === "applied") await wakeReader(context, settled);
  return settled;
}

/** What was done shows in the channel now: whoever reads it need not wait for its time. */
async function wakeReader(context: ModerationContext, settled: Case): Promise<void> {
  const shownIn = settled.kind === "hide" || settled.kind === "unhide" ? "poll-records" : "poll-listings";
  await context.wake(shownIn, settled.channel_id);
}

/** One try; undefined when it is put off. */
async function attempt(context: ModerationContext, subject: Case): Promise<Outcome | undefined> {
  const { network } = context;
  const effect = effects[subject.kind];
  try {
    if (subject.claimed_event_id !== null) return { state: "applied", answer: answerDone(subject) };
    const seen = await effect.look(network, subject, shortly());
    if (seen.isSo) return foundSo(subject);
    if (isOvertaken(subject, seen)) return overtaken(subject);
    const stopped = await findStop(context, subject);
    if (stopped !== undefined) return { state: "failed", answer: stopped };
    if (subject.kind === "unban" && subject.ends_case_id !== null) {
      const stronger = await findStrongerBan(context, subject.ends_case_id);
      if (stronger) return { state: "failed", answer: stronger };
    }
    if (!(await recordSending(context, subject, seen.version))) return undefined;
    await effect.call(network, subject, shortly());
    const aftermath = await effect.aftermath?.(network, subject, shortly()).catch((error: unknown) => {
      context.log.warn({ err: error, caseId: subject.id }, "what a call did besides is unreadable");
      return undefined;
    });
    return { state: "applied", answer: aftermath ?? answerDone(subject) };
  } catch (error) {
    return judge(context, subject, error);
  }
}

/** Why a rule's own wish that did not go out yet is dropped; what ends a timed action goes on. */
async function findStop(context: ModerationContext, subject: Case): Promise<string | undefined> {
  if (subject.actor_kind !== "rule" || subject.sent_at_ms !== null || subject.ends_case_id !== null)
    return undefined;
  const absent = await context.database.query
    .selectFrom("castellan.absent_servers")
    .select("guild_id")
    .where("guild_id", "=", subject.guild_id)
    .executeTakeFirst();
  if (absent) return "Not done: Castellan was removed from the server before it went out.";
  const pause = await context.database.query
    .selectFrom("castellan.automod_pauses")
    .select("paused_by")
    .where("guild_id", "=", subject.guild_id)
    .where("channel_id", "=", subject.channel_id)
    .where((is) => is.or([is("until_ms", "is", null), is("until_ms", ">", context.clock.now())]))
    .executeTakeFirst();
  return pause && "Not done: rules were paused before it went out.";
}

/** Before anything was sent, somebody else did it; after, most likely our own call that we got no answer to. */
function foundSo(subject: Case): Outcome {
  return subject.sent_at_ms === null
    ? { state: "already", answer: answerAlready(subject.kind) }
    : { state: "applied", answer: answerDone(subject) };
}

/** The call may have gone out, and since then somebody changed what it is about: to repeat it would undo that. */
function isOvertaken({ sent_at_ms, seen_before }: Case, { version }: Seen): boolean {
  return sent_at_ms !== null && seen_before !== null && version !== seen_before;
}

/** Another ban than the one that was to be lifted means that that one was; of the rest nobody can tell. */
function overtaken({ kind }: Case): Outcome {
  return kind === "unban"
    ? { state: "applied", answer: "The ban was lifted. Somebody banned the user again since." }
    : { state: "failed", answer: overtakenAnswer };
}

const overtakenAnswer =
  "The network did not answer, and somebody has changed this since. Castellan does not repeat it: look at the channel.";

/** What says nothing of the case itself: the network's or our own database's silence. */
const passing: ReadonlySet<AppError["code"]> = new Set([
  "network_unreachable",
  "network_failed",
  "not_ready",
  "database_unavailable",
]);

async function judge(
  context: ModerationContext,
  subject: Case,
  error: unknown,
): Promise<Outcome | undefined> {
  const known = asAppError(error);
  if (!known) context.log.error({ err: error, caseId: subject.id }, "a case failed in an unexpected way");
  const mayPass = !known || passing.has(known.code);
  if (known && !mayPass) {
    const wait = known.code === "rate_limited" && subject.actor_kind === "rule";
    if (!wait || subject.attempts >= maxAttempts) {
      return { state: "failed", answer: answerRefused(known.code, known.message, known.retryAfter) };
    }
    await postpone(context, subject, (known.retryAfter ?? 60) * 1000, "The budget is used up.");
    return undefined;
  }
  if (known?.mayHaveHappened && (await showsEffect(context, subject))) {
    return { state: "applied", answer: answerDone(subject) };
  }
  if (subject.attempts >= maxAttempts) return { state: "failed", answer: giveUp };
  const pause = firstPause * 3 ** (subject.attempts - 1);
  await postpone(context, subject, Math.min(pause, 240_000), unanswered);
  return undefined;
}

export const unanswered =
  "The network did not answer. Castellan will look whether it happened, and try again if not.";
const giveUp =
  "The network could not be reached for ten minutes, so Castellan gave up. Look at the channel before trying again.";

async function showsEffect(context: ModerationContext, subject: Case): Promise<boolean> {
  try {
    return (await effects[subject.kind].look(context.network, subject, shortly())).isSo === true;
  } catch (error) {
    context.log.warn(
      { err: error, caseId: subject.id },
      "the state after a call without answer is unreadable",
    );
    return false;
  }
}

/** Gives a call up in time. */
function shortly(): CallOptions {
  return { signal: AbortSignal.timeout(callTimeout) };
}
