import type { CallOptions, Endpoint } from "../contract/endpoint.ts";
import { systemClock, type Clock } from "../clock.ts";
import { hub } from "../contract/hub.ts";
import { asAppError, isOfService } from "../errors.ts";
import { noLines, type LogLines } from "../log-lines.ts";
import type { Caller, Route } from "./create-caller.ts";
import { readAddress } from "./read-address.ts";

/** A service with its own headers. */
export interface Upstream {
  address: string;
  headers?: Readonly<Record<string, string>>;
}

interface HubOptions {
  hubUrl: string | readonly Upstream[];
  hubShard?: number | undefined;
  log?: LogLines | undefined;
  clock?: Clock | undefined;
}

/** Milliseconds until the first of several hubs is tried again after another took over. */
const firstAgainAfter = 5 * 60_000;

/**
 * Calls the hub that responded last, and the others if it fails or its response is not good enough: nodes of one
 * network give the same events the same ids. `isOfService` says which failures another hub may not have. Each hub is called once, because the next is the retry. Throws the first error.
 */
export function createHubCaller(
  call: Caller,
  { hubUrl, hubShard, log = noLines, clock = systemClock }: HubOptions,
) {
  const given = typeof hubUrl === "string" ? [{ address: hubUrl }] : hubUrl;
  const hubs: Route[] = given.map(({ address, headers }) => ({
    address: readAddress(address),
    ...(headers && { headers }),
  }));
  const [preferred] = hubs;
  let current = preferred;
  let leftAt = -Infinity;

  const choose = (next: Route, why: unknown) => {
    if (next === current) return;
    log.warn({ hub: next.address, err: why }, "switched to another hub");
    current = next;
    leftAt = clock.monotonic();
  };
  const inTurn = (): Route[] => {
    const first = clock.monotonic() - leftAt >= firstAgainAfter ? preferred : current;
    if (first === preferred) leftAt = clock.monotonic();
    return [...new Set([first, current, ...hubs])].filter((each) => each !== undefined);
  };

  return async (endpoint: Endpoint, input: unknown, callOptions: CallOptions = {}): Promise<unknown> => {
    const complete = hubShard === undefined ? input : Object.assign({ shard_index: hubShard }, input);
    const own = hubs.length > 1 ? { ...callOptions, attempts: callOptions.attempts ?? 1 } : callOptions;
    const failures: unknown[] = [];
    let poor: { from: Route; answer: unknown } | undefined;
    for (const route of inTurn()) {
      try {
        const answer = await call(endpoint, route, complete, own);
        if (callOptions.accepts?.(answer) !== false) {
          choose(route, failures[0] ?? "the previous hub lags behind");
          return answer;
        }
        poor ??= { from: route, answer };
      } catch (error) {
        failures.push(error);
        if (callOptions.signal?.aborted || !mayAnotherAnswer(endpoint, error)) break;
      }
    }
    if (!poor) throw failures[0];
    choose(poor.from, failures[0]);
    return poor.answer;
  };
}

/** Whether another hub may succeed. A server without these two routes is not a hub. */
function mayAnotherAnswer(endpoint: Endpoint, error: unknown): boolean {
  const isNoHub = (endpoint === hub.info || endpoint === hub.events) && asAppError(error)?.status === 404;
  return isNoHub || isOfService(error);
}
