import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readReviews } from "../../src/feed/render/held-reviews.ts";
import { pruneObsolete } from "../../src/retention/prune-obsolete.ts";
import { pruneHistory } from "../../src/retention/prune-history.ts";
import type { EventContent, NewChannelEvent } from "../../src/observe/events.ts";
import { deliverAll } from "../support/jobs.ts";
import { countCastsIn } from "../../src/moderation/count-casts.ts";
import { silentLog } from "../../src/log.ts";
import { listRights } from "../../src/moderation/authorize.ts";
import { countInviteCalls } from "../../src/moderation/cases/case.ts";
import { listNewestCases } from "../../src/moderation/cases/list-cases.ts";
import { listCasts } from "../../src/moderation/bulks/find-casts.ts";
import { suggestCasts } from "../../src/moderation/suggest-casts.ts";
import { suggestUsers } from "../../src/moderation/suggest-users.ts";
import { readPast } from "../../src/rules/rehearse/past-events.ts";
import { intervalOf } from "../../src/queue/worker.ts";
import { idWorkers, workers } from "../../workers/index.ts";
import { recordStatements, type Statement } from "../support/database.ts";
import { countRead, findScans, type Plan } from "../support/plans.ts";
import { requireServers } from "../support/services.ts";
import { createWorld, seedChannel, type World } from "../support/world.ts";

/*
 * What a busy installation has after a year, on a server: no statement that comes often may read a large table from its
 * beginning to its end. The statements are those that the program sends, with their values; EXPLAIN says how they are run.
 */

/** A table that may be read as a whole has at most so many rows. */
const maxRead = 5_000;
/** What somebody waits for reads at most so many rows. */
const maxRowsRead = 20_000;

let bot: World;
beforeAll(async () => {
  requireServers();
  bot = await createWorld();
  await seedChannel(bot, "c-1", "g-1");
  for (const [what, count] of fillings) await fill(what, count);
  await sql`select setval(pg_get_serial_sequence('castellan.feed_messages', 'id'), ${million})`.execute(
    bot.database.query,
  );
  await sql`analyze`.execute(bot.database.query);
}, 600_000);
afterAll(() => bot.database.close());

