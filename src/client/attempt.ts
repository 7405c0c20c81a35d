import { AppError } from "../errors.ts";
import type { HttpRequest } from "./build-request.ts";

/** What came back, whatever it says. */
export interface Answer {
  status: number;
  text: string;
  /** The header as it came. */
  retryAfter: string | null;
}

/** With what it says of its own time: headers as they came. */
export interface TimedAnswer extends Answer {
  date: string | null;
  age: string | null;
}

export interface AttemptOptions {
  fetch: typeof fetch;
  headers: Record<string, string>;
  /** Milliseconds until the whole answer must be there. */
  timeout: number;
  /** Bytes of the answer, unpacked. */
  answerLimit: number;
  signal: AbortSignal | undefined;
}

/** Asks once. Throws `network_unreachable` when no whole answer came, and `network_failed` for one that is too large. */
export async function attempt(request: HttpRequest, options: AttemptOptions): Promise<TimedAnswer> {
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
    {
      mayHaveHappened: method !== "GET",
    },
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
  const why = signal?.aborted
    ? "the call was given up"
    : reason.code === "ABORT_ERR"
      ? `no answer within ${timeout / 1000} s`
      : reason.code;
  return new AppError("network_unreachable", `The network cannot be reached (${why}).`, {
    cause,
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
