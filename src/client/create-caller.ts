import { channels } from "../contract/channels.ts";
import {
  ofChannel,
  routeName,
  type CallOptions,
  type ChannelLimit,
  type Endpoint,
  type Requester,
  type UnreadableEvent,
} from "../contract/endpoint.ts";
import { hub } from "../contract/hub.ts";
import { systemClock, type Clock } from "../clock.ts";
import { asAppError, type AppError } from "../errors.ts";
import { noLines, type LogLines } from "../log-lines.ts";
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

/** Options of every client over HTTP. */
export interface CallerOptions {
  /** Default, here and everywhere: the machine's clock. */
  clock?: Clock;
  /** Default: silent. */
  log?: LogLines;
  timeouts?: Partial<Timeouts>;
  /** Aborts all calls, for example when the process ends. */
  signal?: AbortSignal;
  fetch?: typeof fetch;
  /** Maximum bytes of an unpacked response; a list of all channels may be four times as large. */
  answerLimit?: number;
  random?: () => number;
  /** Identifies the caller to the services' operators. */
  userAgent?: string;
  /** Called with the time headers of the client API's responses; `began` is by the clock's `monotonic()`. */
  hearTime?: (answer: Pick<TimedAnswer, "date" | "age">, began: number) => void;
  /** Called after each call with the key: with the error if the network rejected the key (401), or with undefined. */
  hearKey?: ((refusal: AppError | undefined) => void) | undefined;
  /** Protects services that fail repeatedly; if absent, every call is sent. */
  breakers?: Breakers | undefined;
  /** Counts and limits the calls to the client API; if absent, every call is sent. */
  budget?: CallBudget | undefined;
  /** The calls' purpose, if a background task makes them, which can wait: people come first. */
  purpose?: string | undefined;
}

/** Counts calls to each route of the client API. */
export interface CallBudget {
  /**
   * Counts a call that is about to be sent. A background task, which names its purpose, waits for capacity if `waits`
   * is true for it, otherwise gets `rate_limited`; a person waits only if the network itself said when to retry. `by`
   * is the person who waits: those without rights come last. Returns the purpose it was counted for.
   */
  take(
    route: string,
    purpose: string | undefined,
    signal: AbortSignal | undefined,
    by?: Requester,
    own?: ChannelLimit,
  ): Promise<string | undefined>;
  /** Whether a call for this purpose waits at a limit, instead of failing with the remaining time. */
  waits(purpose: string | undefined): boolean;
  /**
   * Records that the network rate-limited a route, for `seconds` if it said so; `purpose` as returned by `take`. If the
   * calls of the channel's `own` limit are used up, only that channel's calls end.
   */
  noteRefusal(
    route: string,
    seconds: number | undefined,
    purpose?: string,
    own?: ChannelLimit,
  ): Promise<void>;
}

/** Where and how to call an endpoint. */
export interface Route {
  address: string;
  /** The bearer token to send. */
  token?: () => Promise<string>;
  /** Additional headers, such as a service's own key. */
  headers?: Readonly<Record<string, string>>;
}

function channelLimitOf({ channelLimit: calls, path }: Endpoint, input: unknown): ChannelLimit | undefined {
  if (calls === undefined || typeof input !== "object" || input === null) return undefined;
  return "channelId" in input ? { name: `${path}${ofChannel}${String(input.channelId)}`, calls } : undefined;
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

const usualAgent = "castellan-client";

/** Nothing was sent, so the outcome says nothing about the service. */
const notSent = new Error("not sent");

/** Calls any endpoint over HTTP; returns or throws the same as an in-process call. */
export function createCaller({ timeouts, ...options }: CallerOptions): Caller {
  const { clock = systemClock, log = noLines } = options;
  const transport: Omit<Transport, "signal" | "answerLimit"> = {
    fetch: options.fetch ?? globalThis.fetch,
    random: options.random ?? Math.random,
    clock,
    log,
    timeouts: { ...usualTimeouts, ...timeouts },
  };
  const readers = new Map<Endpoint, ReturnType<typeof createResultReader>>();

  const reported = new Set<string>();
  /** Lists are read repeatedly, so each problem is logged only once. */
  const reportOnce = (endpoint: Endpoint) => (unreadable: UnreadableEvent) => {
    const { type, reason } = unreadable;
    const key = `${endpoint.path} ${type} ${reason}`;
    if (reported.has(key) || reported.size > maxReports) return;
    reported.add(key);
    log.warn({ path: endpoint.path, list: type, reason }, "skipped an unreadable row");
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
    const enter = createGate(options, endpoint, address, signal, callOptions?.by, input);
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

/** Each attempt has to pass its service's breaker, then its route's budget. Its outcome is reported. */
function createGate(
  { breakers, budget, purpose, clock = systemClock, log = noLines }: Omit<CallerOptions, "timeouts">,
  endpoint: Endpoint,
  address: string,
  signal: AbortSignal | undefined,
  by: Requester | undefined,
  input: unknown,
) {
  const own = endpoint.interface === "client" ? budget : undefined;
  const upstream = endpoint.interface === "hub" ? address : endpoint.interface;
  const route = routeName(endpoint);
  const channelLimit = channelLimitOf(endpoint, input);
  return async () => {
    const leave = breakers?.enter(upstream, purpose === undefined);
    let countedFor: string | undefined;
    try {
      countedFor = await own?.take(route, purpose, signal, by, channelLimit);
    } catch (error) {
      leave?.(notSent);
      throw error;
    }
    const began = clock.monotonic();
    return (thrown?: unknown) => {
      const seconds = (clock.monotonic() - began) / 1000;
      // An address may contain a key.
      const host = endpoint.interface === "hub" ? new URL(address).host : upstream;
      report("castellan:network.called", { upstream: host, route, result: resultOf(thrown), seconds });
      leave?.(thrown);
      const { status, retryAfter } = asAppError(thrown) ?? {};
      if (status === 429)
        own?.noteRefusal(route, retryAfter, countedFor, channelLimit).catch((error: unknown) => {
          log.warn({ err: error, route }, "could not store that the network refused a call");
        });
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

/** A larger page of events is requested in halves, because parsing it would block everything else. */
const eventsLimit = 4 * 2 ** 20;

function limitOf(endpoint: Endpoint, usual: number): number {
  if (endpoint === channels.all) return 4 * usual;
  return endpoint === hub.events ? Math.min(usual, eventsLimit) : usual;
}

function joinSignals(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

/** The HTTP request for an endpoint: only its declared fields are sent, in the path, then in the query or body. */
export function buildRequest(endpoint: Endpoint, address: string, input: unknown): HttpRequest {
  const fields = selectFields(endpoint, input);
  const path = (endpoint.clientPath ?? endpoint.path).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = fields.get(name);
    fields.delete(name);
    // Encoded through bytes, because an unpaired surrogate cannot be encoded.
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
