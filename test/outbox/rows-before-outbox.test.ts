import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../src/database/migrate.ts";
import { migrations } from "../../src/database/migrations/index.ts";
import { openTestDatabase } from "../support/database.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

/** What each kind had in a table or column of its own before migration 0197: pending, sent, and given up. */
beforeAll(async () => {
  await sql`drop schema if exists network, castellan cascade`.execute(database.query);
  const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0197"));
  await migrate(database, older);
  await database.pool.query(`
    insert into castellan.feed_lanes (room_id, guild_id) values ('room', 'g');
    insert into castellan.feed_messages (room_id, state, embeds_json, bound_at_ms) select 'room', 'sent', '[]', 1 from generate_series(1, 3);
    insert into castellan.erasures (fid, up_to_event_id, requested_at_ms, repeat_until_ms) values (7, 1, 1, 1);
    insert into castellan.message_edits (message_id, erasure_id, event_ids, state, requested_at_ms, retry_at_ms, attempts, settled_at_ms, error)
      values (1, 1, '{4,5}', 'waiting', 10, 20, 3, null, 'Busy.'), (2, null, '{6}', 'done', 10, 20, 0, 30, null),
        (3, 1, '{7}', 'unreachable', 10, 20, 9, 30, 'Gone.');
    insert into castellan.cases (guild_id, channel_id, number, lane, kind, state, target_fid, subject_fid, actor_kind, requested_at_ms)
      select 'g', 'memes', n, 'memes ' || n, 'ban', 'applied', n, n, 'person', 1 from generate_series(1, 5) as n;
    insert into castellan.notices (case_id, guild_id, fid, template, state, made_at_ms, retry_at_ms, settled_at_ms)
      values (1, 'g', 1, 'Hello', 'waiting', 10, 20, null), (2, 'g', 2, 'Hello', 'unreachable', 10, 20, 30);
    insert into castellan.review_items (guild_id, channel_id, queue, event_id, rule_id, rule_version, depth, deeds, held_at_ms, state,
        decided_at_ms, round)
      select 'g', 'memes', 'appeals', n, 'appeals', 0, 1, '[]', 1, case n when 1 then 'open' else 'dismissed' end,
        case n when 1 then null else 40 end, 1 from generate_series(1, 4) as n;
    insert into castellan.appeals (item_id, case_id, guild_id, user_id, made_at_ms, seen_round, sent_round)
      values (1, 1, 'g', 'u1', 1, 0, 0), (2, 2, 'g', 'u2', 1, null, 0), (3, 3, 'g', 'u3', 1, null, 1), (4, 4, 'g', 'u4', 1, 1, null);
    insert into castellan.link_codes (code, guild_id, channel_id, user_id, room_id, made_at_ms, expires_at_ms)
      values ('a', 'g', 'memes', 'u', 'room', 1, 1);
    insert into castellan.code_casts (cast_hash, code, fid, merged_at, is_exact, outcome, judged_at_ms, told_at_ms)
      values ('0x1', 'a', 1, 1, true, 'late', 50, null), ('0x2', 'a', 1, 1, true, 'late', 50, 60), ('0x3', 'a', 1, 1, true, null, null, null);
  `);
  await migrate(database);
});

test("what was pending is pending, with its attempts, and what an erasure's report counts is counted", async () => {
  const { rows } = await sql`
    select kind, key, destination, data, erasure_id as erasure, requested_at_ms as requested, due_at_ms as due, attempts, state, error
    from castellan.outbox order by array_position(array['edit', 'notice', 'answer', 'proof'], kind), key
  `.execute(database.query);
  const usual = { erasure: null, requested: 10, due: 20, attempts: 0, state: "waiting", error: null };
  const edit = { ...usual, kind: "edit", destination: "room" };
  const notice = { ...usual, kind: "notice", data: { template: "Hello" } };
  expect(rows).toEqual([
    { ...edit, key: "1", data: { eventIds: [4, 5] }, erasure: 1, attempts: 3, error: "Busy." },
    { ...edit, key: "2", data: { eventIds: [6] }, state: "sent" },
    { ...edit, key: "3", data: { eventIds: [7] }, erasure: 1, attempts: 9, state: "failed", error: "Gone." },
    { ...notice, key: "1", destination: "g 1" },
    { ...notice, key: "2", destination: "g 2", state: "failed" },
    { ...usual, kind: "answer", key: "2 1", destination: "u2", data: {}, requested: 40, due: 40 },
    { ...usual, kind: "proof", key: "0x1", destination: "room", data: {}, requested: 50, due: 50 },
  ]);
});
