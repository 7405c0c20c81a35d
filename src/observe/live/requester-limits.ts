import { LRUCache } from "lru-cache";
import type { Clock } from "../../clock.ts";
import type { Requester } from "../../contract/endpoint.ts";
import { AppError } from "../../errors.ts";
import { limitsOf, type CallLimits } from "./call-limits.ts";

/** This many calls in this many seconds. */
interface Window {
  calls: number;
  seconds: number;
}

/** For one person without rights in the server, and for all such people in one server. */
const visitors: readonly Window[] = [
  { calls: 10, seconds: 60 },
  { calls: 100, seconds: 3600 },
];
const visitorsOfServer: readonly Window[] = [
  { calls: 30, seconds: 60 },
  { calls: 200, seconds: 3600 },
];
/** The share of a route's limits that the users of one server may take. */
const partOfServer = 2 / 3;

const maxKnown = 10_000;
const lifetime = 60_000;
const staffLifetime = 86_400_000;

/** What one process remembers about the people it calls the live network for, and the responses they got. */
export interface RequesterLimits {
  /** Throws `rate_limited` if this user without rights, or all such users of the server, made too many requests. */
  admitVisitor(requester: Requester): void;
  /** Milliseconds until this server's users may send another request; 0 counts a call. */
  admitServer(guildId: string, route: string): number;
  /** A response at most a minute old, even if empty; errors thrown by `load` are forgotten. A key always has one type. */
  recall<T>(key: string, load: () => Promise<T>): Promise<T>;
  /** Remembers that the network lists this member of the server as a channel's staff. */
  noteStaff(guildId: string, userId: string): void;
  isStaff(guildId: string, userId: string): boolean;
}

export function createRequesterLimits(clock: Clock, limits: CallLimits): RequesterLimits {
  const calls = new LRUCache<string, number[]>({ max: maxKnown });
  const answers = new LRUCache<string, { until: number; value: Promise<unknown> }>({ max: maxKnown });
  const staff = new LRUCache<string, number>({ max: maxKnown });

  /** Milliseconds until there is room in all windows. */
  const waitFor = (key: string, windows: readonly Window[]): number => {
    const now = clock.monotonic();
    const own = calls.get(key) ?? [];
    const waits = windows.map(({ calls: most, seconds }) => {
      const oldest = own.at(-most);
      return oldest === undefined ? 0 : Math.max(0, oldest + seconds * 1000 - now);
    });
    return Math.max(...waits);
  };
  const count = (key: string, windows: readonly Window[]) => {
    const most = Math.max(...windows.map((window) => window.calls));
    calls.set(key, [...(calls.get(key) ?? []), clock.monotonic()].slice(-most));
  };

  return {
    admitVisitor({ guildId, userId = "" }) {
      const [person, server] = [`person ${userId}`, `visitors ${guildId}`];
      const wait = Math.max(waitFor(person, visitors), waitFor(server, visitorsOfServer));
      if (wait > 0) throw tooOften(wait);
      count(person, visitors);
      count(server, visitorsOfServer);
    },
    admitServer(guildId, route) {
      const { burst, hour } = limitsOf(limits, route);
      const windows = [
        { calls: Math.ceil(burst * partOfServer), seconds: 10 },
        { calls: Math.ceil(hour * partOfServer), seconds: 3600 },
      ];
      const key = `server ${guildId} ${route}`;
      const wait = waitFor(key, windows);
      if (wait === 0) count(key, windows);
      return wait;
    },
    recall<T>(key: string, load: () => Promise<T>): Promise<T> {
      const now = clock.monotonic();
      const known = answers.get(key);
      // Stored by a load for the same key.
      if (known && now < known.until) return known.value as Promise<T>;
      const value = load();
      const entry = { until: now + lifetime, value };
      answers.set(key, entry);
      value.catch(() => void (answers.get(key) === entry && answers.delete(key)));
      return value;
    },
    noteStaff: (guildId, userId) => void staff.set(`${guildId} ${userId}`, clock.monotonic()),
    isStaff(guildId, userId) {
      const since = staff.get(`${guildId} ${userId}`);
      return since !== undefined && clock.monotonic() - since < staffLifetime;
    },
  };
}

function tooOften(wait: number): AppError {
  const retryAfter = Math.ceil(wait / 1000);
  const message = `Too many requests. Only moderators may send more. Try again in ${retryAfter} s.`;
  return new AppError("rate_limited", message, { status: 429, retryAfter });
}
