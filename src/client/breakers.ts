import { exponentialBackoff } from "../async.ts";
import type { Clock } from "../clock.ts";
import { AppError, asAppError } from "../errors.ts";
import type { LogLines } from "../log-lines.ts";

/** The pause during which a service is not called, because it failed repeatedly. */
export interface Rest {
  /** "client", "registry", or a hub's address. */
  upstream: string;
  /** UNIX milliseconds. */
  since: number;
  /** Its last failure, in words for people. */
  reason: string;
}

/** Circuit breakers, one per service. */
export interface Breakers {
  /**
   * Throws `network_unreachable` unless the service can be called now. Call the returned function with the outcome.
   * `isUrgent` means that a person waits, so the call may be an early probe.
   */
  enter(upstream: string, isUrgent: boolean): (error?: unknown) => void;
}

export interface BreakerOptions {
  clock: Clock;
  log: LogLines;
  /** 0 to 1; spreads the probes of several processes. */
  random?: () => number;
  /** Called when a pause begins, when a probe fails, and at the end (undefined). */
  onRest?: (upstream: string, rest: Rest | undefined) => void;
}

/** Failures in a row, whatever the call, that open the breaker. */
const maxFailures = 5;
/** Milliseconds until one call probes whether the service is back, while all others wait for its outcome. */
const rests = { first: 5_000, longest: 60_000 };
/** Minimum milliseconds between probes by people's calls, which need not wait for the end of the pause. */
const urgentPause = 1_000;

interface Breaker {
  failures: number;
  /** In monotonic time. */
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
        "circuit breaker open: a service failed repeatedly",
      );
    }
    onRest?.(upstream, { upstream, since: breaker.since, reason: breaker.reason });
  };
  const close = (upstream: string, breaker: Breaker) => {
    const { since } = breaker;
    breakers.delete(upstream);
    if (since === undefined) return;
    log.info({ upstream, seconds: Math.round((clock.now() - since) / 1000) }, "circuit breaker closed");
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
        // Looked up again: only the probe's outcome counts, not those of calls from before the breaker opened.
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

/** No response, or a server error. A rejection, even of too many calls, is a response. */
function isFailure({ code, status = 0 }: AppError): boolean {
  return code === "network_unreachable" || status >= 500;
}

function refuse({ openUntil, reason }: Breaker, now: number): AppError {
  const retryAfter = Math.max(1, Math.ceil((openUntil - now) / 1000));
  return new AppError(
    "network_unreachable",
    `The network failed repeatedly; the next attempt is in ${retryAfter} s: ${reason}`,
    { retryAfter },
  );
}
