import type { Answer, RestRequest } from "./exchange.ts";

/**
 * What a request gets instead of its real answer: another answer; "hang", none at all; "drop", a connection closed before
 * anything is done; "lose", one closed afterwards, so that only the answer is lost.
 */
export type Fault = Answer | "hang" | "drop" | "lose";

interface PlannedFault {
  method: string;
  path: RegExp;
  fault: (request: RestRequest) => Fault | undefined;
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

/** Answers that a test puts in place of the real ones. Each method returns a function that lifts the fault again. */
export interface Faults {
  /** The next `times` requests get this; a function may decline with undefined. A path is "/channels/:room/messages". */
  add: (
    method: string,
    path: RegExp | string,
    fault: Fault | PlannedFault["fault"],
    times?: number,
  ) => () => void;
  /** Refuses with a status and Discord's code, hangs, or closes the connection: until lifted, unless `times` is given. */
  refuse: (
    method: string,
    path: RegExp | string,
    refusal: Refusal | "hang" | "drop" | "lose",
    times?: number,
  ) => () => void;
  rateLimit: (method: string, path: RegExp | string, limit: ForcedLimit, times?: number) => () => void;
  take: (request: RestRequest) => Fault | undefined;
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
    refuse: (method, path, refusal, times = Infinity) =>
      add(method, path, typeof refusal === "string" ? refusal : refusalAnswer(refusal), times),
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

/** What fits "/channels/:room/messages", whatever the ids are. */
function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`);
}
