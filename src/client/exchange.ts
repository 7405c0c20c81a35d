import { setTimeout as sleep } from "node:timers/promises";
import { exponentialBackoff } from "../async.ts";
import type { Clock } from "../clock.ts";
import type { Method } from "../contract/endpoint.ts";
import { AppError, asAppError, isFinalStatus, wasNotBegun } from "../errors.ts";
import type { Log } from "../log.ts";

export interface HttpRequest {
  method: Method;
  url: string;
  /** JSON text. */
  body?: string;
}

/** What came back, whatever it says. */
export interface HttpAnswer {
  status: number;
  text: string;
  /** The header as it came. */
  retryAfter: string | null;
}

/** With what it says of its own time: headers as they came. */
export interface TimedAnswer extends HttpAnswer {
  date: string | null;
  age: string | null;
}

/** Milliseconds. */
export interface Timeouts {
  /** Until one attempt's whole answer must be there. */
  attempt: number;
  /** From the first attempt on, until no other is begun. */
  deadline: number;
}

export interface Transport {
  fetch: typeof fetch;
  clock: Clock;
  log: Log;
  timeouts: Timeouts;
  /** Bytes of an answer. */
  answerLimit: number;
  /** 0 to 1, spreads repeated calls. */
  random: () => number;
  signal: AbortSignal | undefined;
  /** How often it is asked at most; as often as is usual where absent. */
  attempts?: number | undefined;
  /** False: a call that is one too many is not repeated here. */
  waitsForLimits?: boolean;
  /** Hears each answer, with the `monotonic()` of when it was asked for. */
  addSample?: ((answer: TimedAnswer, began: number) => void) | undefined;
  /** Asked before each attempt, which it may hold or refuse; the result hears what came of it. */
  enter?: (() => Promise<(error?: unknown) => void>) | undefined;
}

const maxAttempts = 4;
/** The longest pauses between attempts without `Retry-After`. */
const pauses = { first: 400, longest: 3_200 };

/**
 * Asks until there is an answer that `read` accepts, repeating what is safe to repeat: reads, and writes that the
 * network did not begin. Throws what `read` or the last attempt threw.
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
      // What the network said itself says more than that it is not asked again.
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
      // A call that was given up says nothing of who was called.
      leave?.(signal?.aborted ? signal.reason : thrown);
      last = whatSaysMore(request, last, thrown);
      const error = asAppError(thrown);
      const pause = error && pauseBefore(count, error, random);
      if (!error || pause === undefined || !isRepeatable(request, error, waitsForLimits) || signal?.aborted)
        throw last;
      if (count >= attempts || clock.monotonic() + pause > end) throw last;
      log.debug({ err: error, url: request.url, count, pause }, "asking the network again");
      await sleep(pause, undefined, { signal }).catch(() => {
        const givenUp = new AppError("network_unreachable", "The call was given up.", { cause: error });
        throw whatSaysMore(request, last, givenUp);
      });
    }
  }
}

/** What a call ends with: a server may answer 503 in the midst of a write, and a next attempt that was not begun does not unsay it. */
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
  /** Milliseconds until the whole answer must be there. */
  timeout: number;
  /** Bytes of the answer, unpacked. */
  answerLimit: number;
  signal: AbortSignal | undefined;
}

/** Asks once. Throws `network_unreachable` when no whole answer came, and `network_failed` for one that is too large. */
async function attempt(request: HttpRequest, options: AttemptOptions): Promise<TimedAnswer> {
  if (options.signal?.aborted) throw new AppError("network_unreachable", "The call was given up.");
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
    // Whoever sends without end is not listened to any longer.
    controller.abort();
    if (cause instanceof AppError) throw cause;
    throw describeFailure(request, cause, options);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", giveUp);
  }
}

/** undefined as soon as there is more than the limit. */
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
    `The network's answer is larger than ${megabytes} MB and was not read.`,
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
  const why = isSilent ? `no answer within ${timeout / 1000} s` : reason.code;
  const isGivenUp = signal?.aborted === true;
  const shown = isGivenUp ? "the call was given up" : why;
  return new AppError("network_unreachable", `The network cannot be reached (${shown}).`, {
    cause,
    ...(wasSent && !isGivenUp && { failure: isSilent ? "silent" : "dropped" }),
    mayHaveHappened: request.method !== "GET" && wasSent,
  });
}

/** Failures before the first byte of the request: refused, unresolved, or no trust in the other side. */
const neverSent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|EPROTO|ERR_TLS_|ERR_SSL_|CERT_|.*_CERT|.*CERTIFICATE)/;

/** fetch hides the system's error in the cause of its own. */
function readReason(thrown: unknown): { code: string; syscall?: unknown } {
  if (!(thrown instanceof Error)) return { code: "unknown reason" };
  if (thrown.name === "AbortError") return { code: "ABORT_ERR" };
  const { cause } = thrown;
  if (cause instanceof Error && "code" in cause) {
    return { code: String(cause.code), syscall: "syscall" in cause ? cause.syscall : undefined };
  }
  return { code: cause instanceof Error ? cause.message : thrown.message };
}
