import { channels } from "../contract/channels.ts";
import type { Requester, CallOptions, Endpoint, UnreadableEvent } from "../contract/endpoint.ts";
import { hub } from "../contract/hub.ts";
import { systemClock, type Clock } from "../clock.ts";
import { asAppError, type AppError } from "../errors.ts";
import { silentLog, type Log } from "../log.ts";
import { report, type CallResult } from "../telemetry.ts";
import type { Breakers } from "./breakers.ts";
import {
  exchange,
  type HttpAnswer,
  type HttpRequest,
  type TimedAnswer,
  type Timeouts,
  type Transport,
} from "./exchange.ts";
import { readRefusal } from "./read-refusal.ts";
import { createResultReader } from "./read-result.ts";

/** What every client over HTTP needs, whatever it asks. */
export interface CallerOptions {
  /** The machine's where absent, here and everywhere. */
  clock?: Clock;
  /** Silent where absent. */
  log?: Log;
  timeouts?: Partial<Timeouts>;
  /** Gives up every call, as when the process ends. */
  signal?: AbortSignal;
  fetch?: typeof fetch;
  /** Bytes of an answer, unpacked; a list of all channels may have four times as many. */
  answerLimit?: number;
  random?: () => number;
  /** Who asks, for whoever runs a service. */
  userAgent?: string;
  /** Hears what the answers of the client API say of its time; `began` by the clock's `monotonic()`. */
  hearTime?: (answer: Pick<TimedAnswer, "date" | "age">, began: number) => void;
  /** Hears of each call that took the key whether the network refused the key (401), or answered. */
  hearKey?: ((refusal: AppError | undefined) => void) | undefined;
  /** Leave services alone that fail again and again; each call goes out where absent. */
  breakers?: Breakers | undefined;
  /** Counts and limits the calls of the client API; each call goes out where absent. */
  budget?: CallBudget | undefined;
  /** What the calls are for, where it is a background task that can wait: people go first. */
  purpose?: string | undefined;
}

/** How many calls go out to each route of the client API. */
export interface CallBudget {
  /**
   * Counts a call that goes out now. One of a background task, which names its purpose, waits for room where `waits` says so, or
   * throws `rate_limited`; one that a person waits for does so only where the network itself said when to come back. `by` is who
   * waits: those without rights come after all others. Gives what it was counted for.
   */
  take(
    route: string,
    purpose: string | undefined,
    signal: AbortSignal | undefined,
    by?: Requester,
  ): Promise<string | undefined>;
  /** Whether a call for this purpose waits for a limit, or is told at once how long that lasts. */
  waits(purpose: string | undefined): boolean;
  /** The network refused a call to this route for being one too many; `seconds` as it said, if it did, `purpose` as `take` gave it. */
  noteRefusal(route: string, seconds: number | undefined, purpose?: string): Promise<void>;
}

/** How one endpoint is reached. */
export interface Route {
  address: string;
  /** The bearer token to send. */
  token?: () => Promise<string>;
  /** Sent besides, such as a service's own key. */
  headers?: Readonly<Record<string, string>>;
}

/** The name of a route in the budget: its path, and the method where that writes. */
export function routeName({ method, path }: Endpoint): string {
  return method === "GET" ? path : `${method} ${path}`;
}

export type Caller = (
  endpoint: Endpoint,
  route: Route,
  input: unknown,
  options?: CallOptions,
) => Promise<unknown>;

const maxReports = 1000;
const usualAnswerLimit = 16 * 2 ** 20;

const usualTimeouts: Timeouts = { attempt: 10_000, deadline: 30_000 };

const usualAgent = "Castellan (moderation bot for Farcaster channels)";

/** Nothing went out, so that nothing was learnt of the service. */
const notSent = new Error("not asked");

