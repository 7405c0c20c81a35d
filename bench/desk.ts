import { sql } from "kysely";
import { commands } from "../commands/index.ts";
import type { RawValues } from "../src/discord/command.ts";
import { findHandler } from "../src/discord/find-handler.ts";
import { readArguments } from "../src/discord/run-command.ts";
import type { Database } from "../src/database/database.ts";
import { countFitting, listCases, type CaseFilter } from "../src/moderation/cases/list-cases.ts";
import { commandContext, createWorld, people, seedChannel, verifyDiscord } from "../test/support/world.ts";
import { prepareTemplate } from "../test/support/database-template.ts";
import { judge, median, percentile, row, write } from "./figures.ts";

/**
 * Response times for a moderator of a server with a million cases: `/case show` with each filter, `/who`, and
 * suggestions with 100,000 names. Without Discord: measures the database and the processing of its results.
 */
const cases = 1_000_000;
const names = 100_000;
const casts = 300_000;
const together = 20_000;
const rounds = 15;
const goals = { list: 50, who: 300, suggestions: 200 };
const guildId = "900";
const channelId = "memes";
const startMs = 1_700_000_000_000;

/** A phrase from an old wave of spam that hardly occurs in newer cases. */
async function addCases(database: Database, from: number): Promise<void> {
  await sql`
    insert into castellan.cases (guild_id, channel_id, number, target_key, kind, state, target_fid, target_cast, subject_fid,
      actor_kind, actor_user, rule_id, public_reason, evidence, requested_at_ms)
    select ${guildId}, ${channelId}, n, 'memes ' || n % 200000,
      case when n % 100000 = 0 then 'unpin' when n % 3 = 0 then 'ban' else 'hide' end,
      case when n % 200000 = 7 then 'failed' when n % 5 = 0 then 'reverted' else 'applied' end,
      case when n % 3 = 0 then 1000000 + n % 100000 end, case when n % 3 > 0 then '0x' || lpad(to_hex(n), 40, '0') end,
      1000000 + n % 100000, 'person', case when n % 250000 = 3 then 'rare' else 'mod' || n % 10 end,
      case when n % 4 = 0 then 'rule' || n % 50 end, 'spam again',
      'buy lamps number ' || n || ' at the shop' || case when n < 100000 then ' wave' else '' end
        || case when n % 7 = 0 then ' seventh' else '' end,
      ${startMs}::bigint + n::bigint * 1000
    from generate_series(${from}::integer, ${from + together - 1}::integer) n
  `.execute(database.query);
}

async function addCasts(database: Database, from: number): Promise<void> {
  await sql`
    insert into castellan.casts (hash, channel_id, fid, text, root_hash, thread_depth, cast_at, embeds)
    select '0x' || lpad(to_hex(i), 40, '0'), ${channelId}, 1000000 + i % 100000, 'words ' || i, '0x', 0, i, '[]'
    from generate_series(${from}::integer, ${from + together - 1}::integer) i
  `.execute(database.query);
}

async function fill(database: Database): Promise<void> {
  // In parts, because a statement has a timeout.
  for (let from = 1; from <= cases; from += together) await addCases(database, from);
  await sql`
    insert into castellan.names (name, fid, owner, since)
    select 'user' || i, 1000000 + i, '0x', 1 from generate_series(1, ${names}) i
  `.execute(database.query);
  for (let from = 1; from <= casts; from += together) await addCasts(database, from);
  await sql`insert into castellan.case_numbers values (${guildId}, ${channelId}, ${cases})`.execute(
    database.query,
  );
  // As autovacuum does, or vacuumTables on the embedded engine.
  for (const table of ["cases", "names", "casts"])
    await database.pool.query(`vacuum analyze castellan.${table}`);
}

const at = (second: number) => startMs + second * 1000;
const filters: Record<string, Partial<CaseFilter>> = {
  nothing: {},
  person: { subjectFid: 1_000_077 },
  moderator: { actorUser: "mod3" },
  "rare moderator": { actorUser: "rare" },
  rule: { ruleId: "rule8" },
  action: { kind: "hide" },
  "rare action": { kind: "unpin" },
  "rare state": { state: "failed" },
  "an hour": { sinceMs: at(500_000), untilMs: at(503_600) },
  "the first minutes": { untilMs: at(500) },
  "since long ago": { sinceMs: at(1000) },
  "an hour, action": { sinceMs: at(500_000), untilMs: at(503_600), kind: "hide" },
  "common word": { words: "spam" },
  "every seventh": { words: "seventh" },
  "rare words": { words: "number 4242" },
  "word of nobody": { words: "zebra" },
  "old wave": { words: "wave" },
  "old wave, rare moderator": { words: "wave", actorUser: "rare" },
  "rare word, moderator": { words: "4242", actorUser: "mod2" },
  "word within an hour": { words: "seventh", sinceMs: at(500_000), untilMs: at(503_600) },
};

/** Milliseconds of each of several runs. The first one plans, and reads cold data. */
async function time(work: (round: number) => Promise<unknown>, times = rounds): Promise<number[]> {
  const taken: number[] = [];
  for (let round = -2; round < times; round += 1) {
    const begun = performance.now();
    await work(round);
    if (round >= 0) taken.push(performance.now() - begun);
  }
  return taken;
}

await prepareTemplate();
const bot = await createWorld();
const { database } = bot;
await seedChannel(bot, channelId, guildId);
await verifyDiscord(bot, people.moderator, "1002");
const filling = performance.now();
await fill(database);
write(
  `${cases} cases, ${names} names, ${casts} casts in ${((performance.now() - filling) / 1000).toFixed(0)} s`,
);
const context = commandContext(bot, {
  userId: "1002",
  guildId,
  roomId: "room",
  roleIds: [],
  managesServer: false,
});

let met = true;
const judged = (name: string, values: readonly number[], goal: number, share = 50) => {
  met = judge(name, percentile(values, share), { most: goal }) && met;
};

async function runCommand(path: string, raw: RawValues): Promise<void> {
  const handler = findHandler(commands, path);
  if (handler?.kind !== "answer") throw new Error(`/${path} asks first`);
  await handler.run(context, await readArguments(context, handler.options, raw));
}

try {
  for (const [name, filter] of Object.entries(filters)) {
    const asked = { guildId, channelId, ...filter };
    const list = await time(() => listCases(database.query, { ...asked, limit: 11 }));
    const count = await time(() => countFitting(database.query, asked, 1001));
    const both = list.map((ms, index) => ms + (count[index] ?? 0));
    write(row(`  ${name}: list, count (ms)`, median(list).toFixed(1), median(count).toFixed(1)));
    judged(`/case show by ${name} (ms)`, both, goals.list);
  }
  judged(
    "/who, p99 (ms)",
    await time((round) => runCommand("who", { user: String(1_000_100 + round) })),
    goals.who,
    99,
  );
  for (const [path, option] of [
    ["ban", "user"],
    ["case show", "user"],
    ["case show", "number"],
    ["who", "user"],
    ["hide", "cast"],
    ["undo", "what"],
  ] as const) {
    const suggest = findHandler(commands, path)?.options[option]?.suggest;
    if (!suggest) throw new Error(`/${path} suggests nothing for ${option}`);
    const typed = ["", "u", "user", "user9", "user9999", "zz", "99", "words 12"];
    const taken = await time(
      (round) => suggest(typed[(round + 2) % typed.length] ?? "", context, {}),
      typed.length * 5,
    );
    judged(`suggestions of /${path}, p99 (ms)`, taken, goals.suggestions, 99);
  }
} finally {
  await database.close();
}
process.exit(met ? 0 : 1);
