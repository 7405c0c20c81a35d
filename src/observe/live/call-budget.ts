import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Requester } from "../../contract/endpoint.ts";
import type { LiveCalls } from "../../contract/channel-events.ts";
import type { Network } from "../../contract/index.ts";
import type { Database } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import type { BotKey } from "./bot-key.ts";
import type { Witnesses } from "./witnesses.ts";
import {
  failAtOnce,
  limitsOf,
  roomFor,
  routesOfAll,
  visitorsPurpose,
  type CallLimits,
} from "./call-limits.ts";
import { createRequesterLimits, type RequesterLimits } from "./requester-limits.ts";
import type { ReadingPlan } from "./plan-reading.ts";

/** How many calls went out to a route within the last hour, by what they were for; "" is what people waited for. */
export interface RouteUse {
  route: string;
  calls: number;
  limit: number;
  byPurpose: Record<string, number>;
  /** UNIX milliseconds until which the network wants to be left alone; null where it does not. */
  restsUntil: number | null;
}

export interface LiveBudget {
  limits: CallLimits;
  /** Gives what it was counted for. `by` is who waits for it. */
  take(
    route: string,
    purpose: string | undefined,
    signal: AbortSignal | undefined,
    by?: Requester,
  ): Promise<string | undefined>;
  /** Whether a call for this purpose waits for a limit, or is told at once how long that lasts. */
  waits(purpose: string | undefined): boolean;
  /** So many calls an hour of each route that tells of all channels are left to the news by all other background tasks. */
  keepForNews(calls: number): void;
  noteRefusal(route: string, seconds: number | undefined, purpose?: string): Promise<void>;
  /** Those on whose behalf it is asked. */
  askers: RequesterLimits;
  /** Routes with calls in the last hour, the most used first. */
  readUse(): Promise<RouteUse[]>;
}

/** What background calls are for that read the news of all channels. */
export const newsPurpose = "changes";

/** What the bot has of a network that is not in its process: there each call costs something. */
export interface LiveReading {
  /** The network as a background task asks it: within the budget, and behind whatever people wait for. */
  background(purpose: string): Network & LiveCalls;
  budget: LiveBudget;
  /** With which the bot acts there. Absent where somebody only reads. */
  key?: BotKey;
  witnesses: Witnesses;
  /**
   * What this process found to be the plan, until when it holds (`monotonic()`), and when which channel was last one of the busy ones
   * (UNIX milliseconds).
   */
  latest?: { plan: ReadingPlan; until: number; busyAtMs: ReadonlyMap<string, number> };
}

export interface BudgetOptions {
  database: Pick<Database, "query">;
  clock: Clock;
  limits: CallLimits;
  /** Waits for so many milliseconds. */
  pause?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>;
}

/** Seconds that the two limits of a route look back; calls are noted by the second, of which the first counts whole. */
const windows = { burst: 10, hour: 3600 };
/** Seconds: after a refusal that does not say when to come back; and the longest that one is believed. */
const rests = { usual: 10, longest: 3600 };
/**
 * A background call waits for room so long at most, a person for the end of a route's rest, and for the turn of their server.
 * Milliseconds.
 */
const maxWaitMs = { background: 30_000, people: 8_000, server: 12_000 };

function maxWaitFor(purpose: string | undefined): number {
  if (purpose === undefined) return maxWaitMs.people;
  return failAtOnce.has(purpose) ? 0 : maxWaitMs.background;
}

/**
 * Counts the calls to each route of the client API in the database, so that all processes of an installation keep within the
 * same limits, also after a restart. What people wait for is counted and goes out; background tasks leave room for it.
 * Of processes that take at the same moment, each may take the last place.
 */
