import { sql } from "kysely";
import { lateAfter, readLiveStatus } from "../../../src/observe/live/live-status.ts";
import { observeStatus } from "../../../src/observe/observe-status.ts";
import { isUntellable } from "./compare.ts";
import type { Scene } from "./open-scene.ts";
import type { HubTruth } from "./traffic.ts";

/** Milliseconds without a good reading after which /status says so of the hub. */
const late = 90_000;
/** Seconds that something may be untold before /status must say that the bot is late. */
const longestUntold = 240;

/** Shards of which something is untold for long, and of which /status says nothing. */
export async function findSilentLag(scene: Scene, merged: readonly HubTruth[]): Promise<string[]> {
  const { context, clock, observer } = scene;
  const now = Math.floor(clock.now() / 1000);
  const old = merged.filter(({ at }) => at < now - longestUntold && at > now - 1800);
  if (old.length === 0) return [];
  const { sources, gaps, past } = await observeStatus(context);
  // Replies wait for what is being asked for.
  if (past.length > 0) return [];
  const hubs = sources.filter(({ source }) => source.startsWith("hub/"));
  const quiet = hubs.filter(
    ({ failingSinceMs, error, lagSeconds, silentMs }) =>
      failingSinceMs === null && error === null && lagSeconds === 0 && silentMs !== null && silentMs <= late,
  );
  if (quiet.length === 0) return [];
  const rows = await observer.context.database.query
    .selectFrom("castellan.events")
    .select(["cast_hash", "kind", "subject_fid", sql<string | null>`data->>'name'`.as("name")])
    .where("kind", "in", ["cast.created", "cast.removed", "username_proof.merged"])
    .execute();
  const told = new Set(
    rows.map(({ kind, cast_hash, name, subject_fid }) => `${kind} ${cast_hash ?? `${name} ${subject_fid}`}`),
  );
  const removed = new Set(merged.map(({ key }) => key).filter((key) => key.startsWith("cast.removed ")));
  return old
    .filter(({ key, at, places, parent }) => {
      // Where it belonged, the one that it answers says; and whoever took it away, may have done so before that was known.
      if (parent !== undefined && !told.has(`cast.created ${parent}`)) return false;
      if (removed.has(key.replace("cast.created ", "cast.removed "))) return false;
      // A reply waits for the shard of what it replies to.
      if (key.startsWith("cast.") && quiet.length < hubs.length) return false;
      const sourcesOf = places.map(({ shard }) => `hub/${shard}`);
      const isSaid = sourcesOf.some((source) => !quiet.some((one) => one.source === source));
      const isGone = gaps.some(
        (gap) => sourcesOf.includes(gap.source) && at >= gap.from - 2 && at <= gap.until + 2,
      );
      return !told.has(key) && !isUntellable(key, told) && !isSaid && !isGone;
    })
    .map(({ key, at }) => `${now - at} s after it /status is content, without ${key}`);
}

/** What does not work, or is not done, long after the last fault. */
export async function findUnrest(scene: Scene): Promise<string[]> {
  const { context } = scene;
  const { sources, gaps } = await observeStatus(context);
  const { plan, openBreakers } = await readLiveStatus(context);
  const wrong = sources.flatMap((row) => {
    const { source, failingSinceMs, error, lagSeconds, silentMs } = row;
    const longest = source.startsWith("hub") ? late : lateAfter(plan, source);
    // Where events tell of all channels, nobody reads their newest entries.
    const isIdle = plan.byEvents && (source === "newest" || source.startsWith("followers/"));
    const isWell = failingSinceMs === null && error === null && lagSeconds === 0;
    return (isWell && silentMs !== null && silentMs <= longest) || isIdle
      ? []
      : [`${source} is not up to date: ${JSON.stringify(row)}`];
  });
  if (!plan.byEvents) wrong.push("events of channels are not read again");
  wrong.push(...openBreakers.map(({ upstream }) => `${upstream} is left alone`));
  wrong.push(
    ...gaps.filter(({ healed }) => !healed).map((gap) => `a gap is not healed: ${JSON.stringify(gap)}`),
  );
  const { query } = context.database;
  const counts = await query
    .selectNoFrom((eb) => [
      eb
        .selectFrom("castellan.feed_rows")
        .select(eb.fn.countAll<number>().as("n"))
        .where("message_id", "is", null)
        .as("unsent"),
      eb
        .selectFrom("castellan.feed_messages")
        .select(eb.fn.countAll<number>().as("n"))
        .where("state", "!=", "sent")
        .as("unsettled"),
      eb
        .selectFrom("castellan.rule_evaluations")
        .select(eb.fn.countAll<number>().as("n"))
        .where("settled_at_ms", "is", null)
        .as("evaluations"),
      eb
        .selectFrom("castellan.cases")
        .select(eb.fn.countAll<number>().as("n"))
        .where("state", "=", "requested")
        .as("cases"),
    ])
    .executeTakeFirstOrThrow();
  wrong.push(
    ...Object.entries(counts).flatMap(([what, count]) => (count ? [`${count} ${what} are left`] : [])),
  );
  return wrong;
}
