import { sql } from "kysely";
import { beforeEach, expect, it } from "vitest";
import { pruneObsolete } from "../../src/retention/prune-obsolete.ts";
import { guild } from "../support/observer.ts";
import { useObserver } from "../support/scenes.ts";

const observer = await useObserver();
beforeEach(() => observer.link("memes"));

const day = 86_400_000;
const run = (statement: string) => observer.context.database.pool.query(statement);
const now = () => observer.context.clock.now();
async function left(column: string, table: string): Promise<unknown[]> {
  const { rows } = await sql<{ value: unknown }>`
    select ${sql.ref(column)} as value from ${sql.table(`castellan.${table}`)} order by 1
  `.execute(observer.context.database.query);
  return rows.map(({ value }) => value);
}

it("Messages go with the history, unless they are on their way, to be edited, or ask for a decision", async () => {
  const old = now() - 31 * day;
  await run(`
    insert into castellan.events select id, case id when 5 then 'held 1' else 'e' || id end, 'review.held', 'memes',
      null, null, 1, 1, 0, null, '{}' from generate_series(1, 6) as id;
    insert into castellan.feed_messages (room_id, state, embeds_json, bound_at_ms, settled_at_ms) values
      ('1', 'sent', '[]', 1, ${old}), ('1', 'parked', '[]', 1, ${old}), ('1', 'sent', '[]', 1, ${now()}),
      ('1', 'bound', '[]', 1, null), ('1', 'sent', '[]', 1, ${old}), ('1', 'sent', '[]', 1, ${old});
    insert into castellan.feed_rows select '1', id, id from generate_series(1, 6) as id;
    insert into castellan.review_items (guild_id, channel_id, queue, event_id, rule_id, rule_version, depth, actions, queued_at_ms)
      values ('${guild}', 'memes', 'q', 5, 'r', 1, 1, '[]', 1);
    insert into castellan.erasures (fid, up_to_event_id, requested_at_ms, repeat_until_ms) values (1, 1, 1, 1);
    insert into castellan.outbox (kind, key, destination, erasure_id, requested_at_ms, due_at_ms) values ('edit', '6', '1', 1, 1, 1);
  `);
  await pruneObsolete(observer.context);
  expect(await left("id", "feed_messages")).toEqual([3, 4, 5, 6]);
  expect(await left("event_id", "feed_rows")).toEqual([3, 4, 5, 6]);
});

it("Calls of a webhook that is gone go, and no others", async () => {
  await run(`
    insert into castellan.webhooks (guild_id, name, url, secret, events, channel_ids, created_by, created_at_ms)
      values ('${guild}', 'log', 'https://log.example', 's', '{health}', '{memes}', '1', 1);
    insert into castellan.outbox (kind, key, destination, requested_at_ms, due_at_ms)
      select 'webhook', 'call ' || id, 'webhook ' || id, 1, 1 from castellan.webhooks
      union all select 'webhook', 'lost', 'webhook 0', 1, 1 union all select 'edit', '1', 'webhook 0', 1, 1;
  `);
  await pruneObsolete(observer.context);
  expect(await left("key", "outbox")).toEqual(["1", expect.stringMatching(/^call/)]);
});