const million = 1_000_000;
/** Statements that add the rows from `$1` to `$2`, and how many rows in all: some of each installation-wide table. */
const fillings: [statement: string, count: number][] = [
  [
    `insert into castellan.events (id, source_key, kind, channel_id, subject_fid, cast_hash, occurred_at, observed_at_ms, depth, data)
     select n, 'large:' || n, case when n % 50 = 0 then 'user.banned' else 'cast.created' end, 'c-' || n % 2000, n % 50000,
       case when n % 50 <> 0 then '0x' || n end, 1700000000 + n, 1700000000000 + n * 1000, 0, '{"text": "said", "mentions": [], "embeds": []}' from generate_series($1::int, $2::int) n`,
    million,
  ],
  [
    `insert into castellan.casts (hash, channel_id, fid, text, root_hash, thread_depth, cast_at)
     select '0x' || n, 'c-' || n % 2000, n % 50000, 'said', '0x' || n, 0, 1700000000 + n from generate_series($1::int, $2::int) n`,
    million,
  ],
  [
    `insert into castellan.feed_messages (id, room_id, state, embeds_json, discord_id, bound_at_ms, settled_at_ms) overriding system value
     select n, 'r-' || n % 1000, 'sent', '[]', n, n, 1700000000000 + n from generate_series($1::int, $2::int) n`,
    300_000,
  ],
  [
    `insert into castellan.feed_rows (room_id, event_id, message_id, post_group)
     select 'r-' || n % 1000, n, 1 + n % 300000, case when n % 20 = 0 then 'case ' || n end from generate_series($1::int, $2::int) n`,
    million,
  ],
  [
    `insert into castellan.cases (guild_id, channel_id, number, target_key, kind, state, actor_kind, subject_fid, target_fid, target_cast,
       event_id, requested_at_ms, settled_at_ms)
     select 'g-' || n % 500, 'c-' || n % 2000, 1000 + n, 'target ' || n % 100000, case when n % 2 = 0 then 'ban' else 'hide' end, 'applied', 'person',
       n % 50000, n % 50000, case when n % 2 = 1 then '0x' || n end, n, 1700000000000 + n, 1700000000000 + n from generate_series($1::int, $2::int) n`,
    150_000,
  ],
  [
    `insert into castellan.listing_entries (channel_id, listing, fid, at)
     select 'c-' || n % 2000, (array['bans', 'members'])[n % 2 + 1], n, 0 from generate_series($1::int, $2::int) n`,
    300_000,
  ],
  [
    `insert into castellan.names (name, fid, owner, since)
     select 'name-' || n, n, '0x', 0 from generate_series($1::int, $2::int) n`,
    300_000,
  ],
  [
    `insert into castellan.shown_names (fid, name, since) select n, 'name-' || n, 0 from generate_series($1::int, $2::int) n`,
    300_000,
  ],
  [
    `insert into castellan.rule_evaluations (event_id, guild_id, channel_id, settled_at_ms)
     select n, 'g-' || n % 500, 'c-' || n % 2000, n from generate_series($1::int, $2::int) n`,
    300_000,
  ],
  [
    `insert into castellan.links (guild_id, channel_id, channel_url, channel_name, linked_by, linked_at_ms, verified_at_ms)
     select 'g-' || n % 500, 'c-' || n, 'chain://' || n, 'c-' || n, '1', 0, 0 from generate_series($1::int, $2::int) n on conflict do nothing`,
    1_999,
  ],
  [
    `insert into castellan.feeds (guild_id, room_id, channel_ids, kinds, created_by, created_at_ms)
     select 'g-' || n % 500, 'r-' || n % 1000, array['c-' || n % 2000], array['bans', 'records'], '1', 0 from generate_series($1::int, $2::int) n`,
    20_000,
  ],
  [
    `insert into castellan.strikes (guild_id, channel_id, fid, points, given_at_ms, expires_at_ms)
     select 'g-' || n % 500, 'c-' || n % 2000, n, 1, 1700000000000, 1700000000000 + n from generate_series($1::int, $2::int) n`,
    20_000,
  ],
  [
    `insert into castellan.records (channel_id, cast_hash, action, moderated_at)
     select 'c-' || n % 2000, '0x' || n, 'hide', 1700000000 + n from generate_series($1::int, $2::int) n`,
    20_000,
  ],
  [
    `insert into castellan.review_items (guild_id, channel_id, queue, event_id, rule_id, rule_version, depth, actions, state, queued_at_ms, decided_at_ms)
     select 'g-' || n % 500, 'c-' || n % 2000, 'q', n, 'r', 1, 0, '[]', 'hidden', 1700000000000, 1700000000000 + n from generate_series($1::int, $2::int) n`,
    20_000,
  ],
  [
    `insert into castellan.outbox (kind, key, destination, requested_at_ms, due_at_ms, state, settled_at_ms)
     select case when n % 2 = 0 then 'edit' else 'webhook' end, n, 'r-' || n % 1000, 0, 0, 'sent', 1700000000000 + n from generate_series($1::int, $2::int) n`,
    20_000,
  ],
  [
    `insert into castellan.room_queues (room_id, guild_id) select 'r-' || n, 'g-' || n % 500 from generate_series($1::int, $2::int) n`,
    1_000,
  ],
];

/** A statement has fifteen seconds. */
const chunk = 20_000;

async function fill(statement: string, count: number): Promise<void> {
  for (let from = 1; from <= count; from += chunk) {
    await bot.database.pool.query(statement, [from, Math.min(count, from + chunk - 1)]);
  }
  await sql`update castellan.counters set last_id = ${million} where name = 'events'`.execute(
    bot.database.query,
  );
}

const explainable = /^\s*(select|insert|update|delete|with)\b/i;

async function explain(options: string, { text, values }: Statement): Promise<Plan> {
  const { rows } = await bot.database.pool.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
    `explain (${options}, verbose, format json) ${text}`,
    values,
  );
  const plan = rows[0]?.["QUERY PLAN"][0].Plan;
  if (!plan) throw new Error(`EXPLAIN says nothing of ${text}`);
  return plan;
}

