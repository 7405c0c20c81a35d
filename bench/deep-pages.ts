/** `npm run bench:pages`: the cost of page 1,000 of a million followers, compared with page 1. */
import { sql } from "kysely";
import { createApi } from "../src/api/create-api.ts";
import { createSeed } from "../test/support/seed.ts";
import { createBenchContext } from "./bench-context.ts";
import { openBenchDatabase } from "./bench-database.ts";
import { judge, median, row, write } from "./figures.ts";

const followers = 1_000_000;
const limit = 1000;
const rounds = 40;
const channelId = "everybody";

const database = await openBenchDatabase();
const network = createApi(createBenchContext(database)).network();
await createSeed(database.query).channel(channelId);
// In parts, because an engine that is silent for long is given up.
const part = 50_000;
for (let first = 1; first <= followers; first += part) {
  await sql`
    insert into network.channel_follows (fid, channel_id, followed_at)
    select n, ${channelId}, 1600000000 + n / 3 from generate_series(${first}::int, ${first + part - 1}::int) as n
  `.execute(database.query);
}
await sql`analyze network.channel_follows`.execute(database.query);

const read = (cursor?: string) => network.channels.followers({ channelId, limit, ...(cursor && { cursor }) });
let cursor: string | undefined;
let seen = 0;
for (let number = 1; number < followers / limit; number++) {
  const page = await read(cursor);
  seen += page.result.users.length;
  cursor = page.next?.cursor;
}
const last = await read(cursor);
seen += last.result.users.length;

const times: Record<"first" | "last", number[]> = { first: [], last: [] };
for (let round = 0; round < rounds; round++) {
  for (const [name, at] of [
    ["first", undefined],
    ["last", cursor],
  ] as const) {
    const start = performance.now();
    await read(at);
    times[name].push(performance.now() - start);
  }
}
write(`${database.engine} Postgres, ${seen} followers read in ${followers / limit} pages of ${limit}`);
write(
  row("milliseconds", "page 1", median(times.first).toFixed(2), "page 1000", median(times.last).toFixed(2)),
);
const met = [
  judge("page 1,000 beside page 1", median(times.last) / median(times.first), { most: 1.5 }),
  judge("followers read, each once", seen, { least: followers }),
];
await database.close();
process.exitCode = met.every(Boolean) ? 0 : 1;