it("What is decided, expired or healed goes when no rule looks back so far; what is open stays", async () => {
  const [old, young] = [now() - 91 * day, now() - 89 * day];
  await run(`
    insert into castellan.review_items (guild_id, channel_id, queue, event_id, rule_id, rule_version, depth, actions,
      queued_at_ms, state, decided_at_ms) values
      ('g', 'memes', 'q', 1, 'r', 1, 1, '[]', 1, 'approved', ${old}),
      ('g', 'memes', 'q', 2, 'r', 1, 1, '[]', 1, 'approved', ${young}),
      ('${guild}', 'memes', 'q', 3, 'r', 1, 1, '[]', 1, 'open', null),
      ('g', 'memes', 'q', 4, 'r', 1, 1, '[]', ${young}, 'open', null),
      ('g', 'memes', 'q', 5, 'r', 1, 1, '[]', ${old}, 'open', null);
    insert into castellan.strikes (guild_id, channel_id, fid, points, given_at_ms, expires_at_ms, event_id, rule_id,
      rule_version, action_index) values
      ('g', 'memes', 1, 1, 1, ${old}, 1, 'r', 1, 0), ('g', 'memes', 2, 1, 1, ${young}, 2, 'r', 1, 0),
      ('g', 'memes', 3, 1, 1, null, 3, 'r', 1, 0);
    insert into castellan.gaps (source, from_at, until_at, found_at_ms, healed_at_ms)
      values ('a', 1, 1, ${old}, 1), ('b', 1, 1, ${old}, null), ('c', 1, 1, ${young}, 1);
    insert into castellan.records (channel_id, cast_hash, action, moderated_at) values
      ('memes', 'a', 'hide', ${old} / 1000), ('memes', 'b', 'hide', ${young} / 1000), ('gone', 'c', 'hide', ${young} / 1000);
  `);
  await pruneObsolete(observer.context);
  // Also one whose channel is not linked now: it may be linked again.
  expect(await left("event_id", "review_items")).toEqual([2, 3, 4, 5]);
  expect(await left("fid", "strikes")).toEqual([2, 3]);
  expect(await left("source", "gaps")).toEqual(["b", "c"]);
  expect(await left("cast_hash", "records")).toEqual(["b"]);
});

it("Fifty versions of a server's rules stay, and the one in force", async () => {
  await run(`
    insert into castellan.rule_sets select 'g', version, '{}', 'import', '1', 1 from generate_series(1, 80) as version;
    insert into castellan.rules_in_force values ('g', 7, '{}');
  `);
  await pruneObsolete(observer.context);
  const versions = await left("version", "rule_sets");
  expect(versions).toEqual([7, ...Array.from({ length: 50 }, (_, index) => 31 + index)]);
});

it("What was seen of a channel that nobody is linked to goes, its source when nothing tells of it any more", async () => {
  await run(`
    insert into castellan.listing_entries (channel_id, listing, fid, at) values ('memes', 'bans', 1, 1), ('gone', 'bans', 1, 1);
    insert into castellan.channel_snapshots values ('memes', '{}'), ('gone', '{}');
    insert into castellan.sources (source, channel_id) values
      ('hub', null), ('listings/memes', 'memes'), ('listings/gone', 'gone'), ('listings/told', 'told');
    insert into castellan.events values (1, 'k', 'user.banned', 'told', 1, null, 1, 1, 0, null, '{}');
  `);
  await pruneObsolete(observer.context);
  expect(await left("channel_id", "listing_entries")).toEqual(["memes"]);
  expect(await left("channel_id", "channel_snapshots")).toEqual(["memes"]);
  expect(await left("source", "sources")).toEqual(["hub", "listings/memes", "listings/told"]);
});

it("Codes go a day after their time, with the casts of them; proofs go a day after they came where no link followed", async () => {
  const [old, young] = [now() - day - 1, now() - day + 60_000];
  await run(`
    insert into castellan.link_codes (code, guild_id, channel_id, user_id, room_id, made_at_ms, expires_at_ms) values
      ('a', '${guild}', 'memes', '1', '1', 1, ${old}), ('b', '${guild}', 'memes', '1', '1', 1, ${young});
    insert into castellan.code_casts (cast_hash, code, fid, merged_at, is_exact) values
      ('1', 'a', 1, 1, true), ('2', 'b', 1, 1, true);
    insert into castellan.staff_proofs (guild_id, channel_id, user_id, fid, method, proven_at_ms) values
      ('${guild}', 'memes', 'linked', 1, 'cast', ${old}), ('${guild}', 'art', 'old', 1, 'cast', ${old}),
      ('${guild}', 'art', 'young', 1, 'cast', ${young}), ('other', 'memes', 'other', 1, 'cast', ${old});
  `);
  await pruneObsolete(observer.context);
  expect(await left("code", "link_codes")).toEqual(["b"]);
  expect(await left("cast_hash", "code_casts")).toEqual(["2"]);
  expect(await left("user_id", "staff_proofs")).toEqual(["linked", "young"]);
});
