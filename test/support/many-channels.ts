import type { World } from "./world.ts";

/** Rows of the channels `c-1` to `c-n`; `$1` is n, `$2` the server. Each channel has as much as /memes of `seedRights`. */
const statements = [
  // Whoever owns /memes owns them all; each has moderators of its own, too.
  `insert into network.accounts (fid, custody_address)
   select staff + n, '0x' || staff + n from generate_series(1, $1::int) n, unnest(array[100000, 200000]) staff where $2 <> ''`,
  `insert into network.verifications (fid, platform, platform_id, platform_username, verified_at)
   select staff + n, 'discord', 'd-' || staff + n, 'user', 1600000000
   from generate_series(1, $1::int) n, unnest(array[100000, 200000]) staff where $2 <> ''`,
  `insert into network.channels (id, url, name, lead_fid, created_at, member_count)
   select 'c-' || n, 'chain://' || n, 'c-' || n, 1, 1600000000, 5
   from generate_series(1, $1::int) n where $2 <> ''`,
  `insert into network.memberships (channel_id, fid, role, member_at)
   select 'c-' || n, fid, case when fid = lead_fid then 'owner' else 'moderator' end, 1600000000
   from generate_series(1, $1::int) n join network.channels on id = 'c-' || n,
   unnest(array[lead_fid, 2, 9001, 100000 + n, 200000 + n]) fid where $2 <> ''`,
  `insert into castellan.links (guild_id, channel_id, channel_url, channel_name, linked_by, linked_at_ms, verified_at_ms)
   select $2, 'c-' || n, 'chain://' || n, 'c-' || n, '1004', 0, 0 from generate_series(1, $1::int) n`,
  `insert into castellan.watched_channels (channel_id, url, since_ms)
   select 'c-' || n, 'chain://' || n, 0 from generate_series(1, $1::int) n where $2 <> ''`,
  `insert into castellan.channel_snapshots (channel_id, channel_json)
   select 'c-' || n, '{"leadFid": 1, "moderatorFids": [2, 9001]}' from generate_series(1, $1::int) n where $2 <> ''`,
  `insert into castellan.sources (source, channel_id, has_baseline, succeeded_at_ms)
   select kind || '/c-' || n, 'c-' || n, true, 1700000000000 from generate_series(1, $1::int) n, unnest(array['listings', 'records']) kind where $2 <> ''`,
  `insert into castellan.casts (hash, channel_id, fid, text, root_hash, thread_depth, embeds, cast_at, hidden)
   select '0xc' || hidden::int || lpad(n::text, 38, '0'), 'c-' || n, 7, 'gm', '0x', 0, '[]', 1699990000 + n, hidden
   from generate_series(1, $1::int) n, unnest(array[false, true]) hidden where $2 <> ''`,
  `insert into castellan.listing_entries (channel_id, listing, fid, at)
   select 'c-' || n, listing, fid, 1 from generate_series(1, $1::int) n, (values ('bans', 7), ('bans', 8), ('members', 3)) entry (listing, fid)
   where $2 <> ''`,
  `insert into castellan.case_numbers (guild_id, channel_id, last_number) select $2, 'c-' || n, 2 from generate_series(1, $1::int) n`,
  `insert into castellan.cases (guild_id, channel_id, number, target_key, kind, state, actor_kind, actor_user, target_fid, target_cast, subject_fid,
     requested_at_ms, settled_at_ms)
   select $2, 'c-' || n, case kind when 'ban' then 1 else 2 end, kind || ' c-' || n || ' 7', kind, 'applied', 'person', '1002',
     case when kind = 'ban' then 7 end, case when kind = 'hide' then '0xc1' || lpad(n::text, 38, '0') end, 7, 1699990000000 + n, 1699990000000 + n
   from generate_series(1, $1::int) n, unnest(array['ban', 'hide']) kind`,
  `insert into castellan.review_items (guild_id, channel_id, queue, event_id, rule_id, rule_version, depth, fid, queued_at_ms, actions)
   select $2, 'c-' || n, 'q', 2000 + n, 'scam', 1, 0, 7, 1, '[{"actionIndex":0,"sentence":"ban","action":{"kind":"ban","fid":7}}]'
   from generate_series(1, $1::int) n`,
  `insert into castellan.strikes (guild_id, channel_id, fid, points, given_at_ms, given_by)
   select $2, 'c-' || n, 7, 1, 1, '1002' from generate_series(1, $1::int) n`,
  `insert into castellan.user_notes (guild_id, channel_id, fid, text, written_at_ms, written_by)
   select $2, 'c-' || n, 7, 'look', 1, '1002' from generate_series(1, $1::int) n`,
  `insert into castellan.lockdowns (guild_id, channel_id, rule_id, begun_by, begun_at_ms, until_ms)
   select $2, 'c-' || n, 'lockdown', '1002', 1, 1800000000000 from generate_series(1, $1::int) n`,
  `insert into castellan.events (id, source_key, kind, channel_id, subject_fid, cast_hash, occurred_at, observed_at_ms, depth, data)
   select 2000 + n, 'cast:c-' || n, 'cast.created', 'c-' || n, 7, '0xc0' || lpad(n::text, 38, '0'), 1699990000 + n, (1699990000 + n) * 1000::bigint, 0,
     jsonb_build_object('castHash', '0xc0' || lpad(n::text, 38, '0'), 'text', 'gm', 'rootHash', '0x', 'threadDepth', 0, 'mentions', '[]'::jsonb, 'embeds', '[]'::jsonb)
   from generate_series(1, $1::int) n where $2 <> ''`,
  `update castellan.counters set last_id = 2000 + $1::int where name = 'events' and $2 <> ''`,
];

/** Links a server to so many channels more, in which much the same happened. */
export async function addChannels({ database }: World, guildId: string, count: number): Promise<void> {
  for (const statement of statements) await database.pool.query(statement, [count, guildId]);
}
