/**
 * `npm run bench:kept`: all channels while people follow them, and pages of hub events, against bare node http that sends
 * the same bytes from memory.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { createApi } from "../src/api/create-api.ts";
import { castRemoved } from "../src/api/domain/hub-event.ts";
import { appendHubEvents } from "../src/api/store/hub-events.ts";
import { serveNetwork } from "../test/support/served-network.ts";
import { createBenchContext } from "./bench-context.ts";
import { openBenchDatabase } from "./bench-database.ts";
import { judge, median, row, write } from "./figures.ts";
import { startLoad } from "./load-process.ts";

const channels = 13_000;
const events = 5_000;
const followsPerSecond = 10;
const rounds = 5;
const connections = 10;

const database = await openBenchDatabase();
const context = createBenchContext(database);
const api = createApi(context);
await sql`
  insert into network.channels (id, url, name, description, image_url, lead_fid, created_at, follower_count, member_count)
  select 'channel-' || n, 'https://castle.test/~/channel/channel-' || n, 'Channel ' || n,
    repeat('All about number ' || n || '. ', 4), 'https://castle.test/images/' || n || '.png', n, 1600000000 + n, n % 977, 1
  from generate_series(1, ${channels}::int) as n
`.execute(database.query);
const removal = castRemoved({
  hash: `0x${"a".repeat(40)}`,
  fid: 7,
  timestamp: 1_700_000_000,
  targetHash: `0x${"b".repeat(40)}`,
});
const drafts = Array.from({ length: events }, () => removal);
const now = Math.floor(Date.now() / 1000);
await database.transaction((tx) => appendHubEvents(tx, now, drafts, context.settings.hub));

const ours = await serveNetwork({ context, api });
const load = startLoad();

const bytesOf = async (path: string) => Buffer.from(await (await fetch(ours.url + path)).arrayBuffer());
const get = (url: string, headers: Record<string, string> = {}) =>
  load.run({ url, method: "GET", headers, seconds: 1, connections });

/** Median rates of both servers, measured in turns; `during` runs while ours is measured. */
async function compare(
  path: string,
  during: () => () => Promise<void>,
): Promise<{ bare: number; ours: number }> {
  const bare = await serveBytes(await bytesOf(path));
  const rates = { bare: [] as number[], ours: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const bareRound = await get(bare.url);
    const end = during();
    const ourRound = await get(ours.url + path);
    await end();
    // The first round warms up.
    if (round === 0) continue;
    rates.bare.push(bareRound.rate);
    rates.ours.push(ourRound.rate);
  }
  bare.server.close();
  return { bare: median(rates.bare), ours: median(rates.ours) };
}

async function serveBytes(bytes: Buffer): Promise<{ server: Server; url: string }> {
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { "content-type": "application/json", "content-length": bytes.length })
      .end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on TCP has an address of this kind.
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

let follows = 0;
/** Users follow channels until the end is asked for. */
function startFollowing(): () => Promise<void> {
  const running = new Set<Promise<unknown>>();
  const timer = setInterval(() => {
    follows += 1;
    const followed = api
      .network(100 + follows)
      .channelFollows.follow({ channelId: `channel-${1 + ((follows * 37) % channels)}` })
      .finally(() => running.delete(followed));
    running.add(followed);
  }, 1000 / followsPerSecond);
  return async () => {
    clearInterval(timer);
    await Promise.all(running);
  };
}

const nothing = () => async () => {};
const size = async (path: string) => `${((await bytesOf(path)).length / 1e6).toFixed(1)} MB`;
write(`${database.engine} Postgres, ${connections} connections, medians of ${rounds} rounds of 1 s`);
const allChannels = "/v2/all-channels";
const all = await compare(allChannels, startFollowing);
write(
  row(
    `GET ${allChannels}, ${await size(allChannels)}`,
    "bare/s",
    all.bare.toFixed(0),
    "ours/s",
    all.ours.toFixed(0),
  ),
);
const tag = (await fetch(ours.url + allChannels)).headers.get("etag") ?? "";
const unchanged = await fetch(ours.url + allChannels, { headers: { "if-none-match": tag } });
const page = "/v1/events?from_event_id=0";
const pages = await compare(page, nothing);
write(
  row(
    `GET /v1/events, ${await size(page)}`,
    "bare/s",
    pages.bare.toFixed(0),
    "ours/s",
    pages.ours.toFixed(0),
  ),
);
const met = [
  judge(`all-channels, ${followsPerSecond} follows/s, ratio`, all.ours / all.bare, { least: 0.7 }),
  judge("all-channels unchanged, status", unchanged.status, { least: 304 }),
  judge("pages of 1,000 events, ratio", pages.ours / pages.bare, { least: 0.5 }),
];
load.end();
await ours.server.close();
await database.close();
process.exitCode = met.every(Boolean) ? 0 : 1;
