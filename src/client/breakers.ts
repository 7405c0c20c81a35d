import { exponentialBackoff } from "../async.ts";
import type { Clock } from "../clock.ts";
import { AppError, asAppError } from "../errors.ts";
import type { Log } from "../log.ts";

/** A service that is not asked for a while, for it failed again and again. */
export interface Rest {
  /** "client", "registry", or a hub's address. */
  upstream: string;
  /** UNIX milliseconds. */
  since: number;
  /** Its last failure, in words for people. */
  reason: string;
}

/** Circuit breakers, one for each service. */
export interface Breakers {
  /**
   * Asks whether a service may be called now, and throws `network_unreachable` where not. The result is to be called with what
   * came of it. `isUrgent`: a person waits, so that it may be the probe before its time.
   */
  enter(upstream: string, isUrgent: boolean): (error?: unknown) => void;
}

export interface BreakerOptions {
  clock: Clock;
  log: Log;
  /** 0 to 1, spreads the probes of several processes. */
  random?: () => number;
  /** Hears of each rest that begins, of each probe that fails, and of the end (undefined). */
  onRest?: (upstream: string, rest: Rest | undefined) => void;
}

/** So many failures in a row, whatever was asked, and a service is left alone. */
const maxFailures = 5;
/** How long, in milliseconds: one call then tries whether it is back, and all others wait for what comes of it. */
const rests = { first: 5_000, longest: 60_000 };
/** What a person asks for is tried sooner, but not by everybody at once. Milliseconds. */
const urgentPause = 1_000;

interface Breaker {
  failures: number;
  /** Of monotonic time. */
  openUntil: number;
  lastProbe: number;
  openings: number;
  since: number | undefined;
  reason: string;
  isProbing: boolean;
}

export function createBreakers({ clock, log, random = Math.random, onRest }: BreakerOptions): Breakers {
  const breakers = new Map<string, Breaker>();

  const open = (upstream: string, breaker: Breaker, error: AppError) => {
    breaker.openings += 1;
    const pause = exponentialBackoff(breaker.openings, rests) * (0.5 + random() / 2);
    breaker.openUntil = clock.monotonic() + pause;
    breaker.reason = error.message;
    if (breaker.since === undefined) {
      breaker.since = clock.now();
      log.warn(
        { upstream, err: error, pause: Math.round(pause) },
        "a service fails again and again and is left alone",
      );
    }
    onRest?.(upstream, { upstream, since: breaker.since, reason: breaker.reason });
  };
  const close = (upstream: string, breaker: Breaker) => {
    const { since } = breaker;
    breakers.delete(upstream);
    if (since === undefined) return;
    log.info({ upstream, seconds: Math.round((clock.now() - since) / 1000) }, "a service answers again");
    onRest?.(upstream, undefined);
  };

  return {
    enter(upstream, isUrgent) {
      const known = breakers.get(upstream);
      const isProbe = known?.since !== undefined;
      if (isProbe) {
        const now = clock.monotonic();
        const isDue = now >= known.openUntil || (isUrgent && now >= known.lastProbe + urgentPause);
        if (known.isProbing || !isDue) throw refuse(known, now);
        known.isProbing = true;
        known.lastProbe = now;
      }
      return (thrown) => {
        const error = asAppError(thrown);
        // The one that a probe belongs to: others that were on their way when it opened say nothing new.
        const breaker = breakers.get(upstream) ?? createBreaker();
        if (isProbe) breaker.isProbing = false;
        else if (breaker.since !== undefined) return;
        if (thrown === undefined || (error && !isFailure(error))) return close(upstream, breaker);
        if (!error) return;
        breakers.set(upstream, breaker);
        breaker.failures += 1;
        breaker.lastProbe = clock.monotonic();
        if (isProbe || breaker.failures >= maxFailures) open(upstream, breaker, error);
      };
    },
  };
}

function createBreaker(): Breaker {
  const times = { openUntil: 0, lastProbe: 0, since: undefined };
  return { ...times, failures: 0, openings: 0, reason: "", isProbing: false };
}

/** Silence, and failures of its own. A refusal, also for too many calls, is an answer. */
function isFailure({ code, status = 0 }: AppError): boolean {
  return code === "network_unreachable" || status >= 500;
}

function refuse({ openUntil, reason }: Breaker, now: number): AppError {
  const retryAfter = Math.max(1, Math.ceil((openUntil - now) / 1000));
  return new AppError(
    "network_unreachable",
    `The network failed again and again and is left alone for ${retryAfter} s: ${reason}`,
    { retryAfter },
  );
}
