import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BotContext } from "../src/bot-context.ts";
import { createClient } from "../src/client/create-client.ts";
import { systemClock } from "../src/clock.ts";
import { connectDirectory } from "../src/database/connect.ts";
import type { Database } from "../src/database/database.ts";
import { migrate } from "../src/database/migrate.ts";
import { usualFeedKinds } from "../src/feed/feed-kinds.ts";
import { queueFeedRows } from "../src/feed/feed-rows.ts";
import { addFeed } from "../src/feed/feeds.ts";
import { silentLog } from "../src/log.ts";
import { createAppendEvents } from "../src/observe/events.ts";
import { pollHub } from "../src/observe/hub/poll-hub.ts";
import { createCallBudget } from "../src/observe/live/call-budget.ts";
import { usualLimits } from "../src/observe/live/call-limits.ts";
import { usualSurroundings } from "../test/support/world.ts";
import { judge, write } from "./figures.ts";
import { witnessesOf } from "../test/live/witnesses.ts";

/**
 * Hub events a second from an HTTP page to committed rows: our client, the embedded engine in its thread, names, cast
 * index, waiting replies, events and feed rows. One event in a hundred belongs to the linked channel, and a quarter are
 * replies whose parent is unknown.
 */
const total = 100_000;
const pageSize = 1000;
const channelUrl = "https://castle.test/~/channel/memes";
const goal = 10_000;

async function startHub(): Promise<{ url: string; stop: () => void }> {
  const pages = fileURLToPath(import.meta.resolve("./hub-pages.ts"));
  const child = fork(pages, [String(total), String(pageSize), channelUrl]);
  const url = await new Promise<string>((resolve, reject) => {
    // The hub sends its address.
    child.once("message", (message) => resolve(message as string));
    child.once("exit", () => reject(new Error("the hub's pages could not be made")));
  });
  return { url, stop: () => child.kill() };
}

async function prepare(database: Database, hubUrl: string): Promise<BotContext> {
  await migrate(database);
  const wake = async () => {};
  const network = createClient({
    clientUrl: hubUrl,
    registryUrl: hubUrl,
    hubUrl,
    clock: systemClock,
    log: silentLog,
  });
  const budget = createCallBudget({ database, clock: systemClock, limits: usualLimits });
  const context = {
    database,
    clock: systemClock,
    ...usualSurroundings,
    log: silentLog,
    network,
    live: { background: () => network, budget, witnesses: witnessesOf() },
    botFid: 9001,
    settings: {
      channelGuilds: () => new Map(),
      linkBase: hubUrl,
      hubShard: undefined,
      hubSeconds: 1,
      hubCallsForPast: 20,
      hubRetention: 259_200,
      linkLists: { named: [], everySeconds: 3600 },
      webhookHosts: [],
      history: { seconds: 2_592_000, events: 1_000_000 },
    },
    wake,
    appendEvents: createAppendEvents({
      claim: async (_tx, events) => events,
      fanOut: [queueFeedRows({ wake })],
    }),
  };
  const link = {
    guild_id: "1",
    channel_id: "memes",
    channel_url: channelUrl,
    channel_name: "Memes",
    linked_by: "1",
  };
  const linkedAt = Date.now() - 3_600_000;
  await database.query
    .insertInto("castellan.links")
    .values({ ...link, linked_at_ms: linkedAt, verified_at_ms: linkedAt })
    .execute();
  const feed = {
    guildId: "1",
    roomId: "2",
    channelIds: null,
    namePattern: null,
    peopleOnly: false,
    createdBy: "1",
  };
  await addFeed(context, { ...feed, kinds: [...usualFeedKinds, "casts"] });
  return context;
}

async function count(database: Database): Promise<{ seen: number; events: number; rows: number }> {
  const { seen } = await database.query
    .selectFrom("castellan.sources")
    .select("seen")
    .executeTakeFirstOrThrow();
  const countOf = async (table: "castellan.events" | "castellan.feed_rows") =>
    (
      await database.query
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow()
    ).count;
  return { seen, events: await countOf("castellan.events"), rows: await countOf("castellan.feed_rows") };
}

const directory = await mkdtemp(join(tmpdir(), "castellan-bench-"));
const hub = await startHub();
const database = await connectDirectory(join(directory, "data"));
try {
  const context = await prepare(database, hub.url);
  const start = performance.now();
  let counted = { seen: 0, events: 0, rows: 0 };
  let before: number;
  // A turn ends after five seconds.
  do {
    before = counted.seen;
    await pollHub(context);
    counted = await count(database);
  } while (counted.seen < total && counted.seen > before);
  const seconds = (performance.now() - start) / 1000;
  const { seen, events, rows } = counted;
  const rate = Math.round(seen / seconds);
  write(`${seen} hub events in ${seconds.toFixed(2)} s; ${events} events, ${rows} feed rows`);
  const met = judge("hub events a second", rate, { least: goal });
  process.exitCode = met && seen === total ? 0 : 1;
} finally {
  await database.close();
  hub.stop();
  await rm(directory, { recursive: true });
}
