import { setTimeout as sleep } from "node:timers/promises";
import { exponentialBackoff } from "../async.ts";
import type { Clock } from "../clock.ts";
import type { Method } from "../contract/endpoint.ts";
import { AppError, asAppError, isFinalStatus, wasNotBegun } from "../errors.ts";
import type { LogLines } from "../log-lines.ts";

export interface HttpRequest {
  method: Method;
  url: string;
  /** JSON text. */
  body?: string;
}

/** A response of any kind. */
export interface HttpAnswer {
  status: number;
  text: string;
  /** The unparsed header. */
  retryAfter: string | null;
}

/** With the response's unparsed time headers. */
export interface TimedAnswer extends HttpAnswer {
  date: string | null;
  age: string | null;
}

/** Milliseconds. */
export interface Timeouts {
  /** For one attempt, until its complete response. */
  attempt: number;
  /** From the first attempt; after this, no other begins. */
  deadline: number;
}

export interface Transport {
  fetch: typeof fetch;
  clock: Clock;
  log: LogLines;
  timeouts: Timeouts;
  /** Maximum bytes of a response. */
  answerLimit: number;
  /** 0 to 1; spreads retries. */
  random: () => number;
  signal: AbortSignal | undefined;
  /** Maximum attempts; the default applies if absent. */
  attempts?: number | undefined;
  /** If false, a rate-limited call is not repeated here. */
  waitsForLimits?: boolean;
  /** Called with each response, and the `monotonic()` time at which it was requested. */
  addSample?: ((answer: TimedAnswer, began: number) => void) | undefined;
  /** Called before each attempt, which it may delay or reject; the returned function gets the outcome. */
  enter?: (() => Promise<(error?: unknown) => void>) | undefined;
}

const maxAttempts = 4;
/** Maximum pauses between attempts without `Retry-After`. */
const pauses = { first: 400, longest: 3_200 };

/**
 * Repeats a call until `read` accepts a response, if repeating is safe: reads, and writes that the network did not
 * begin. Throws the error of `read` or the last attempt.
 */
export async function exchange<T>(
  transport: Transport,
  request: HttpRequest,
  headers: () => Promise<Record<string, string>>,
  read: (answer: HttpAnswer) => T,
): Promise<T> {
  const { clock, log, timeouts, random, signal, answerLimit } = transport;
  const { attempts = maxAttempts, waitsForLimits = true } = transport;
  const end = clock.monotonic() + timeouts.deadline;
  let last: unknown;
  for (let count = 1; ; count++) {
    const leave = await transport.enter?.().catch((refusal: unknown) => {
      // The network's own error is more useful than the rejection of another attempt.
      throw last ?? refusal;
    });
    try {
      const options = { fetch: transport.fetch, timeout: timeouts.attempt, answerLimit, signal };
      const own = { ...options, headers: await headers() };
      const began = clock.monotonic();
      const answer = await attempt(request, own);
      transport.addSample?.(answer, began);
      const result = read(answer);
      leave?.();
      return result;
    } catch (thrown) {
      // An aborted call says nothing about the service.
      leave?.(signal?.aborted ? signal.reason : thrown);
      last = whatSaysMore(request, last, thrown);
      const error = asAppError(thrown);
      const pause = error && pauseBefore(count, error, random);
      if (!error || pause === undefined || !isRepeatable(request, error, waitsForLimits) || signal?.aborted)
        throw last;
      if (count >= attempts || clock.monotonic() + pause > end) throw last;
      log.debug({ err: error, url: request.url, count, pause }, "retrying a call to the network");
      await sleep(pause, undefined, { signal }).catch(() => {
        const givenUp = new AppError("network_unreachable", "The call was cancelled.", { cause: error });
        throw whatSaysMore(request, last, givenUp);
      });
    }
  }
}

/** The final error: a server may return 503 in the middle of a write, which stays true if the next attempt never began. */
function whatSaysMore({ method }: HttpRequest, before: unknown, now: unknown): unknown {
  return method !== "GET" && asAppError(before)?.status === 503 && wasNotBegun(now) ? before : now;
}

