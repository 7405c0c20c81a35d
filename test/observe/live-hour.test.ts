import { expect, test } from "vitest";
import { readLiveStatus } from "../../src/observe/live/live-status.ts";
import { delaysOf } from "../../src/observe/live/plan-reading.ts";
import { followLinks } from "../../src/observe/sources.ts";
import { useLiveClient } from "../live/live-client-scene.ts";
import { describeChannel } from "../live/live-pages.ts";

/*
 * A hundred linked channels, ten of them busy, for an hour of the test's clock: what it costs, and how late news are. The double
 * refuses more than 20 calls in ten seconds and 500 (events: 1,000) an hour to a route.
 */
const scene = useLiveClient(200);
const channels = Array.from({ length: 100 }, (_, index) => `channel-${index.toString(36)}`);
const busy = channels.slice(0, 10);
const hour = 3600;

/** As if they had been linked for long, and each been read as a whole at another time. */
async function linkAll(): Promise<void> {
  const { database, clock } = scene.context;
  const now = clock.now();
  for (const channelId of channels) await scene.observer.link(channelId);
  await followLinks(scene.context);
  scene.context.woken.length = 0;
  const { query } = database;
  await query
    .updateTable("castellan.watched_channels")
    .set({ since_ms: now - 9e6 })
    .execute();
  const described = channels.flatMap((id) => scene.client.channels.all.get(id) ?? []);
  await query
    .insertInto("castellan.channel_snapshots")
    .values(
      described.map((each) => ({ channel_id: each.id, channel_json: JSON.stringify(describeChannel(each)) })),
    )
    .execute();
  await query
    .insertInto("castellan.listing_entries")
    .values(
      described.map(({ id, owner, standings }) => {
        const at = Math.floor((standings.get(owner)?.at ?? 0) / 1000);
        return { channel_id: id, listing: "members" as const, fid: owner, at, role: null, inviter_fid: null };
      }),
    )
    .execute();
  const sources = channels.flatMap((channel_id, index) => {
    const good_at_ms = now - index * 28_000;
    const own = { channel_id, baselined: true, good_at_ms, whole_at_ms: good_at_ms };
    const position = Math.floor(now / 1000);
    return [
      { ...own, source: `listings/${channel_id}` },
      { ...own, source: `records/${channel_id}`, position },
    ];
  });
  await query.insertInto("castellan.sources").values(sources).execute();
}

/** When what happened (milliseconds), as it will be told: "user.banned channel-1 50". */
async function liveAnHour(step: number): Promise<Map<string, number>> {
  const { client, context } = scene;
  await linkAll();
  await scene.live(60, undefined, 10);
  client.requests.length = 0;
  const happened = new Map<string, number>();
  const note = (kind: string, channelId: string, fid: number) =>
    void happened.set(`${kind} ${channelId} ${fid}`, context.clock.now());
  let fid = 10_000;
  await scene.live(
    hour,
    (second) => {
      // Ten channels, something in each every two minutes; and one quiet channel, once.
      const channelId = busy[(second / 20) % busy.length];
      if (second === 20 * step) {
        client.channels.setStanding("channel-2r", 7, "member");
        note("member.joined", "channel-2r", 7);
      }
      if (second % 20 !== 0 || channelId === undefined || second > hour - 300) return;
      fid += 1;
      const isBan = (second / 200) % 2 < 1;
      client.channels.setStanding(channelId, fid, isBan ? "banned" : "member");
      note(isBan ? "user.banned" : "member.joined", channelId, fid);
    },
    step,
  );
  return happened;
}

/** How late the latest of a kind was told, in seconds; fails where one was not told, or twice. */
async function delays(happened: Map<string, number>): Promise<Record<"bans" | "joins" | "quiet", number>> {
  const rows = await scene.context.database.query
    .selectFrom("castellan.events")
    .select(["kind", "channel_id", "subject_fid", "observed_at_ms"])
    .where("kind", "in", ["user.banned", "member.joined"])
    .execute();
  const told = new Map(
    rows.map((row) => [`${row.kind} ${row.channel_id} ${row.subject_fid}`, row.observed_at_ms]),
  );
  expect([...told.keys()].toSorted()).toEqual([...happened.keys()].toSorted());
  expect(rows).toHaveLength(happened.size);
  const latest = (pattern: RegExp) =>
    Math.max(
      ...[...happened]
        .filter(([key]) => pattern.test(key))
        .map(([key, at]) => ((told.get(key) ?? Infinity) - at) / 1000),
    );
  return {
    bans: latest(/^user.banned/),
    joins: latest(/^member.joined (?!channel-2r)/),
    quiet: latest(/channel-2r/),
  };
}

function countCalls(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { route } of scene.client.requests) counts[route] = (counts[route] ?? 0) + 1;
  return counts;
}

test("with events: within five seconds, and far within the limits", { timeout: 170_000 }, async () => {
  const happened = await liveAnHour(4);
  const late = await delays(happened);
  const { plan } = await readLiveStatus(scene.context);
  expect(plan).toMatchObject({ byEvents: true, channels: 100, busyChannels: 10 });
  expect(Math.max(late.bans, late.joins, late.quiet)).toBeLessThanOrEqual(5);
  const counts = countCalls();
  process.stdout.write(`with events: ${JSON.stringify({ late, counts, plan, shown: delaysOf(plan) })}\n`);
  expect(scene.client.refused).toBe(0);
  for (const [route, count] of Object.entries(counts)) {
    expect(count, route).toBeLessThanOrEqual(route.endsWith("events") ? 950 : 450);
  }
  expect(counts["GET /v2/all-channels"]).toBeUndefined();
});

test("without: as late as /status says, and within the limits", { timeout: 170_000 }, async () => {
  scene.client.servesEvents = false;
  const happened = await liveAnHour(5);
  const late = await delays(happened);
  const { plan, uses } = await readLiveStatus(scene.context);
  expect(plan).toMatchObject({ byEvents: false, channels: 100, busyChannels: 10 });
  const shown = delaysOf(plan);
  const counts = countCalls();
  process.stdout.write(`without: ${JSON.stringify({ late, counts, plan, shown })}\n`);
  // The test's clock moves by five seconds.
  expect(late.bans).toBeLessThanOrEqual(shown.changes + 5);
  expect(late.joins).toBeLessThanOrEqual(shown.busy + 5);
  expect(late.quiet).toBeLessThanOrEqual(shown.quiet + 5);
  expect(scene.client.refused).toBe(0);
  for (const [route, count] of Object.entries(counts)) expect(count, route).toBeLessThanOrEqual(450);
  // What is told of the budget is what went out.
  for (const { route, calls } of uses)
    expect(Math.abs(calls - (counts[`GET ${route}`] ?? 0))).toBeLessThan(10);
});
