import { sql } from "kysely";
import { seconds } from "../../clock.ts";
import { readPastProgress } from "../../observe/hub/past-progress.ts";
import { beforeLink, type Occurrence } from "../evaluate/occurrence.ts";
import type { RehearsalContext } from "./frozen-facts.ts";
import type { Past } from "./past-events.ts";

/** The casts of a channel that a rehearsal covered. */
export interface ChannelCoverage {
  channelId: string;
  /** The casts that were read, and how many the database has for the requested time. */
  casts: number;
  known: number;
  /** How many of the casts that were read are from before the link. */
  beforeLink: number;
  /** When the oldest of them was cast, and when the channel was linked, in UNIX seconds; null if there is none. */
  from: number | null;
  linkedAt: number | null;
  /** Why older ones may be unknown: they are still being fetched, or are too old to be stored. */
  missing: "fetching" | "not_kept" | null;
}

type Seen = Pick<ChannelCoverage, "casts" | "beforeLink" | "from">;

/** Records a rehearsal's coverage, channel by channel. */
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

  /** `isWhole`: everything in the database was read. */
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
