// @ts-nocheck
import type { Answer, RestRequest } from "./exchange.ts";

interface Fault {
  method: string;
  path: RegExp;
  answer: (request: RestRequest) => Answer | undefined;
  left: number;
}

export interface ForcedLimit {
  /** Seconds that the client is told to wait. */
  retryAfter: number;
  global?: boolean;
}

/** Answers that a test puts in the place of the real ones. */
export interface Faults {
  /** The next `times` requests get this answer; a function may decline by giving undefined. */
  add: (method: string, path: RegExp, answer: Answer | Fault["answer"], times?: number) => void;
  rateLimit: (method: string, path: RegExp, limit: ForcedLimit, times?: number) => void;
  take: (request: RestRequest) => Answer | undefined;
  clear: () => void;
}

export function createFaults(): Faults {
  let faults: Fault[] = [];
  const add: Faults["add"] = (method, path, answer, times = 1) => {
    faults.push({ method, path, answer: typeof answer === "function" ? answer : () => answer, left: times });
  };
  return {
    add,
    rateLimit: (method, path, limit, times) => add(method, path, limitAnswer(limit), times),
    take(request) {
      const fault = faults.find(
        (candidate) => candidate.method === request.method && candidate.path.test(request.path),
      );
      const answer = fault?.answer(request);
      if (fault && answer && --fault.left <= 0) faults = faults.filter((other) => other !== fault);
      return answer;
    },
    clear() {
      faults = [];
    },
  };
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
