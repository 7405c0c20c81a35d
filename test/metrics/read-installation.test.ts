import { expect, it } from "vitest";
import { readInstallation } from "../../src/metrics/read-installation.ts";
import type { Sample } from "../../src/metrics/samples.ts";
import { useTestDatabase } from "../support/test-cases.ts";

const database = await useTestDatabase();

const now = 1_700_000_000_000;
const context = {
  database,
  clock: { now: () => now, monotonic: () => now },
  settings: { hubShard: undefined },
};

async function read(name: Sample[0]): Promise<Record<string, number>> {
  const samples = await readInstallation(context);
  const own = samples.filter(([of]) => of === name);
  return Object.fromEntries(own.map(([, value, labels = {}]) => [Object.values(labels).join(), value]));
}

it("tells of each shard of the hub how far it is behind, and of each kind of source how old its news is", async () => {
  const source = (name: string, ago: number) => ({
    source: name,
    channel_id: null,
    succeeded_at_ms: now - ago * 1000,
  });
  await database.query
    .insertInto("castellan.sources")
    .values([
      { ...source("hub/1", 1), newest_at: now / 1000 - 300, behind: true },
      { ...source("hub/2", 40), newest_at: now / 1000 - 300, failing_since_ms: now },
      source("channel-events", 5),
      source("past/over", 9_999),
      { ...source("records/unlinked", 9_999), channel_id: "unlinked" },
    ])
    .execute();
  expect(await read("castellan_hub_lag_seconds")).toEqual({ 1: 300, 2: 0 });
  expect(await read("castellan_source_age_seconds")).toEqual({ hub: 40, "channel-events": 5 });
  expect(await read("castellan_sources_failing")).toEqual({ hub: 1, "channel-events": 0, past: 0 });
});

/** Rows as if what they stand for happened so many seconds ago. */
async function insert(statements: string): Promise<void> {
  const at = (ago: string) => String(now - Number(ago) * 1000);
  await database.pool.query(statements.replaceAll(/ago\((\d+)\)/g, (_, ago: string) => at(ago)));
}

const events = (...ages: number[]) => `
  insert into castellan.events (id, source_key, kind, occurred_at, observed_at_ms, depth, data)
  values ${ages.map((age, index) => `(${index + 1}, 'e${index}', 'cast.added', 0, ago(${age}), 0, '{}')`).join()};`;

it("tells what waits to be posted, and ages only what could be", async () => {
  await insert(`${events(500, 400, 300, 200, 100)}
    insert into castellan.room_queues (room_id, guild_id, paused_since_ms, held_until_ms)
    values ('open', 'g', null, 0), ('paused', 'g', ago(10), 0), ('quiet', 'g', null, ago(0) + 1);
    insert into castellan.feeds (guild_id, room_id, kinds, created_by, created_at_ms)
    values ('g', 'paused', '{}', 'u', 0);
    insert into castellan.feed_messages (room_id, state, embeds_json, bound_at_ms)
    values ('open', 'bound', '[]', 0), ('open', 'parked', '[]', 0), ('open', 'sent', '[]', 0);
    insert into castellan.feed_rows (room_id, event_id, rank, message_id)
    values ('open', 1, 0, null), ('open', 2, 0, (select id from castellan.feed_messages where state = 'bound')),
      ('paused', 3, 0, null), ('quiet', 4, 1, null), ('quiet', 1, 0, null),
      ('open', 5, 2, (select id from castellan.feed_messages where state = 'sent'));`);
  expect(await read("castellan_feed_waiting")).toEqual({ 0: 4, 1: 1 });
  expect(await read("castellan_feed_oldest_seconds")).toEqual({ 0: 500, 1: 0 });
  expect(await read("castellan_feed_rooms_paused")).toEqual({ "": 1 });
  expect(await read("castellan_feed_unsent_messages")).toEqual({ blocked: 0, parked: 1 });
});

it("tells which actions, evaluations and messages are open, and for how long", async () => {
  await insert(`${events(60, 50)}
    insert into castellan.rule_evaluations (event_id, guild_id, channel_id, attempts, settled_at_ms)
    values (1, 'g', 'c', 0, null), (2, 'g', 'c', 5, null), (2, 'g', 'd', 0, 1);
    insert into castellan.bulks (guild_id, channel_id, number, kind, selection, requested_by, targets, begun_at_ms)
    values ('g', 'c', 1, 'ban', 'people', 'u', 1, 0);
    insert into castellan.cases (guild_id, channel_id, number, target_key, kind, state, actor_kind, requested_at_ms, waiting_reason, bulk_id)
    values ('g', 'c', 1, 'a', 'ban', 'requested', 'person', ago(30), 'response', null),
      ('g', 'c', 2, 'b', 'ban', 'applied', 'person', ago(900), null, null),
      ('g', 'c', 3, 'c', 'ban', 'requested', 'person', ago(900), null, (select id from castellan.bulks));
    insert into castellan.outbox (kind, key, destination, requested_at_ms, due_at_ms, state)
    values ('edit', '1', 'r', ago(20), 0, 'waiting'), ('edit', '2', 'r', ago(5), 0, 'waiting'), ('notice', '3', 'p', 0, 0, 'failed');
    insert into castellan.rule_sets (guild_id, version, source, change, saved_by, saved_at_ms)
    values ('g', 1, '', '', 'u', 0), ('g', 2, '', '', 'castellan', 0), ('h', 1, '', '', 'castellan', 0), ('h', 2, '', '', 'u', 0);
    insert into castellan.rules_in_force (guild_id, version, event_kinds) values ('g', 2, '{}'), ('h', 2, '{}');`);
  expect(await read("castellan_evaluations_waiting")).toEqual({ "": 1 });
  expect(await read("castellan_evaluations_oldest_seconds")).toEqual({ "": 60 });
  expect(await read("castellan_evaluations_failed")).toEqual({ "": 1 });
  expect(await read("castellan_cases_open")).toEqual({ response: 1, nothing: 1 });
  expect(await read("castellan_cases_oldest_seconds")).toEqual({ response: 30, nothing: 0 });
  expect(await read("castellan_outbox_waiting")).toEqual({ edit: 2 });
  expect(await read("castellan_outbox_oldest_seconds")).toEqual({ edit: 20 });
  expect(await read("castellan_servers_with_stopped_rules")).toEqual({ "": 1 });
});
