import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Clock } from "../../clock.ts";
import { ofChannel, type ChannelLimit, type Requester } from "../../contract/endpoint.ts";
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
  type Purpose,
} from "./call-limits.ts";
import { createRequesterLimits, type RequesterLimits } from "./requester-limits.ts";
import type { ReadingPlan } from "./plan-reading.ts";

/** How many calls went to a route within the last hour, by purpose; "" counts calls that people waited for. */
export interface RouteUse {
  route: string;
  calls: number;
  limit: number;
  byPurpose: Record<string, number>;
  /** UNIX milliseconds until which the network wants no calls; null if it accepts them. */
  restsUntil: number | null;
}

export interface LiveBudget {
  limits: CallLimits;
  /** Returns the purpose that the call counts for. `by` is the person waiting for it. */
  take(
    route: string,
    purpose: string | undefined,
    signal: AbortSignal | undefined,
    by?: Requester,
    own?: ChannelLimit,
  ): Promise<string | undefined>;
  /** Whether a call for this purpose waits for a limit, or fails at once with the time to wait. */
  waits(purpose: string | undefined): boolean;
  /** Reserves this many calls an hour on each all-channels route for news, ahead of all other background tasks. */
  keepForNews(calls: number): void;
  noteRefusal(
    route: string,
    seconds: number | undefined,
    purpose?: string,
    own?: ChannelLimit,
  ): Promise<void>;
  /** The people on whose behalf calls are made. */
  askers: RequesterLimits;
  /** Routes with calls in the last hour, the most used first. */
  readUse(): Promise<RouteUse[]>;
}

/** The purpose of background calls that read the news of all channels. */
export const newsPurpose = "changes";

/** The bot's access to a remote network, where each call costs something. */
export interface LiveReading {
  /** The network for a background task: within the budget, after calls that people wait for. */
  background(purpose: Purpose): Network & LiveCalls;
  budget: LiveBudget;
  /** The key with which the bot acts there. Absent if it only reads. */
  key?: BotKey;
  witnesses: Witnesses;
  /**
   * The plan that this process found last, until when it is valid (`monotonic()`), and when each channel was last busy
   * (UNIX milliseconds).
   */
  latest?: { plan: ReadingPlan; until: number; busyAtMs: ReadonlyMap<string, number> };
}

export interface BudgetOptions {
  database: Pick<Database, "query">;
  clock: Clock;
  limits: CallLimits;
  /** Waits for this many milliseconds. */
  pause?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>;
}

/** The windows of a route's two limits, in seconds. Calls are counted per second; the first second counts completely. */
const windows = { burst: 10, hour: 3600 };
/** Seconds: the default after a rejection without a retry time, and the longest retry time that is believed. */
const rests = { usual: 10, longest: 3600 };
/**
 * How long a background call waits for room, a person for the end of a route's backoff, and a person for their server's
 * turn. Milliseconds.
 */
const maxWaitMs = { background: 30_000, people: 8_000, server: 12_000 };

function maxWaitFor(purpose: string | undefined): number {
  if (purpose === undefined) return maxWaitMs.people;
  return failAtOnce.has(purpose) ? 0 : maxWaitMs.background;
}

/**
 * Counts the calls to each route of the client API in the database, so that all processes of an installation stay within
 * the same limits, even after a restart. Calls that people wait for are counted and go out; background tasks leave room
 * for them. If several processes take a place at the same moment, each may take the last one.
 */
