import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../../src/clock.ts";
import type { UploadedFile } from "../../src/sandbox/discord/rest/exchange.ts";
import { pathOf } from "../../src/sandbox/discord/rest/rest-api.ts";
import type { Listeners } from "../../src/sandbox/discord/state.ts";

/** A request from the bot. */
export interface RestRequest {
  method: string;
  /** Path below /api/v10 or /api/v9. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
  files: UploadedFile[];
}

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Exchange extends RestRequest {
  /** Milliseconds since 1970. */
  at: number;
  answer: Answer;
}

interface PlannedFault {
  method: string;
  path: RegExp;
  fault: (request: RestRequest) => Answer | undefined;
  left: number;
}

export interface Refusal {
  status: number;
  /** Discord's JSON error code. */
  code?: number;
  message?: string;
}

export interface ForcedLimit {
  /** Seconds that the client is told to wait. */
  retryAfter: number;
  global?: boolean;
}

/** Responses that a test substitutes for the real ones. Each method returns a function that removes the fault. */
export interface Faults {
  /** Applies to the next `times` requests; a function can decline with undefined. A path is "/channels/:room/messages". */
  add: (
    method: string,
    path: RegExp | string,
    fault: Answer | PlannedFault["fault"],
    times?: number,
  ) => () => void;
  /** Refuses with a status and Discord's code, until removed or for `times` requests. */
  refuse: (method: string, path: RegExp | string, refusal: Refusal, times?: number) => () => void;
  rateLimit: (method: string, path: RegExp | string, limit: ForcedLimit, times?: number) => () => void;
  take: (request: RestRequest) => Answer | undefined;
  clear: () => void;
}

export function createFaults(): Faults {
  let planned: PlannedFault[] = [];
  const lift = (one: PlannedFault) => void (planned = planned.filter((other) => other !== one));
  const add: Faults["add"] = (method, path, fault, times = 1) => {
    const one: PlannedFault = {
      method,
      path: typeof path === "string" ? pathPattern(path) : path,
      fault: typeof fault === "function" ? fault : () => fault,
      left: times,
    };
    planned.push(one);
    return () => lift(one);
  };
  return {
    add,
    refuse: (method, path, refusal, times = Infinity) => add(method, path, refusalAnswer(refusal), times),
    rateLimit: (method, path, limit, times) => add(method, path, limitAnswer(limit), times),
    take(request) {
      for (const one of planned) {
        const fault =
          one.method === request.method && one.path.test(request.path) ? one.fault(request) : undefined;
        if (fault === undefined) continue;
        if (--one.left <= 0) lift(one);
        return fault;
      }
      return undefined;
    },
    clear() {
      planned = [];
    },
  };
}

function refusalAnswer({ status, code = 0, message = `Refused with ${status}` }: Refusal): Answer {
  return { status, body: { message, code } };
}

function limitAnswer({ retryAfter, global = false }: ForcedLimit): Answer {
  return {
    status: 429,
    body: { message: "You are being rate limited.", retry_after: retryAfter, global },
    headers: {
      "retry-after": String(Math.ceil(retryAfter)),
      "x-ratelimit-scope": global ? "global" : "user",
      ...(global ? { "x-ratelimit-global": "true" } : { "x-ratelimit-reset-after": String(retryAfter) }),
    },
  };
}

/** Matches paths such as "/channels/:room/messages" with any ids. */
function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`);
}

/** Gives the bot's requests these faults before the real responses, and reports each request with its response. */
export function interceptRest(
  api: FastifyInstance,
  faults: Faults,
  exchanged: Listeners<Exchange>,
  clock: Clock,
) {
  api.addHook("preHandler", async (request, reply) => {
    const fault = faults.take(describeRequest(request));
    if (!fault) return undefined;
    reply.code(fault.status).headers({ "content-type": "application/json", ...fault.headers });
    return reply.send(fault.body === undefined ? undefined : JSON.stringify(fault.body));
  });
  api.addHook("onSend", async (request, reply, payload) => {
    const body: unknown = typeof payload === "string" ? JSON.parse(payload) : undefined;
    const answer = { status: reply.statusCode, body };
    exchanged.emit({ ...describeRequest(request), at: clock.now(), answer });
    return payload;
  });
}

function describeRequest(request: FastifyRequest): RestRequest {
  const { method, headers, body, files } = request;
  return { method, path: pathOf(request), headers, body, files };
}
