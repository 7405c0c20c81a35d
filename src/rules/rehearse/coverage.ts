import { sql } from "kysely";
import { seconds } from "../../clock.ts";
import { readPastProgress } from "../../observe/hub/past-progress.ts";
import { beforeLink, type Occurrence } from "../evaluate/occurrence.ts";
import type { RehearsalContext } from "./frozen-facts.ts";
import type { Past } from "./past-events.ts";

/** Which casts of a channel a rehearsal looked at. */
export interface ChannelCoverage {
  channelId: string;
  /** Casts that were looked at, and how many the store has of the time that was asked for. */
  casts: number;
  known: number;
  /** Of those that were looked at, how many are from before the link. */
  beforeLink: number;
  /** When the oldest of them was cast, and when the channel was linked, in UNIX seconds; null where there is none. */
  from: number | null;
  linkedAt: number | null;
  /** Why there may have been older ones that are not known: they are still being fetched, or are too old to be kept. */
  missing: "fetching" | "not_kept" | null;
}

type Seen = Pick<ChannelCoverage, "casts" | "beforeLink" | "from">;

/** Notes what a rehearsal looks at, channel by channel. */
export class Coverage {
  readonly #seen = new Map<string, Seen>();

  add({ channelId, event }: Occurrence): void {
    if (event.kind !== "cast.created") return;
    const { casts, beforeLink: earlier, from } = this.#seen.get(channelId) ?? nothing;
    this.#seen.set(channelId, {
      casts: casts + 1,
      beforeLink: earlier + (event.id === beforeLink ? 1 : 0),
      from: Math.min(from ?? Infinity, event.occurredAt),
    });
  }

  /** `isWhole`: all that the store has was looked at. */
  async describe(context: RehearsalContext, past: Past, isWhole: boolean): Promise<ChannelCoverage[]> {
    const { database, clock, settings } = context;
    const links = await database.query
      .selectFrom("castellan.watched_channels")
      .select(["channel_id", "since_ms"])
      .where(sql<boolean>`channel_id = any(${[...past.channelIds]}::text[])`)
      .execute();
    const linkedAt = new Map(links.map((row) => [row.channel_id, Math.floor(row.since_ms / 1000)]));
    const fetching = new Set(
      (await readPastProgress(context)).filter(({ isListing }) => isListing).map((one) => one.channelId),
    );
    const isKept = past.since >= seconds(clock) - settings.history.seconds;
    const known = isWhole ? undefined : await countKnown(context, past);
    return past.channelIds.map((channelId) => {
      const seen = this.#seen.get(channelId) ?? nothing;
      const missing = fetching.has(channelId) ? "fetching" : isKept ? null : "not_kept";
      const total = known ? Math.max(seen.casts, known.get(channelId) ?? 0) : seen.casts;
      return { channelId, ...seen, known: total, linkedAt: linkedAt.get(channelId) ?? null, missing };
    });
  }
}

const nothing: Seen = { casts: 0, beforeLink: 0, from: null };

async function countKnown({ database }: RehearsalContext, past: Past): Promise<Map<string, number>> {
  const { rows } = await sql<{ channel: string; count: number }>`
    select channel_id as channel, count(*)::int as count from castellan.casts
    where channel_id = any(${[...past.channelIds]}::text[]) and cast_at >= ${past.since} and erased_at_ms is null
    group by channel_id
  `.execute(database.query);
  return new Map(rows.map(({ channel, count }) => [channel, count]));
}
