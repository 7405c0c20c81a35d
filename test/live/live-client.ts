/**
 * A double of the live network's client API, written from its client's own declarations and what is known of its ways, not from
 * ours: milliseconds, its own words for refusals, follow-then-accept, 16,450 channels, limits for each route, events of all
 * channels that may be there or not; and whatever goes wrong with a service on the way.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { LiveChannels, type Row } from "./live-channels.ts";

type Json = Record<string, unknown>;

/** What goes wrong from now on. */
export type Fault =
  | { what: "slow"; milliseconds: number }
  /** An answer that ends in its middle. */
  | { what: "half" }
  | { what: "status"; status: number; retryAfter?: number; body?: unknown }
  | { what: "html" }
  | { what: "hang" }
  | { what: "drop" }
  /** A row with a role, action or type of tomorrow in each list. */
  | { what: "unknown values" };

export interface LiveClient {
  url: string;
  channels: LiveChannels;
  /** What was asked, in order: "GET /fc/channel-bans", with query and headers. */
  requests: { route: string; query: URLSearchParams; headers: IncomingMessage["headers"]; at: number }[];
  /** For a path, or for all ("*"); several times in a row where `times` says so. */
  fail(path: string, fault: Fault | undefined, times?: number): void;
  /** Calls that were refused for being one too many. */
  refused: number;
  /** Calls in ten seconds and in an hour to one route. */
  limits: { burst: number; hour: number; events: number };
  /** Whether `GET /fc/channel-events` is there. */
  servesEvents: boolean;
  close(): Promise<void>;
}

/** `now` in UNIX milliseconds; `count` of channels, of which the live network has 16,450. */
export async function startLiveClient(now: () => number, count?: number): Promise<LiveClient> {
  const channels = new LiveChannels(now, count);
  const faults = new Map<string, { fault: Fault; left: number }>();
  const calls = new Map<string, number[]>();
  const client: LiveClient = {
    url: "",
    channels,
    requests: [],
    refused: 0,
    limits: { burst: 20, hour: 500, events: 1000 },
    servesEvents: true,
    fail(path, fault, times = Infinity) {
      if (fault) faults.set(path, { fault, left: times });
      else faults.delete(path);
    },
    close: () => close(server),
  };

  const takeFault = (path: string): Fault | undefined => {
    for (const key of [path, "*"]) {
      const found = faults.get(key);
      if (!found) continue;
      found.left -= 1;
      if (found.left <= 0) faults.delete(key);
      return found.fault;
    }
    return undefined;
  };

  /** Seconds to wait; undefined for a call within the limits. A refused one counts for none. */
  const findLimit = (route: string): number | undefined => {
    const second = now() / 1000;
    const own = (calls.get(route) ?? []).filter((at) => at > second - 3600);
    calls.set(route, own);
    const hour = route.endsWith("/channel-events") ? client.limits.events : client.limits.hour;
    if (own.length >= hour) return Math.ceil((own[own.length - hour] ?? 0) + 3600 - second);
    const recent = own.filter((at) => at > second - 10);
    if (recent.length >= client.limits.burst) return Math.ceil((recent[0] ?? 0) + 10 - second);
    own.push(second);
    return undefined;
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? "", "http://api");
    const route = `${request.method} ${pathname}`;
    client.requests.push({ route, query, headers: request.headers, at: now() });
    const body = await readBody(request);
    const fault = takeFault(pathname);
    if (fault?.what === "slow") await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
    if (fault?.what === "hang") return;
    if (fault?.what === "drop") return void request.socket.destroy();
    if (fault?.what === "html") {
      return void response
        .writeHead(200, { "content-type": "text/html" })
        .end("<!doctype html><h1>Sign in</h1>");
    }
    if (fault?.what === "status") {
      const { status, retryAfter } = fault;
      return send(response, status, fault.body ?? refusal("Something went wrong"), retryAfter);
    }
    const wait = findLimit(route);
    if (wait !== undefined) {
      client.refused += 1;
      return send(response, 429, refusal("Too many requests"), wait);
    }
    if (pathname === "/fc/channel-events" && !client.servesEvents)
      return send(response, 404, refusal("Not found"));
    const fid = readCaller(request);
    const { status, json } = channels.answer(route, query, body, fid);
    const answer = fault?.what === "unknown values" ? withTomorrow(json) : json;
    if (fault?.what === "half") {
      const text = JSON.stringify(answer);
      response.writeHead(status, { "content-type": "application/json", "content-length": text.length });
      response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
      return;
    }
    send(response, status, answer);
  }

  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an address of this kind.
  client.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function send(response: ServerResponse, status: number, json: unknown, retryAfter?: number): void {
    const headers = {
      "content-type": "application/json; charset=utf-8",
      date: new Date(now()).toUTCString(),
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    };
    response.writeHead(status, headers).end(JSON.stringify(json));
  }
  return client;
}

function refusal(message: string): Json {
  return { errors: [{ message }] };
}

/** The fid that the bearer token names; whether it is signed is not looked at here. */
function readCaller(request: IncomingMessage): number | undefined {
  const token = /^Bearer ([^.]+)\./.exec(request.headers.authorization ?? "")?.[1];
  if (token === undefined) return undefined;
  const { fid } = JSON.parse(Buffer.from(token, "base64url").toString()) as { fid?: number };
  return fid;
}

async function readBody(request: IncomingMessage): Promise<Json> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text === "" ? {} : (JSON.parse(text) as Json);
}

/** The same answer with a row more in each list, as a later version of the service may give it. */
function withTomorrow(json: Json): Json {
  const result = json["result"] as Record<string, unknown>;
  const lists = Object.entries(result).map(([name, value]) => {
    if (!Array.isArray(value) || value.length === 0) return [name, value];
    const row = {
      ...(value[0] as Row),
      role: "guardian",
      action: "blur",
      type: "channel-renamed",
      state: "new",
    };
    return [name, [...(value as Row[]), { ...row, fid: "many" }]];
  });
  return { ...json, result: Object.fromEntries(lists) as Json };
}

function close(server: ReturnType<typeof createServer>): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
