import { asAppError, AppError } from "../../errors.ts";
import { mayFollow } from "./may-follow.ts";
import { readFeed, type FeedContent, type FeedLimits } from "./read-feed.ts";

/** The validators by which a feed knows whether it changed. */
export interface FeedVersion {
  etag: string | null;
  modified: string | null;
}

interface FetchFeed {
  url: string;
  /** Its hosts are never bad, whatever other lists contain. */
  allows: boolean;
  /** The version that is stored; undefined for none. */
  have: FeedVersion | undefined;
  signal?: AbortSignal;
  /** Milliseconds for the complete download. */
  timeoutMs?: number;
  limits?: FeedLimits;
}

/** A feed's response: unchanged, or its content. */
type FeedAnswer = "unchanged" | (FeedContent & FeedVersion);

const defaultTimeoutMs = 120_000;
const maxRedirects = 5;

/** Fetches a feed. Throws `invalid_input` with the reason if the response is missing or unusable. */
export async function fetchFeed({
  url,
  allows,
  have,
  signal,
  timeoutMs = defaultTimeoutMs,
  limits,
}: FetchFeed): Promise<FeedAnswer> {
  const limit = AbortSignal.timeout(timeoutMs);
  const ending = signal ? AbortSignal.any([signal, limit]) : limit;
  const headers = {
    "user-agent": "castellan",
    ...(have?.etag && { "if-none-match": have.etag }),
    ...(have?.modified && { "if-modified-since": have.modified }),
  };
  try {
    const response = await follow(url, headers, ending);
    if (response.status === 304 && have) return "unchanged";
    if (response.status !== 200) throw await refuse(response, `answers ${response.status}`);
    if (/\bhtml\b/i.test(response.headers.get("content-type") ?? ""))
      throw await refuse(response, "answers with a web page");
    const content = await readFeed(bytesOf(response), { allows, ...(limits && { limits }) });
    return {
      ...content,
      etag: response.headers.get("etag"),
      modified: response.headers.get("last-modified"),
    };
  } catch (cause) {
    if (asAppError(cause, "invalid_input")) throw cause;
    throw new AppError("invalid_input", explain(cause, timeoutMs), { cause });
  }
}

/** Follows redirects: from https only to https. */
async function follow(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
  let at = new URL(url);
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await fetch(at.href, { headers, redirect: "manual", signal });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || response.status === 304 || location === null) {
      return response;
    }
    const next = URL.canParse(location, at.href) ? new URL(location, at.href) : undefined;
    await response.body?.cancel();
    if (!next || !mayFollow(next, at))
      throw new AppError("invalid_input", "redirects to an address that is not https");
    at = next;
  }
  throw new AppError("invalid_input", "redirects without end");
}

async function refuse(response: Response, why: string): Promise<AppError> {
  await response.body?.cancel();
  return new AppError("invalid_input", why);
}

function bytesOf({ body }: Response): AsyncIterable<Uint8Array> {
  // fetch returns a stream of bytes, which is iterable.
  return (body ?? []) as AsyncIterable<Uint8Array>;
}

function explain(cause: unknown, timeoutMs: number): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === "TimeoutError") return `did not arrive within ${Math.round(timeoutMs / 1000)} s`;
  if (cause.name === "AbortError") return "was cancelled because Castellan stopped";
  const inner = cause.cause;
  const code =
    inner instanceof Error && "code" in inner && typeof inner.code === "string" ? inner.code : undefined;
  return `cannot be reached (${code ?? (inner instanceof Error ? inner.message : cause.message)})`;
}
