import { addFeed, type NewFeed } from "../../src/feed/feeds.ts";
import { usualFeedKinds } from "../../src/feed/feed-kinds.ts";
import type { CallLimits } from "../../src/observe/live/call-limits.ts";
import { readLiveStatus } from "../../src/observe/live/live-status.ts";
import { delaysOf, type ReadingPlan } from "../../src/observe/live/plan-reading.ts";
import { followLinks } from "../../src/observe/sources.ts";
import { createObserver, guild } from "../support/observer.ts";
import { createRandom } from "../support/random.ts";
import { botFid } from "../support/world.ts";
import { startLiveClient, type LiveClient } from "./live-client.ts";
import { changeKinds, type ChangeKind } from "./simulated-changes.ts";
import { runWorkers, type SimulatedWorkers } from "./simulated-workers.ts";

export interface HourOptions {
  limits: CallLimits;
  /** What the network itself refuses beyond. */
  networkLimits?: LiveClient["limits"];
  servesEvents: boolean;
  /** Linked ones, and of them the busy ones. */
  channels: number;
  busyChannels: number;
  /** Of the whole network; as many as the live one has where absent. */
  networkChannels?: number;
  /** Seconds of changes before it is measured, and that are measured. */
  warmUp: number;
  seconds: number;
  /** Seconds without changes at the end. A change that has more time than that is left out, if it is not told of by then. */
  rest: number;
  /** Seconds on average between two changes of a channel. */
  changeEvery: { busy: number; quiet: number };
}

/** A change in a channel, and when a room heard of it. */
export interface ToldChange {
  kind: ChangeKind;
  channelId: string;
  /** UNIX milliseconds. */
  at: number;
  isBusy: boolean;
  /** Seconds until the room had it; undefined where it has not heard of it. */
  delay: number | undefined;
  /** Within how many seconds such a change is told, as /status said when it was made. */
  promised: number;
}

export interface SimulatedHour {
  /** Seconds until every channel was read for the first time, all having been linked at once. */
  settled: number;
  told: ToldChange[];
  /** Pins in whose place others came before the channel was read: no listing showed them. */
  overtaken: number;
  /** By route, of the measured time. */
  routes: { route: string; calls: number; worstTenSeconds: number; withoutChannel: number }[];
  /** Calls that the network refused for being one too many, from the links on. */
  refused: number;
  /** What the bot told that no change explains. */
  unexplained: string[];
  plan: ReadingPlan;
  /** Runs of workers that failed. */
  failures: string[];
}

const names = new Set([
  "poll-records",
  "poll-listings",
  "poll-followers",
  "verify-links",
  "become-moderator",
  "deliver-feed",
  "send-outbox",
]);
const roomId = "200000000000000001";
const owner = 1;

/**
 * An hour of linked channels, of which some are busy, on the double of the live client API: linked, all at once; read until each
 * has its baseline; then with changes, all of which a room is to hear of.
 */
export async function simulateHour(options: HourOptions): Promise<SimulatedHour> {
  const observer = await createObserver();
  const { clock, database } = observer.context;
  await database.truncate();
  const client = await startLiveClient(() => clock.now(), options.networkChannels);
  try {
    client.servesEvents = options.servesEvents;
    Object.assign(client.limits, options.networkLimits);
    const posted = new Map<number, number>();
    const world = {
      ...observer.context,
      rooms: watchRooms(observer.context.rooms, () => clock.now(), posted),
    };
    const channelIds = Array.from({ length: options.channels }, (_, index) => `room-${index}`);
    for (const channelId of channelIds) addChannel(client, channelId);
    // What was done to set it up is no news.
    clock.advance(60);
    const run = runWorkers(world, { url: client.url, limits: options.limits, names });
    for (const channelId of channelIds) await observer.link(channelId);
    client.channels.verifications.set(owner, "100");
    await addFeed(run.context, everything);
    await followLinks(run.context);
    const settled = await passUntilRead(run, options.channels);
    return await measure(run, client, { ...options, channelIds, posted, settled });
  } finally {
    await client.close();
    await database.close();
  }
}

const everything: NewFeed = {
  guildId: guild,
  roomId,
  channelIds: null,
  kinds: [...usualFeedKinds],
  namePattern: null,
  peopleOnly: false,
  createdBy: "100",
};

function addChannel({ channels }: LiveClient, channelId: string): void {
  channels.add(channelId, owner);
  channels.setStanding(channelId, botFid, "moderator");
}

/** Notes when each event, by its number, is in the room. */
function watchRooms<R extends SimulatedWorkers["context"]["rooms"]>(
  rooms: R,
  now: () => number,
  posted: Map<number, number>,
): R {
  let messages = 0;
  return {
    ...rooms,
    async post(_room, { embeds }) {
      for (const { footer } of embeds) posted.set(Number(footer?.slice(2)), now());
      messages += 1;
      return String(messages);
    },
  };
}

