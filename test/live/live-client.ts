/**
 * A double of the live network's client API, written from its client's own declarations and what is known of its ways, not from
 * ours: milliseconds, its own words for refusals, follow-then-accept, 16,450 channels, limits for each route, events of all
 * channels that may be there or not; and whatever goes wrong with a service on the way.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LiveChannels } from "./live-channels.ts";
import { createFaults, misbehave, spoil, type Faults } from "./live-faults.ts";
import { readToken, type LiveKeys } from "./live-keys.ts";
import { readBody, Refused, serve, type Json } from "./live-server.ts";

/** A call that asked the service for a change, and what it did. */
export interface Write {
  route: string;
  body: Json;
  fid: number | undefined;
  status: number;
  /** When it came, and when it was done: places in the order of all that came and was done. */
  arrived: number;
  performed: number;
  /** UNIX milliseconds. */
  at: number;
  /** Something is other than it was. */
  changed: boolean;
}

export interface LiveClient {
  url: string;
  channels: LiveChannels;
  /** What was asked, in order: "GET /fc/channel-bans", with query and headers. */
  requests: { route: string; query: URLSearchParams; headers: IncomingMessage["headers"]; at: number }[];
  /** What was asked for that changes something, in order, with what it came to. */
  writes: Write[];
  fail: Faults["fail"];
  /** Calls that were refused for being one too many; and to which routes. */
  refused: number;
  refusals: string[];
  /** Calls in ten seconds and in an hour to one route. */
  limits: { burst: number; hour: number; events: number };
  /** Whether `GET /fc/channel-events` is there. */
  servesEvents: boolean;
  close(): Promise<void>;
}

/**
 * `now` in UNIX milliseconds; `count` of channels, of which the live network has 16,450. Without `keys` whatever a token says is
 * believed.
 */
export async function startLiveClient(
  now: () => number,
  count?: number,
  keys?: LiveKeys,
): Promise<LiveClient> {
  const channels = new LiveChannels(now, count);
  const faults = createFaults();
  let moment = 0;
  const limiter = createLimiter(now, () => client.limits);
  const server = await serve(respond);
  const client: LiveClient = {
    ...server,
    channels,
    requests: [],
    writes: [],
    refused: 0,
    refusals: [],
    limits: { burst: 20, hour: 500, events: 1000 },
    servesEvents: true,
    fail: faults.fail,
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? "", "http://api");
    const route = `${request.method} ${pathname}`;
    client.requests.push({ route, query, headers: request.headers, at: now() });
    const body = await readBody(request);
    const send = (status: number, json: unknown, retryAfter?: number) => {
      const headers = {
        "content-type": "application/json; charset=utf-8",
        date: new Date(now()).toUTCString(),
        ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
      };
      response.writeHead(status, headers).end(JSON.stringify(json));
    };
    const fault = faults.take(pathname);
    const arrived = ++moment;
    if (await misbehave(fault, request, response, send)) return;
    const wait = limiter(route);
    if (wait !== undefined) {
      client.refused += 1;
      client.refusals.push(route);
      return send(429, refusal("Too many requests"), wait);
    }
    if (pathname === "/fc/channel-events" && !client.servesEvents) return send(404, refusal("Not found"));
    const { authorization } = request.headers;
    const fid = () => (keys ? keys.authenticate(authorization) : readToken(authorization)?.fid);
    const before = channels.changes;
    const answer = answerWith(
      () => keys?.answer(route, query, body) ?? channels.answer(route, query, body, fid()),
    );
    if (request.method !== "GET") {
      const by = { route, body, fid: readToken(authorization)?.fid, status: answer.status };
      const done = { arrived, performed: ++moment, at: now(), changed: channels.changes > before };
      client.writes.push({ ...by, ...done });
    }
    spoil(fault, answer, { request, response, send });
  }
  return client;
}

function answerWith(answer: () => Json): { status: number; json: Json } {
  try {
    return { status: 200, json: answer() };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { status: error.status, json: refusal(error.message, error.reason) };
  }
}

/** Seconds to wait; undefined for a call within the limits. A refused one counts for none. */
function createLimiter(now: () => number, limits: () => LiveClient["limits"]) {
  const calls = new Map<string, number[]>();
  return (route: string): number | undefined => {
    const second = now() / 1000;
    const own = (calls.get(route) ?? []).filter((at) => at > second - 3600);
    calls.set(route, own);
    const { burst, hour: usual, events } = limits();
    const hour = route.endsWith("/channel-events") ? events : usual;
    if (own.length >= hour) return Math.ceil((own[own.length - hour] ?? 0) + 3600 - second);
    const recent = own.filter((at) => at > second - 10);
    if (recent.length >= burst) return Math.ceil((recent[0] ?? 0) + 10 - second);
    own.push(second);
    return undefined;
  };
}

function refusal(message: string, reason?: string): Json {
  return { errors: [{ message, ...(reason !== undefined && { reason }) }] };
}
