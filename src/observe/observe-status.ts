import type { BotContext } from "../bot-context.ts";
import { readPastProgress, type PastProgress } from "./hub/past-progress.ts";
import { isFollowed } from "./sources.ts";

/** A source's state, for /status. */
export interface SourceStatus {
  /** `hub`, `records/memes`, `listings/memes`. */
  source: string;
  channelId: string | null;
  /** Milliseconds since the last successful reading; null if there was none. */
  silentMs: number | null;
  /** Milliseconds since a reading of all listings of a channel began; null if none is recorded. */
  wholeMs: number | null;
  /** Seconds between the newest item read and now while more is left; 0 when everything is read. */
  lagSeconds: number;
  /** UNIX milliseconds since when it fails; null while it works. */
  failingSinceMs: number | null;
  /** The reason for the failure, or for a part that is unreadable while the rest works. */
  error: string | null;
  seen: number;
  skipped: number;
}

interface GapStatus {
  source: string;
  /** The period in which events may be missing, in UNIX seconds. */
  from: number;
  until: number;
  /** Whether all listings have been read completely since the gap. */
  healed: boolean;
}

interface ObserveStatus {
  sources: SourceStatus[];
  /** The latest ten, newest first. */
  gaps: GapStatus[];
  /** Hub events that could not be read or stored, of the last 1,000, and the latest reason. */
  setAside: { count: number; latest: string | null };
  /** Replies that wait for their parent. */
  waitingReplies: number;
  /** Channels with past casts that are still to be requested. */
  past: PastProgress[];
}

export async function observeStatus(context: BotContext): Promise<ObserveStatus> {
  const { database, clock, settings } = context;
  const db = database.query;
  const nowMs = clock.now();
  const sources = await db
    .selectFrom("castellan.sources")
    .selectAll()
    .where(isFollowed(settings))
    .orderBy("source")
    .execute();
  const watched = await db.selectFrom("castellan.watched_channels").select("channel_id").execute();
  const gaps = await db.selectFrom("castellan.gaps").selectAll().orderBy("id", "desc").limit(10).execute();
  const { waiting } = await db
    .selectFrom("castellan.waiting_replies")
    .select((eb) => eb.fn.countAll<number>().as("waiting"))
    .executeTakeFirstOrThrow();
  const [aside] = await db
    .selectFrom("castellan.set_aside_events as latest")
    .select(["reason", (eb) => eb.fn.countAll<number>().over().as("count")])
    .orderBy("id", "desc")
    .limit(1)
    .execute();
  const linked = new Set(watched.map((channel) => channel.channel_id));
  return {
    sources: sources
      .filter(({ channel_id }) => channel_id === null || linked.has(channel_id))
      .map((row) => ({
        source: row.source,
        channelId: row.channel_id,
        silentMs: row.succeeded_at_ms === null ? null : nowMs - row.succeeded_at_ms,
        wholeMs: row.all_listings_at_ms === null ? null : nowMs - row.all_listings_at_ms,
        lagSeconds: row.behind ? Math.max(0, Math.floor(nowMs / 1000) - (row.newest_at ?? 0)) : 0,
        failingSinceMs: row.failing_since_ms,
        error: row.error,
        seen: row.seen,
        skipped: row.skipped,
      })),
    gaps: gaps.map((gap) => ({
      source: gap.source,
      from: gap.from_at,
      until: gap.until_at,
      healed: gap.healed_at_ms !== null,
    })),
    setAside: { count: aside?.count ?? 0, latest: aside?.reason ?? null },
    waitingReplies: waiting,
    past: await readPastProgress(context),
  };
}