export function createCallBudget(options: BudgetOptions): LiveBudget {
  const { database, clock, limits } = options;
  const pause =
    options.pause ??
    ((milliseconds, signal) => sleep(milliseconds, undefined, signal ? { signal } : {}).catch(() => {}));

  let keptForNews = 0;

  const askers = createRequesterLimits(clock, limits);

  /** The purpose that a call counts for. Users without rights have a purpose and limits of their own. */
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
    ofOneChannel?: ChannelLimit,
  ): Promise<string | undefined> {
    const purpose = await admit(given, by);
    for (let waited = 0; ;) {
      const full = by && purpose === undefined ? askers.admitServer(by.guildId, route) : 0;
      const admission =
        full > 0
          ? { ...notTaken, waitMs: full, isServers: true }
          : await tryToTake(route, purpose, ofOneChannel?.name ?? null);
      if (admission.taken) return purpose;
      const wait = Math.max(500, admission.waitMs);
      const longest = admission.isServers ? maxWaitMs.server : maxWaitFor(purpose);
      if (signal?.aborted || waited + wait > longest) throw describeRefusal(route, admission, wait);
      await pause(wait, signal);
      waited += wait;
    }
  }

  async function tryToTake(
    route: string,
    purpose: string | undefined,
    channelName: string | null,
  ): Promise<Admission> {
    const nowMs = clock.now();
    const now = Math.floor(nowMs / 1000);
    const own = purpose ?? "";
    const room = roomFor(limits, route, purpose);
    // Calls that moderators wait for go out until one of them was itself rejected.
    const rest = sql.ref(purpose === undefined ? "people_until_ms" : "until_ms");
    const leavesToNews = purpose !== undefined && purpose !== newsPurpose && routesOfAll.includes(route);
    const kept = leavesToNews ? keptForNews : 0;
    // Calls dated in the future, by a clock that was ahead, do not count for this hour.
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
          coalesce((select max(${rest}) from castellan.route_backoffs where route in (${route}, ${channelName})), 0)::bigint as rests_until
        from castellan.calls
        where route = ${route} and second >= ${now - windows.hour} and second <= ${now + windows.burst}
      ), taken as (
        insert into castellan.calls (route, second, purpose, calls)
        select ${route}, ${now}, ${own}, 1 from used
        where rests_until <= ${nowMs} and burst < ${asBound(room.all.burst)} and hour < ${asBound(room.all.hour)}
          and own_burst < ${asBound(room.own.burst)} and own_hour < ${asBound(room.own.hour)}
        on conflict (route, second, purpose) do update set calls = calls.calls + 1
        returning 1
      ), taken_of_channel as (
        insert into castellan.calls (route, second, purpose, calls)
        select ${channelName}, ${now}, ${own}, 1 from taken where ${channelName}::text is not null
        on conflict (route, second, purpose) do update set calls = calls.calls + 1
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
    ofOneChannel?: ChannelLimit,
  ): Promise<void> {
    const until = clock.now() + Math.min(Math.max(seconds, 1), rests.longest) * 1000;
    const peopleUntil = purpose === undefined ? until : 0;
    await database.query
      .insertInto("castellan.route_backoffs")
      .values({
        // Otherwise the limit is the account's, or the route's.
        route: ofOneChannel && (await isUsedUp(ofOneChannel)) ? ofOneChannel.name : route,
        until_ms: until,
        people_until_ms: peopleUntil,
      })
      .onConflict((conflict) =>
        conflict.column("route").doUpdateSet({
          until_ms: sql`greatest(route_backoffs.until_ms, ${until}::bigint)`,
          people_until_ms: sql`greatest(route_backoffs.people_until_ms, ${peopleUntil}::bigint)`,
        }),
      )
      .execute();
  }

  /** With the call that was refused. */
  async function isUsedUp({ name, calls }: ChannelLimit): Promise<boolean> {
    const { made } = await database.query
      .selectFrom("castellan.calls")
      .select(sql<number>`coalesce(sum(calls), 0)::int`.as("made"))
      .where("route", "=", name)
      .where("second", ">=", Math.floor(clock.now() / 1000) - windows.hour)
      .executeTakeFirstOrThrow();
    return made >= calls;
  }

  async function readUse(): Promise<RouteUse[]> {
    const nowMs = clock.now();
    const now = Math.floor(nowMs / 1000);
    const rows = await database.query
      .selectFrom("castellan.calls")
      .select(["route", "purpose", sql<number>`sum(calls)::int`.as("calls")])
      .where("second", ">", now - windows.hour)
      .where("second", "<=", now + windows.burst)
      .where("route", "not like", `%${ofChannel}%`)
      .groupBy(["route", "purpose"])
      .execute();
    const resting = await database.query
      .selectFrom("castellan.route_backoffs")
      .selectAll()
      .where("until_ms", ">", nowMs)
      .where("route", "not like", `%${ofChannel}%`)
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

/** Whether a call may go out, and if not, when to try again. */
interface Admission {
  taken: boolean;
  waitMs: number;
  /** Milliseconds that the network asked Castellan to wait. */
  rest: number;
  isFull: boolean;
  limit: number;
  /** Only this server's users have to wait. */
  isServers?: boolean;
}

const notTaken = { taken: false, rest: 0, isFull: false, limit: 0 };

/** The database has no number for Infinity. */
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
      ? "The network accepts no more calls of this kind now."
      : isServers
        ? "This server has used its share of calls to the network."
        : isFull
          ? `Castellan has reached its own limit for background calls (${limit} an hour to ${route}).`
          : `Castellan has reached its own limit of calls to ${route}.`;
  return new AppError("rate_limited", `${why} Try again in ${retryAfter} s.`, { status: 429, retryAfter });
}
