import type { IncomingMessage, ServerResponse } from "node:http";
import type { Json } from "./live-server.ts";

/** What goes wrong with a service from now on. */
export type Fault =
  | { what: "slow"; milliseconds: number }
  /** An answer that ends in its middle. */
  | { what: "half" }
  /** What was asked for is done, and the connection ends without an answer. */
  | { what: "lost" }
  /** `performed`: what was asked for is done all the same, as behind a gateway that waits no longer. */
  | { what: "status"; status: number; retryAfter?: number; body?: unknown; performed?: boolean }
  | { what: "html" }
  | { what: "hang" }
  | { what: "drop" }
  /** A row with a role, action or type of tomorrow in each list. */
  | { what: "unknown values" };

export interface Faults {
  /** For a path, or for all ("*"); several times in a row where `times` says so. */
  fail: (path: string, fault: Fault | undefined, times?: number) => void;
  /** What goes wrong with this request, if anything does. */
  take: (path: string) => Fault | undefined;
}

export function createFaults(): Faults {
  const faults = new Map<string, { fault: Fault; left: number }>();
  return {
    fail(path, fault, times = Infinity) {
      if (fault) faults.set(path, { fault, left: times });
      else faults.delete(path);
    },
    take(path) {
      for (const key of [path, "*"]) {
        const found = faults.get(key);
        if (!found) continue;
        found.left -= 1;
        if (found.left <= 0) faults.delete(key);
        return found.fault;
      }
      return undefined;
    },
  };
}

/** How an answer leaves a service: its status, and what comes with it. */
export type Send = (status: number, json: unknown, retryAfter?: number) => void;

/** Does what is wrong in the place of an answer; false where there is to be one all the same. */
export async function misbehave(
  fault: Fault | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  send: Send,
): Promise<boolean> {
  switch (fault?.what) {
    case "slow":
      await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
      return false;
    case "hang":
      return true;
    case "drop":
      request.socket.destroy();
      return true;
    case "html":
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<!doctype html><title>Welcome</title><h1>Sign in</h1>");
      return true;
    case "status":
      if (fault.performed) return false;
      sendFailure(fault, send);
      return true;
    default:
      return false;
  }
}

function sendFailure({ status, body, retryAfter }: Extract<Fault, { what: "status" }>, send: Send): void {
  send(status, body ?? { errors: [{ message: "Something went wrong" }] }, retryAfter);
}

/** Sends the answer with what is wrong with it. */
export function spoil(
  fault: Fault | undefined,
  { status, json }: { status: number; json: Json },
  { request, response, send }: { request: IncomingMessage; response: ServerResponse; send: Send },
): void {
  if (fault?.what === "lost") return void request.socket.destroy();
  if (fault?.what === "status") return sendFailure(fault, send);
  const answer = fault?.what === "unknown values" ? withTomorrow(json) : json;
  if (fault?.what !== "half") return send(status, answer);
  const text = JSON.stringify(answer);
  response.writeHead(status, { "content-type": "application/json", "content-length": text.length });
  response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
}

/** The same answer with a row more in each list, as a later version of the service may give it. */
function withTomorrow(json: Json): Json {
  const result = json["result"] as Json;
  const lists = Object.entries(result).map(([name, value]) => {
    if (!Array.isArray(value) || value.length === 0) return [name, value];
    const rows = value as Json[];
    const unknown = { role: "guardian", action: "blur", type: "channel-renamed", state: "new" };
    const row = { ...rows[0], ...unknown, eventId: "tomorrow" };
    return [name, [...rows, { ...row, fid: "many" }]];
  });
  return { ...json, result: Object.fromEntries(lists) as Json };
}