async function passUntilRead(run: SimulatedWorkers, channels: number): Promise<number> {
  const { database } = run.context;
  for (let seconds = 0; seconds < 4 * 3600; seconds += 60) {
    const { read } = await database.query
      .selectFrom("castellan.sources")
      .select((eb) => eb.fn.countAll<number>().as("read"))
      .where("has_baseline", "=", true)
      .where("channel_id", "is not", null)
      .executeTakeFirstOrThrow();
    if (read >= 2 * channels) return seconds;
    await run.pass(60);
  }
  throw new Error("some channels were not read for the first time within four hours");
}

interface Measuring extends HourOptions {
  channelIds: readonly string[];
  posted: ReadonlyMap<number, number>;
  settled: number;
}

interface Made {
  kind: ChangeKind;
  channelId: string;
  isBusy: boolean;
  at: number;
  /** "user.banned 7", as the event says it. */
  key: string;
  promised: number;
  told?: number;
}

async function measure(
  run: SimulatedWorkers,
  client: LiveClient,
  { channelIds, posted, settled, ...options }: Measuring,
): Promise<SimulatedHour> {
  const { clock, database } = run.context;
  const random = createRandom(7);
  const wait = (isBusy: boolean) =>
    -Math.log(1 - random()) * (isBusy ? options.changeEvery.busy : options.changeEvery.quiet) * 1000;
  const isBusy = (index: number) => index < options.busyChannels;
  const begins = clock.now();
  const next = channelIds.map((_, index) => begins + wait(isBusy(index)));
  const made: Made[] = [];
  const change = async () => {
    for (const [index, channelId] of channelIds.entries()) {
      if ((next[index] ?? Infinity) > clock.now()) continue;
      next[index] = clock.now() + wait(isBusy(index));
      const kinds = Object.keys(changeKinds) as ChangeKind[]; // of a literal
      const kind = kinds[Math.floor(random() * kinds.length)] ?? "ban";
      const key = changeKinds[kind].happen(client.channels, channelId, made.length);
      const promised = await readPromise(run, kind, channelId);
      made.push({ kind, channelId, isBusy: isBusy(index), at: clock.now(), key, promised });
    }
  };
  const untilTold = async (seconds: number, happens: boolean) => {
    for (let second = 0; second < seconds; second += 1) {
      if (happens) await change();
      await run.pass(1);
    }
  };
  await untilTold(options.warmUp, true);
  client.requests.length = 0;
  const from = clock.now();
  await untilTold(options.seconds, true);
  const requests = [...client.requests];
  const { plan } = await readLiveStatus(run.context);
  await untilTold(options.rest, false);
  const rows = await database.query
    .selectFrom("castellan.events")
    .select(["id", "kind", "subject_fid", "data", "channel_id"])
    .where("observed_at_ms", ">=", begins)
    .orderBy("id")
    .execute();
  const unexplained: string[] = [];
  for (const { id, kind, subject_fid, data, channel_id } of rows) {
    const about = "castHash" in data ? String(data.castHash) : subject_fid;
    const key = `${kind} ${channel_id} ${about}`;
    const found = made.find((each) => each.key === key && each.told === undefined);
    if (found) found.told = posted.get(id) ?? NaN;
    else if (kind !== "link.changed") unexplained.push(key);
  }
  const isOvertaken = ({ kind, told, channelId, at }: Made) =>
    kind === "pin" &&
    told === undefined &&
    made.some((later) => later.kind === "pin" && later.channelId === channelId && later.at > at);
  const isOpen = ({ told, at, promised }: Made) => told === undefined && at + promised * 1000 > clock.now();
  const measured = made.filter((each) => each.at >= from && !isOpen(each));
  const told = measured
    .filter((each) => !isOvertaken(each))
    .map(({ kind, channelId, isBusy, at, told, promised }) => ({
      kind,
      channelId,
      at,
      isBusy,
      promised,
      delay: told === undefined || Number.isNaN(told) ? undefined : (told - at) / 1000,
    }));
  return {
    settled,
    told,
    overtaken: measured.filter(isOvertaken).length,
    routes: countRoutes(requests),
    refused: client.refused,
    unexplained,
    plan,
    failures: run.failures,
  };
}

/** What /status says just now of such a change. */
async function readPromise(run: SimulatedWorkers, kind: ChangeKind, channelId: string): Promise<number> {
  const { plan, busy: busyOnes } = await readLiveStatus(run.context);
  const { changes, busy, quiet } = delaysOf(plan);
  if (plan.byEvents || changeKinds[kind].isListed) return changes;
  return busyOnes.has(channelId) ? busy : quiet;
}

function countRoutes(requests: LiveClient["requests"]): SimulatedHour["routes"] {
  const routes = [...new Set(requests.map(({ route }) => route))].toSorted();
  return routes.map((route) => {
    const own = requests.filter((request) => request.route === route);
    const worstTenSeconds = Math.max(
      ...own.map(({ at }) => own.filter((other) => other.at >= at && other.at < at + 10_000).length),
    );
    const withoutChannel = own.filter(({ query }) => !query.has("channelId")).length;
    return { route, calls: own.length, worstTenSeconds, withoutChannel };
  });
}