export function createCallBudget(options: BudgetOptions): LiveBudget {
  const { database, clock, limits } = options;
  const pause =
    options.pause ??
    ((milliseconds, signal) => sleep(milliseconds, undefined, signal ? { signal } : {}).catch(() => {}));

  let keptForNews = 0;

  const askers = createRequesterLimits(clock, limits);

  /** What a call is counted for; who has no rights is counted, and may be refused. */
  async function admit(purpose: string | undefined, by: Requester | undefined): Promise<string | undefined> {
    if (purpose !== undefined || !by || (await by.hasRights())) return purpose;
    askers.admitVisitor(by);
    return visitorsPurpose;
  }

  async function take(
    route: string,
    given: string | undefined,
    signal: AbortSignal | undefined,
    by?: Requester,
  ): Promise<string | undefined> {
    const purpose = await admit(given, by);
    for (let waited = 0; ;) {
      const full = by && purpose === undefined ? askers.admitServer(by.guildId, route) : 0;
      const admission =
        full > 0 ? { ...notTaken, waitMs: full, isServers: true } : await tryToTake(route, purpose);
      if (admission.taken) return purpose;
      const wait = Math.max(500, admission.waitMs);
      const longest = admission.isServers ? maxWaitMs.server : maxWaitFor(purpose);
      if (signal?.aborted || waited + wait > longest) throw describeRefusal(route, admission, wait);
      await pause(wait, signal);
      waited += wait;
    }
  }

  async function tryToTake(route: string, purpose: string | undefined): Promise<Admission> {
    const nowMs = clock.now();
    const now = Math.floor(nowMs / 1000);
    const own = purpose ?? "";
    const room = roomFor(limits, route, purpose);
    // What moderators wait for is tried until it was itself refused.
    const rest = sql.ref(purpose === undefined ? "people_until_ms" : "until_ms");
    const leavesToNews = purpose !== undefined && purpose !== newsPurpose && routesOfAll.includes(route);
    const kept = leavesToNews ? keptForNews : 0;
    // What a clock that was ahead wrote of the future is no call of this hour.
    const { rows } = await sql<{
      burst: number;
      own_burst: number;
      oldest_of_burst: number;
      hour: number;
      own_hour: number;
      oldest: number;
      rests_until: number;
      taken: boolean;
    }>`
      with used as (
        select coalesce(sum(calls) filter (where second >= ${now - windows.burst}), 0)::int as burst,
          coalesce(sum(calls) filter (where second >= ${now - windows.burst} and purpose = ${own}), 0)::int as own_burst,
          coalesce(sum(calls) filter (where purpose = ${own}), 0)::int as own_hour,
          coalesce(sum(calls), 0)::int
            + greatest(0, ${kept} - coalesce(sum(calls) filter (where purpose = ${newsPurpose}), 0))::int as hour,
          coalesce(min(second), ${now})::bigint as oldest,
          coalesce(min(second) filter (where second >= ${now - windows.burst}), ${now})::bigint as oldest_of_burst,
          coalesce((select ${rest} from castellan.route_backoffs where route = ${route}), 0)::bigint as rests_until
        from castellan.calls
        where route = ${route} and second >= ${now - windows.hour} and second <= ${now + windows.burst}
      ), taken as (
        insert into castellan.calls (route, second, purpose, calls)
        select ${route}, ${now}, ${own}, 1 from used
        where rests_until <= ${nowMs} and burst < ${asBound(room.all.burst)} and hour < ${asBound(room.all.hour)}
          and own_burst < ${asBound(room.own.burst)} and own_hour < ${asBound(room.own.hour)}
        on conflict (route, second, purpose) do update set calls = calls.calls + 1
        returning 1
      )
      select burst, own_burst, oldest_of_burst, hour, own_hour, oldest, rests_until, exists (select from taken) as taken from used
    `.execute(database.query);
    const [used] = rows;
    if (!used) throw new Error("an aggregate has one row");
    const restMs = Math.max(0, used.rests_until - nowMs);
    const isFull = used.hour >= room.all.hour || used.own_hour >= room.own.hour;
    const isBurst = used.burst >= room.all.burst || used.own_burst >= room.own.burst;
    const untilFree = Math.max(
      isFull ? used.oldest + windows.hour - now : 0,
      isBurst ? used.oldest_of_burst + windows.burst - now : 0,
    );
    const untilRoom = (untilFree + 1) * 1000;
    return {
      taken: used.taken,
      waitMs: Math.max(restMs, untilRoom),
      rest: restMs,
      isFull,
      limit: Math.min(room.all.hour, room.own.hour),
    };
  }

  async function noteRefusal(
    route: string,
    seconds: number | undefined = rests.usual,
    purpose?: string,
  ): Promise<void> {
    const until = clock.now() + Math.min(Math.max(seconds, 1), rests.longest) * 1000;
    const peopleUntil = purpose === undefined ? until : 0;
    await database.query
      .insertInto("castellan.route_backoffs")
      .values({ route, until_ms: until, people_until_ms: peopleUntil })
      .onConflict((conflict) =>
        conflict.column("route").doUpdateSet({
          until_ms: sql`greatest(route_backoffs.until_ms, ${until}::bigint)`,
          people_until_ms: sql`greatest(route_backoffs.people_until_ms, ${peopleUntil}::bigint)`,
        }),
      )
      .execute();
  }

  async function readUse(): Promise<RouteUse[]> {
    const nowMs = clock.now();
    const now = Math.floor(nowMs / 1000);
    const rows = await database.query
      .selectFrom("castellan.calls")
      .select(["route", "purpose", sql<number>`sum(calls)::int`.as("calls")])
      .where("second", ">", now - windows.hour)
      .where("second", "<=", now + windows.burst)
      .groupBy(["route", "purpose"])
      .execute();
    const resting = await database.query
      .selectFrom("castellan.route_backoffs")
      .selectAll()
      .where("until_ms", ">", nowMs)
      .execute();
    const routes = new Set([...rows, ...resting].map(({ route }) => route));
    const uses = [...routes].map((route): RouteUse => {
      const own = rows.filter((row) => row.route === route);
      const byPurpose = Object.fromEntries(own.map(({ purpose, calls }) => [purpose, calls]));
      return {
        route,
        calls: own.reduce((sum, { calls }) => sum + calls, 0),
        limit: limitsOf(limits, route).hour,
        byPurpose,
        restsUntil: resting.find((rest) => rest.route === route)?.until_ms ?? null,
      };
    });
    return uses.toSorted((one, other) => other.calls - one.calls || one.route.localeCompare(other.route));
  }

  const waits = (purpose: string | undefined) => purpose === undefined || !failAtOnce.has(purpose);
  const keepForNews = (calls: number) => {
    keptForNews = Math.ceil(calls);
  };
  return { limits, take, waits, noteRefusal, readUse, keepForNews, askers };
}

/** Whether a call may go out, and when to ask again where not. */
interface Admission {
  taken: boolean;
  waitMs: number;
  /** Milliseconds that the network asked for. */
  rest: number;
  isFull: boolean;
  limit: number;
  /** The people of the server alone have to wait. */
  isServers?: boolean;
}

const notTaken = { taken: false, rest: 0, isFull: false, limit: 0 };

/** Infinity is no number of the database. */
function asBound(calls: number): number {
  return Math.min(calls, 2 ** 31 - 1);
}

function describeRefusal(
  route: string,
  { rest, isFull, limit, isServers }: Admission,
  waitMs: number,
): AppError {
  const retryAfter = Math.ceil(waitMs / 1000);
  const why =
    rest > 0
      ? "The network wants no more calls of this kind"
      : isServers
        ? "The people of this server have asked the network as often as one server may"
        : isFull
          ? `Castellan's own limit for what it reads by itself (${limit} calls an hour to ${route}) is reached`
          : `Castellan's own limit of calls to ${route} is reached`;
  return new AppError("rate_limited", `${why} for another ${retryAfter} s.`, { status: 429, retryAfter });
}