/** Calls any endpoint over HTTP and gives what an in-process call would give, or throws what it would throw. */
export function createCaller({ timeouts, ...options }: CallerOptions): Caller {
  const { clock = systemClock, log = silentLog } = options;
  const transport: Omit<Transport, "signal" | "answerLimit"> = {
    fetch: options.fetch ?? globalThis.fetch,
    random: options.random ?? Math.random,
    clock,
    log,
    timeouts: { ...usualTimeouts, ...timeouts },
  };
  const readers = new Map<Endpoint, ReturnType<typeof createResultReader>>();

  const reported = new Set<string>();
  /** A list is read again and again: what is wrong with it is said once. */
  const reportOnce = (endpoint: Endpoint) => (unreadable: UnreadableEvent) => {
    const { type, reason } = unreadable;
    const key = `${endpoint.path} ${type} ${reason}`;
    if (reported.has(key) || reported.size > maxReports) return;
    reported.add(key);
    log.warn({ path: endpoint.path, list: type, reason }, "a row that cannot be read is left out");
  };

  return (endpoint, { address, token, headers: own }, input, callOptions) => {
    const readResult = readers.get(endpoint) ?? createResultReader(endpoint);
    readers.set(endpoint, readResult);
    const request = buildRequest(endpoint, address, input);
    const headers = async () => ({
      accept: "application/json",
      "user-agent": options.userAgent ?? usualAgent,
      ...own,
      ...(request.body !== undefined && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${await token()}` }),
    });
    const read = (answer: HttpAnswer) => {
      if (answer.status < 200 || answer.status > 299) throw readRefusal(endpoint, answer, clock);
      return readResult(answer, input, { onUnreadable: reportOnce(endpoint), ...callOptions });
    };
    const signal = joinSignals(options.signal, callOptions?.signal);
    const addSample = endpoint.interface === "client" ? options.hearTime : undefined;
    const enter = createGate(options, endpoint, address, signal, callOptions?.by);
    const answerLimit = limitOf(endpoint, options.answerLimit ?? usualAnswerLimit);
    const { attempts } = callOptions ?? {};
    const waitsForLimits =
      endpoint.interface !== "client" || (options.budget?.waits(options.purpose) ?? true);
    const asked = exchange(
      { ...transport, signal, addSample, enter, answerLimit, attempts, waitsForLimits },
      request,
      headers,
      read,
    );
    return token && options.hearKey ? hearOf(asked, options.hearKey) : asked;
  };
}

async function hearOf<T>(asked: Promise<T>, hearKey: NonNullable<CallerOptions["hearKey"]>): Promise<T> {
  try {
    const result = await asked;
    hearKey(undefined);
    return result;
  } catch (error) {
    const known = asAppError(error);
    if (known?.status === 401) hearKey(known);
    throw error;
  }
}

/** What each attempt has to pass: the breaker of its service, then the budget of its route. What came of it is reported. */
function createGate(
  { breakers, budget, purpose, clock = systemClock }: Omit<CallerOptions, "timeouts">,
  endpoint: Endpoint,
  address: string,
  signal: AbortSignal | undefined,
  by: Requester | undefined,
) {
  const own = endpoint.interface === "client" ? budget : undefined;
  const upstream = endpoint.interface === "hub" ? address : endpoint.interface;
  const route = routeName(endpoint);
  return async () => {
    const leave = breakers?.enter(upstream, purpose === undefined);
    let countedFor: string | undefined;
    try {
      countedFor = await own?.take(route, purpose, signal, by);
    } catch (error) {
      leave?.(notSent);
      throw error;
    }
    const began = clock.monotonic();
    return (thrown?: unknown) => {
      const seconds = (clock.monotonic() - began) / 1000;
      // An address may hold a key.
      const host = endpoint.interface === "hub" ? new URL(address).host : upstream;
      report("castellan:network.called", { upstream: host, route, result: resultOf(thrown), seconds });
      leave?.(thrown);
      const { status, retryAfter } = asAppError(thrown) ?? {};
      if (status === 429) void own?.noteRefusal(route, retryAfter, countedFor);
    };
  };
}

function resultOf(thrown: unknown): CallResult {
  if (thrown === undefined) return "ok";
  const { code, status = 0 } = asAppError(thrown) ?? {};
  if (code === undefined) return "given_up";
  if (code === "network_unreachable") return "unreachable";
  if (status === 429) return "rate_limited";
  return code === "network_failed" || status >= 500 ? "failed" : "refused";
}

/** A page of events that is larger is asked for in halves: to parse it would hold up everything else. */
const eventsLimit = 4 * 2 ** 20;

function limitOf(endpoint: Endpoint, usual: number): number {
  if (endpoint === channels.all) return 4 * usual;
  return endpoint === hub.events ? Math.min(usual, eventsLimit) : usual;
}

function joinSignals(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

/** What asks an endpoint: only fields that it declares travel, in the path, then in the query or the body. */
export function buildRequest(endpoint: Endpoint, address: string, input: unknown): HttpRequest {
  const fields = selectFields(endpoint, input);
  const path = (endpoint.clientPath ?? endpoint.path).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = fields.get(name);
    fields.delete(name);
    // By way of bytes, for half a surrogate pair cannot be encoded.
    return encodeURIComponent(Buffer.from(asText(value)).toString());
  });
  const url = address + path;
  if (endpoint.carrier === "body") {
    const body = JSON.stringify(Object.fromEntries(fields));
    return { method: endpoint.method, url, ...(fields.size > 0 && { body }) };
  }
  const query = new URLSearchParams();
  for (const [name, value] of fields) query.set(name, asText(value));
  return { method: endpoint.method, url: fields.size > 0 ? `${url}?${query.toString()}` : url };
}

function selectFields(endpoint: Endpoint, input: unknown): Map<string, unknown> {
  const { shape, def } = endpoint.input;
  const isDeclared = (name: string) =>
    name in shape || (endpoint.paginated && (name === "limit" || name === "cursor")) || def.catchall;
  return new Map(
    Object.entries(input ?? {}).filter(([name, value]) => value !== undefined && isDeclared(name)),
  );
}

function asText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
