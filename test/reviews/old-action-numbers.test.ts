import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../src/database/migrate.ts";
import { migrations } from "../../src/database/migrations/index.ts";
import { createProposeRuleAction } from "../../src/moderation/cases/propose.ts";
import { reopenItem } from "../../src/reviews/reopen-item.ts";
import { openTestDatabase } from "../support/database.ts";
import { createTestClock } from "../support/world.ts";

/** What stood in one number before migration 0191, and what it said. */
const old = [
  { number: 0, round: 0, source: "rule", index: 0 },
  { number: 3, round: 0, source: "rule", index: 3 },
  { number: 100, round: 0, source: "person", index: 0 },
  { number: 500, round: 0, source: "undo", index: 0 },
  { number: 503, round: 0, source: "undo", index: 3 },
  { number: 1001, round: 1, source: "rule", index: 1 },
  { number: 1100, round: 1, source: "person", index: 0 },
  { number: 2101, round: 2, source: "person", index: 0 },
  { number: 2601, round: 2, source: "undo", index: 0 },
];

const database = await openTestDatabase();
const clock = createTestClock();
afterAll(() => database.close());

beforeAll(async () => {
  await sql`drop schema if exists network, castellan cascade`.execute(database.query);
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0191"));
  await migrate(database, before);
  for (const { number } of old) {
    await sql`insert into castellan.cases (guild_id, channel_id, number, lane, kind, state, target_cast, subject_fid, actor_kind,
        rule_id, rule_version, cause_event_id, action_index, requested_at_ms)
      values ('900', 'memes', ${number + 1}, 'memes 0xc', 'hide', 'applied', '0xc', 7, 'person', 'scam', 1, 5, ${number}, 1)
    `.execute(database.query);
    await sql`insert into castellan.strikes (guild_id, channel_id, fid, points, given_at_ms, event_id, rule_id, rule_version,
        action_index) values ('900', 'memes', 7, 1, 1, 5, 'scam', 1, ${number})`.execute(database.query);
    await sql`insert into castellan.user_notes (guild_id, channel_id, fid, text, written_at_ms, event_id, rule_id, action_index)
      values ('900', 'memes', 7, 'x', 1, 5, 'scam', ${number})`.execute(database.query);
    await sql`insert into castellan.events (id, source_key, kind, channel_id, subject_fid, occurred_at, observed_at_ms, depth, data)
      values (${number + 10}, ${`strike 5 900 memes scam ${number}`}, 'strike.added', 'memes', 7, 1, 1, 1, '{}')
    `.execute(database.query);
  }
  await sql`insert into castellan.cases (guild_id, channel_id, number, lane, kind, state, target_fid, actor_kind, requested_at_ms)
    values ('900', 'memes', 9999, 'memes 8', 'ban', 'applied', 8, 'person', 1)`.execute(database.query);
  await sql`insert into castellan.case_numbers (guild_id, channel_id, last_number) values ('900', 'memes', 9999)`.execute(
    database.query,
  );
  await migrate(database);
});

test.each(["cases", "strikes", "user_notes"])(
  "%s say in columns what they said in one number",
  async (table) => {
    const { rows } = await sql`select review_round as round, action_source as source, action_index as index
    from ${sql.table(`castellan.${table}`)} where rule_id is not null order by id`.execute(database.query);
    expect(rows).toEqual(old.map(({ number: _, ...said }) => said));
  },
);

test("what no rule and no review asked for says nothing", async () => {
  const byHand = await database.query
    .selectFrom("castellan.cases")
    .select(["review_round", "action_source", "action_index"])
    .where("rule_id", "is", null)
    .execute();
  expect(byHand).toEqual([{ review_round: null, action_source: null, action_index: null }]);
});

test("events of strikes are found by the columns", async () => {
  const keys = await database.query
    .selectFrom("castellan.events")
    .select("source_key")
    .orderBy("id")
    .execute();
  expect(keys.map(({ source_key }) => source_key)).toEqual(
    expect.arrayContaining([
      "strike 5 900 memes scam 0",
      "strike 5 900 memes scam 3",
      "strike 5 900 memes scam 1 round 1",
    ]),
  );
});

test("a decision of an earlier version is taken back", async () => {
  const { id } = await database.query
    .insertInto("castellan.review_items")
    .values({
      guild_id: "900",
      channel_id: "memes",
      queue: "scam",
      event_id: 5,
      rule_id: "scam",
      rule_version: 1,
      depth: 1,
      fid: 7,
      cast_hash: "0xc",
      evidence: null,
      why: null,
      actions: "[]",
      queued_at_ms: 1,
      round: 1,
      state: "hidden",
      decided_by: "50",
      decided_at_ms: 1,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const context = { clock, propose: createProposeRuleAction(clock) };
  const undone = await database.transaction((tx) => reopenItem(tx, context, id, { userId: "50", fid: 2 }));
  const cases = await database.query
    .selectFrom("castellan.cases")
    .select(["kind", "target_cast", "review_round", "action_source", "action_index"])
    .where("id", "in", undone.caseIds)
    .execute();
  expect(cases).toEqual([
    { kind: "unhide", target_cast: "0xc", review_round: 1, action_source: "undo", action_index: 0 },
  ]);
});
