import { AppError } from "../../errors.ts";

/** What a service answered to one plain question. */
export interface ProbeAnswer {
  status: number;
  /** undefined where it is no JSON. */
  json: unknown;
  /** The sentence of a refusal, or what came instead of JSON, short. */
  words: string;
  /** Milliseconds. */
  took: number;
}

/** Asks services once each, without the retries of the client that works with them, and hears what time it is there. */
export interface Probe {
  /** Throws `network_unreachable`. */
  ask(url: string, headers?: Readonly<Record<string, string>>): Promise<ProbeAnswer>;
  /** By how much the machine's clock is ahead of each answer's, in milliseconds. */
  skews: number[];
}

/** Milliseconds until a whole answer must be there. */
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
        // An answer of a cache is as old as it says.
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
  // What fetch gives is a stream of bytes.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new AppError("network_unreachable", "sends without end");
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

/** The service's own sentence, wherever it stands in the three interfaces and at proxies in front of them. */
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

/** A field of whatever came. */
export function readField(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  );
}

/** A list of whatever came; empty where there is none. */
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