function isRepeatable({ method }: HttpRequest, error: AppError, waitsForLimits: boolean): boolean {
  if (error.code === "network_unreachable") return !error.mayHaveHappened;
  if (error.status === 429) return waitsForLimits;
  if (error.status === 503) return true;
  return (
    method === "GET" && error.status !== undefined && !isFinalStatus(error.status) && error.status >= 400
  );
}

function pauseBefore(count: number, error: AppError, random: () => number): number {
  if (error.retryAfter === undefined) return random() * exponentialBackoff(count, pauses);
  return error.retryAfter * 1000 + random() * pauses.first;
}

interface AttemptOptions {
  fetch: typeof fetch;
  headers: Record<string, string>;
  /** Milliseconds until the complete response. */
  timeout: number;
  /** Maximum bytes of the unpacked response. */
  answerLimit: number;
  signal: AbortSignal | undefined;
}

/** Makes one attempt. Throws `network_unreachable` without a complete response, and `network_failed` if it is too large. */
async function attempt(request: HttpRequest, options: AttemptOptions): Promise<TimedAnswer> {
  if (options.signal?.aborted) throw new AppError("network_unreachable", "The call was cancelled.");
  const controller = new AbortController();
  const giveUp = () => controller.abort();
  const timer = setTimeout(giveUp, options.timeout);
  options.signal?.addEventListener("abort", giveUp);
  try {
    const response = await options.fetch(request.url, {
      method: request.method,
      headers: options.headers,
      redirect: "manual",
      signal: controller.signal,
      ...(request.body !== undefined && { body: request.body }),
    });
    const text = await readText(response, options.answerLimit);
    if (text === undefined) throw tooLarge(request, options);
    return {
      status: response.status,
      text,
      retryAfter: response.headers.get("retry-after"),
      date: response.headers.get("date"),
      age: response.headers.get("age"),
    };
  } catch (cause) {
    // Stops reading from a server that never stops sending.
    controller.abort();
    if (cause instanceof AppError) throw cause;
    throw describeFailure(request, cause, options);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", giveUp);
  }
}

/** undefined as soon as the limit is exceeded. */
async function readText({ body }: Response, limit: number): Promise<string | undefined> {
  if (!body) return "";
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > limit) return undefined;
    text += decoder.decode(value, { stream: true });
  }
}

function tooLarge({ method }: HttpRequest, { answerLimit }: AttemptOptions): AppError {
  const megabytes = Math.floor(answerLimit / 2 ** 20);
  return new AppError(
    "network_failed",
    `The network's response is larger than ${megabytes} MB and was not read.`,
    { failure: "too_large", mayHaveHappened: method !== "GET" },
  );
}

function describeFailure(
  request: HttpRequest,
  cause: unknown,
  { signal, timeout }: AttemptOptions,
): AppError {
  const reason = readReason(cause);
  const wasSent = !(
    reason.syscall === "connect" ||
    reason.syscall === "getaddrinfo" ||
    neverSent.test(reason.code)
  );
  const isSilent = reason.code === "ABORT_ERR";
  const why = isSilent ? `no response within ${timeout / 1000} s` : reason.code;
  const isGivenUp = signal?.aborted === true;
  const shown = isGivenUp ? "the call was cancelled" : why;
  return new AppError("network_unreachable", `The network cannot be reached (${shown}).`, {
    cause,
    ...(wasSent && !isGivenUp && { failure: isSilent ? "silent" : "dropped" }),
    mayHaveHappened: request.method !== "GET" && wasSent,
  });
}

/** Failures before the first byte of the request: refused, unresolved, or an untrusted certificate. */
const neverSent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|EPROTO|ERR_TLS_|ERR_SSL_|CERT_|.*_CERT|.*CERTIFICATE)/;

/** fetch puts the system's error into the cause of its own. */
function readReason(thrown: unknown): { code: string; syscall?: unknown } {
  if (!(thrown instanceof Error)) return { code: "unknown reason" };
  if (thrown.name === "AbortError") return { code: "ABORT_ERR" };
  const { cause } = thrown;
  if (cause instanceof Error && "code" in cause) {
    return { code: String(cause.code), syscall: "syscall" in cause ? cause.syscall : undefined };
  }
  return { code: cause instanceof Error ? cause.message : thrown.message };
}
