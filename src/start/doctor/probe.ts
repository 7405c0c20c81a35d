import { AppError } from "../../errors.ts";

/** A service's response to one simple request. */
export interface ProbeAnswer {
  status: number;
  /** undefined if it is not JSON. */
  json: unknown;
  /** The error's sentence, or other content instead of JSON, shortened. */
  words: string;
  /** Milliseconds. */
  took: number;
}

/** Sends single requests to services, without the retries of the regular client, and collects their times. */
export interface Probe {
  /** Throws `network_unreachable`. */
  ask(url: string, headers?: Readonly<Record<string, string>>): Promise<ProbeAnswer>;
  /** How far the machine's clock is ahead of each response's time, in milliseconds. */
  skews: number[];
}

/** Milliseconds until a whole response must have arrived. */
const timeoutMs = 10_000;
const maxBytes = 4 * 2 ** 20;

export function createProbe({
  timeout = timeoutMs,
  signal,
}: { timeout?: number; signal?: AbortSignal } = {}): Probe {
  const skews: number[] = [];
  return {
    skews,
    async ask(url, headers = {}) {
      const began = performance.now();
      const beganAt = Date.now();
      const limit = AbortSignal.timeout(timeout);
      try {
        const response = await fetch(url, {
          headers: { accept: "application/json", "user-agent": "castellan", ...headers },
          redirect: "manual",
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
        });
        const text = await readText(response);
        const took = performance.now() - began;
        const named = Date.parse(response.headers.get("date") ?? "");
        // A cached response's time is older by its Age.
        if (!Number.isNaN(named) && !response.headers.has("age"))
          skews.push(beganAt + took / 2 - named - 500);
        const json = parseJson(text);
        return { status: response.status, json, words: wordsOf(json, text), took: Math.round(took) };
      } catch (cause) {
        throw unreachable(cause, timeout);
      }
    },
  };
}

async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  // fetch returns a stream of bytes.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new AppError("network_unreachable", "sends an endless response");
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The service's own error sentence, at any of its places in the three interfaces and in proxies. */
function wordsOf(json: unknown, text: string): string {
  if (json === undefined) {
    if (/^\s*<(!doctype|html|\?xml)/i.test(text)) return "a web page";
    return text.trim() === "" ? "nothing" : JSON.stringify(text.trim().slice(0, 80));
  }
  const [first] = readList(json, "errors");
  const told =
    readField(first, "message") ??
    readField(json, "error_detail") ??
    readField(json, "message") ??
    readField(json, "error") ??
    readField(json, "code");
  return typeof told === "string" ? told.slice(0, 200) : "no reason";
}

/** A field of an unknown value. */
export function readField(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  );
}

/** A list in an unknown value; empty if there is none. */
export function readList(value: unknown, ...path: string[]): unknown[] {
  const found = readField(value, ...path);
  return Array.isArray(found) ? found : [];
}

function unreachable(cause: unknown, timeout: number): AppError {
  if (cause instanceof AppError) return cause;
  const inner = cause instanceof Error ? cause.cause : undefined;
  const code = readField(inner, "code");
  const why =
    cause instanceof Error && cause.name === "TimeoutError"
      ? `does not answer within ${timeout / 1000} s`
      : `cannot be reached (${typeof code === "string" ? code : inner instanceof Error ? inner.message : String(cause)})`;
  return new AppError("network_unreachable", why, { cause });
}