/** What is read as a whole by which statement; asks how each is run, and runs none. */
async function explainAll(statements: readonly Statement[]): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select relnamespace::regnamespace || '.' || relname as name from pg_class where relkind = 'r' and reltuples > ${maxRead}
  `.execute(bot.database.query);
  const large = new Set(tables.map(({ name }) => name));
  const scans = new Set<string>();
  for (const statement of statements) {
    if (!explainable.test(statement.text)) continue;
    const plan = await explain("costs", statement);
    for (const table of findScans(plan, large)) scans.add(`${table}: ${oneLine(statement)}`);
  }
  return [...scans];
}

const oneLine = ({ text }: Statement) => text.replaceAll(/\s+/g, " ");

/** The selects of `work` that read many rows, along whatever index: runs each again. */
async function findLongReads(work: () => Promise<unknown>): Promise<string[]> {
  const statements = await recordStatements(work);
  const found: string[] = [];
  for (const statement of statements.filter(({ text }) => /^\s*(select|with)\b/i.test(text))) {
    const rows = countRead(await explain("analyze", statement));
    if (rows > maxRowsRead) found.push(`${rows}: ${oneLine(statement)}`);
  }
  if (statements.length === 0) throw new Error("nothing was asked");
  return found;
}

/** What the statements of `work` read as a whole. */
async function findScansOf(work: () => Promise<unknown>): Promise<string[]> {
  const statements = await recordStatements(work);
  if (statements.length === 0) throw new Error("nothing was asked");
  return explainAll(statements);
}

/** These ask the network about each of the channels here, which it does not have. */
const asksNetwork: ReadonlySet<string> = new Set([
  "poll-records",
  "poll-listings",
  "poll-followers",
  "become-moderator",
]);

let told = 0;
const happened = (content: EventContent, caseId: number | null = null): NewChannelEvent => ({
  ...content,
  sourceKey: `told:${(told += 1)}`,
  channelId: "c-1",
  subjectFid: 7,
  occurredAt: 1_800_000_000,
  observedAt: 1_800_000_000_000,
  depth: 0,
  caseId,
});

describe("with a million rows, nothing reads a large table as a whole", () => {
  test("that asks whether there is work", async () => {
    const asked = workers.flatMap(({ isDue }) => (isDue ? [isDue] : []));
    expect(asked.length).toBeGreaterThan(5);
    const scans = await findScansOf(async () => {
      for (const isDue of asked) await isDue(bot);
      for (const { findDue } of idWorkers) await findDue(bot, 200).execute(bot.database.query);
    });
    expect(scans).toEqual([]);
  });

  test("that stores what happened and lets the rooms know", async () => {
    const events = [
      happened({ kind: "user.banned", data: { at: 0 } }),
      happened({ kind: "user.banned", data: { at: 0 } }, 2),
      happened({ kind: "record.hidden", data: { castHash: "0x1" } }, 1),
    ];
    expect(await findScansOf(() => bot.happen(...events))).toEqual([]);
  });

  test("that posts it", async () => {
    expect(await findScansOf(() => deliverAll(bot, bot.rooms))).toEqual([]);
  });

  test("that is done every few seconds", async () => {
    const often = workers.filter(
      (worker) => (intervalOf(worker, bot) ?? Infinity) <= 10_000 && !asksNetwork.has(worker.name),
    );
    expect(often.length).toBeGreaterThan(5);
    const job = { key: undefined, attempt: 1, signal: new AbortController().signal, log: silentLog };
    const scans = await findScansOf(async () => {
      for (const worker of often) await worker.run(bot, job);
    });
    expect(scans).toEqual([]);
  });

  test("that says who is banned", async () => {
    const { query } = bot.database;
    expect(await findScansOf(() => countCastsIn(query, ["c-1", "c-2"], 7))).toEqual([]);
  });

  test("that a command asks about all channels of a server", async () => {
    const { query } = bot.database;
    const channelIds = Array.from({ length: 200 }, (_, index) => `c-${index}`);
    const actor = { userId: "1", guildId: "g-1", roomId: "r-1", roleIds: [], managesServer: false };
    const past = { guildId: "g-1", channelIds: channelIds.slice(0, 4), since: 1_700_000_000 };
    const scans = await findScansOf(async () => {
      await listRights(bot, actor);
      await listNewestCases(query, "g-1", channelIds, { inEach: 100, inAll: 1000 });
      await countInviteCalls(bot, channelIds);
      await readPast(query, past, { first: 1, last: million }, 500);
    });
    expect(scans).toEqual([]);
  });

  test("and no command or suggestion reads the history of all channels of a server", async () => {
    const channelIds = Array.from({ length: 200 }, (_, index) => `c-${index}`);
    const { query } = bot.database;
    const before = { castAt: 1_700_500_000, hash: "0x" };
    const asked = { guildId: "g-1", channelIds };
    const long = await findLongReads(async () => {
      await listCasts(query, channelIds, {}, undefined, 26);
      await listCasts(query, channelIds, { hidden: false }, before, 26);
      await suggestCasts(bot, { visibleIn: channelIds, hiddenIn: [] }, "zebra");
      await suggestUsers(bot, { ...asked, purpose: "ban" }, "");
      await suggestUsers(bot, { ...asked, purpose: "case" }, "");
    });
    expect(long).toEqual([]);
  });

  test("that deletes what is old", async () => {
    const now = (1_700_000_000 + 2_000) * 1000 + bot.settings.history.seconds * 1000;
    const clock = { ...bot.clock, now: () => now };
    expect(await findScansOf(() => pruneHistory({ ...bot, clock }))).toEqual([]);
  });

  test("that deletes what is obsolete", async () => {
    expect(await findScansOf(() => pruneObsolete(bot))).toEqual([]);
  });

  test("that shows a review", async () => {
    const { query } = bot.database;
    expect(await findScansOf(() => readReviews(query, [1, 2, 3], bot.clock.now()))).toEqual([]);
  });
});
