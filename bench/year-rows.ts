// Data, with a statement per table.
/* oxlint-disable max-lines */

/** Rows of a year, as statements of SQL: 2,000 channels of 500 servers, few of them with most of the casts. */

/** Ids of events start above those that the scene of test/support/seed-rights.ts has. */
const firstEvent = 10_000;
export const channels = 2_000;
const servers = 500;
/** The largest channel, which the scene has too, and its server, which is linked to the largest twenty. */
const channelOf = `case when k = 0 then 'memes' else 'c-' || k end`;
const guildOf = `case when k < 20 then '900' else 'g-' || k % ${servers} end`;
const hashOf = (n: string) => `'0x5' || lpad(to_hex(${n}), 39, '0')`;
export const yearSeconds = 365 * 86_400;

/** Statements that fill the tables, in this order; `events` is the number of events, `end` the end of the year in UNIX seconds. */
export function describeRows(events: number, end: number): [table: string, statement: string][] {
  const people = Math.max(Math.floor(events / 50), 1000);
  const start = end - yearSeconds;
  /** `count` numbers n, with a time, a channel and its server, a user (the prolific one is the scene's), and chance. */
  const pick = (count: number) => `(
    select *, ${channelOf} as channel, ${guildOf} as guild, ${hashOf("n")} as hash, (100 + u % 3000)::text as discord,
      (${start} + n::bigint * ${yearSeconds - 600} / ${Math.floor(count)}) as at,
      (${start} + n::bigint * ${yearSeconds - 600} / ${Math.floor(count)}) * 1000 as at_ms
    from (
      select n, floor(${channels} * power(random(), 3))::int as k, random() as chance, floor(random() * 1000000)::int as u,
        case when n % 400 = 0 then 7 else 1000000 + floor(${people} * power(random(), 2))::int end as fid
      from generate_series(1, ${Math.floor(count)}) n offset 0) as chosen offset 0) as one`;
  const links = `(select distinct ${channelOf} as channel, ${guildOf} as guild, k from generate_series(0, ${channels - 1}) k
    union select 'c-' || k, 'g-' || (k + 7) % ${servers}, k from generate_series(1, ${channels - 1}, 3) k) as one`;
  const words = `'gm ' || n || ' have a look at https://site' || u % 5000 || '.example/' || n || ' and tell me what you think of it'`;

  return [
    [
      "network.accounts",
      `(fid, custody_address) select 1000000 + n, '0x' || lpad(to_hex(n), 40, '0') from generate_series(0, ${people}) n`,
    ],
    [
      "network.channels",
      `(id, url, name, lead_fid, created_at, follower_count, member_count) select ${channelOf}, 'https://castle.test/~/channel/' || ${channelOf}, ${channelOf}, 1, ${start}, 1000, 100 from generate_series(1, ${channels - 1}) k`,
    ],
    [
      "network.memberships",
      `(channel_id, fid, role, member_at) select channel, fid, case when n % 200 = 1 then 'moderator' else 'member' end, at from ${pick(people * 2)} on conflict do nothing`,
    ],
    [
      "network.memberships",
      `(channel_id, fid, role, member_at) select 'c-' || k, f, case f when 1 then 'owner' else 'moderator' end, ${start} from generate_series(1, ${channels - 1}) k, unnest(array[1, 2, 9001]) f on conflict do nothing`,
    ],
    [
      "network.channel_follows",
      `(channel_id, fid, followed_at) select channel, fid, at from ${pick(events / 10)} on conflict do nothing`,
    ],
    [
      "network.bans",
      `(channel_id, fid, banned_at) select channel, fid, at from ${pick(events / 100)} on conflict do nothing`,
    ],
    [
      "network.restrictions",
      `(channel_id, fid, restricted_at) select channel, fid, at from ${pick(events / 200)} on conflict do nothing`,
    ],
    [
      "network.invites",
      `(channel_id, fid, role, inviter_fid, invited_at) select channel, fid, 'member', 2, at from ${pick(events / 500)} on conflict do nothing`,
    ],
    [
      "network.invite_calls",
      `(channel_id, caller_fid, at_ms) select channel, 2, at_ms from ${pick(events / 500)}`,
    ],
    [
      "network.moderation_records",
      `(channel_id, cast_hash, action, moderated_at) select channel, hash, 'hide', at from ${pick(events / 50)}`,
    ],
    [
      "network.casts",
      `(hash, fid, text, timestamp, channel_id, parent_url, parent_hash) select hash, fid, ${words}, at, channel, case when n % 3 > 0 then 'https://castle.test/~/channel/' || channel end, case when n % 3 = 0 then ${hashOf("greatest(n - 1 - u % 50, 1)")} end from ${pick(events / 5)}`,
    ],
    [
      "network.cast_removals",
      `(hash, fid, timestamp, target_hash) select '0x6' || lpad(to_hex(n), 39, '0'), fid, at, hash from ${pick(events / 50)}`,
    ],
    [
      "network.user_follows",
      `(fid, target_fid) select fid, 1000000 + u % ${people} from ${pick(people * 2)} on conflict do nothing`,
    ],
    [
      "network.verifications",
      `(fid, platform, platform_id, platform_username, verified_at) select 1000000 + n, case when n % 2 = 0 then 'discord' else 'x' end, 'd' || n, 'name' || n, at from ${pick(people)}`,
    ],
    [
      "network.transfers",
      `(id, timestamp, username, owner, from_fid, to_fid, user_signature, server_signature) select n, at, 'user' || n, '0x', 0, 1000000 + n, '0x', '0x' from ${pick(people)}`,
    ],
    [
      "network.names",
      `(name, fid, transfer_id) select 'user' || n, 1000000 + n, n from generate_series(1, ${people}) n`,
    ],
    [
      "network.hub_events",
      `(shard, id, type, merged_at, json) select 1, n, 'HUB_EVENT_TYPE_MERGE_MESSAGE', ${end} - 259200 + n * 259200::bigint / ${Math.floor(events / 100)}, json_build_object('id', n, 'type', 'HUB_EVENT_TYPE_MERGE_MESSAGE')::text from generate_series(1, ${Math.floor(events / 100)}) n`,
    ],
    [
      "network.blocks",
      `(id, blocker_fid, blocked_fid, created_at) select n, fid, 1000000 + u % ${people}, at from ${pick(people / 2)} on conflict do nothing`,
    ],
    [
      "network.primary_addresses",
      `(fid, protocol, address) select 1000000 + n, 'ethereum', '0x' || n from generate_series(1, ${people}) n`,
    ],
    [
      "network.signed_key_requests",
      `(token, key, request_fid, deadline, created_at) select 't' || n, 'k' || n, fid, at, at from ${pick(people / 5)}`,
    ],
    ["network.starter_packs", `(id) select 'artists'`],
    [
      "network.starter_pack_members",
      `(pack_id, fid, member_at_ms) select 'artists', 1000000 + n, n from generate_series(1, 20000) n`,
    ],

    [
      "castellan.links",
      `(guild_id, channel_id, channel_url, channel_name, linked_by, linked_at_ms, verified_at_ms) select guild, channel, 'https://castle.test/~/channel/' || channel, channel, '1004', ${start}000, ${end}000 from ${links} on conflict do nothing`,
    ],
    [
      "castellan.watched_channels",
      `(channel_id, url, since_ms) select distinct channel_id, channel_url, ${start}000::bigint from castellan.links on conflict do nothing`,
    ],
    [
      "castellan.sources",
      `(source, channel_id, version, has_baseline, position, succeeded_at_ms, completed_at_ms, all_listings_at_ms) select kind || '/' || channel_id, channel_id, 9, true, ${end}, ${end}000, ${end}000, ${end}000 from castellan.watched_channels, unnest(array['listings', 'records', 'followers']) kind on conflict do nothing`,
    ],
    [
      "castellan.channel_snapshots",
      `(channel_id, channel_json) select channel_id, '{}' from castellan.watched_channels on conflict do nothing`,
    ],
    [
      "castellan.events",
      `(id, source_key, kind, channel_id, subject_fid, cast_hash, occurred_at, observed_at_ms, depth, case_id, data)
      select ${firstEvent} + n, 'hub:' || n, kind, case when kind <> 'username_proof.merged' then channel end, fid,
        case when kind like 'cast.%' or kind like 'record.%' then hash end, at, at_ms, 0, case when n % 100 = 97 then n / 100 * 10 end,
        case kind when 'cast.created' then jsonb_build_object('castHash', hash, 'text', ${words}, 'rootHash', hash, 'threadDepth', 0, 'mentions', '[]'::jsonb, 'embeds', '[]'::jsonb)
          when 'username_proof.merged' then jsonb_build_object('name', 'user' || u, 'owner', '0x', 'change', 'registered')
          when 'case.settled' then jsonb_build_object('guildId', guild, 'number', n, 'kind', 'ban', 'state', 'applied')
          when 'strike.added' then jsonb_build_object('guildId', guild, 'ruleId', 'rule' || n % 50, 'points', 1, 'total', 1, 'eventId', ${firstEvent})
          when 'rule.hit' then jsonb_build_object('guildId', guild, 'ruleId', 'rule' || n % 50, 'version', 1, 'mode', 'shadow', 'actions', '[]'::jsonb, 'eventId', ${firstEvent})
          when 'review.held' then jsonb_build_object('guildId', guild, 'itemId', n, 'ruleId', 'rule1', 'queue', 'q')
          else jsonb_build_object('castHash', hash, 'at', at) end
      from (select *, case when n % 100 < 92 then 'cast.created' when n % 100 < 94 then 'cast.removed' when n % 100 < 96 then 'username_proof.merged'
        when n % 100 = 97 then (array['user.banned', 'record.hidden'])[n / 100 % 2 + 1]
        else (array['member.joined', 'member.left', 'case.settled', 'rule.hit', 'strike.added', 'review.held', 'follower.added', 'user.unbanned', 'record.unhidden', 'pin.changed'])[u % 10 + 1] end as kind
        from ${pick(events)}) as one`,
    ],
    [
      "castellan.casts",
      `(hash, channel_id, fid, text, parent_hash, root_hash, thread_depth, embeds, cast_at, removed_at, hidden)
      select cast_hash, channel_id, subject_fid, data ->> 'text', case when id % 3 = 0 then ${hashOf(`greatest(id - ${firstEvent} - 1 - id % 50, 1)`)} end,
        case when id % 3 = 0 then ${hashOf(`greatest(id - ${firstEvent} - 1 - id % 50, 1)`)} else cast_hash end, (id % 3 = 0)::int, '[]', occurred_at, case when id % 50 = 0 then occurred_at + 60 end, id % 60 = 0
      from castellan.events where kind = 'cast.created'`,
    ],
    [
      "castellan.names",
      `(name, fid, owner, since) select 'user' || n, 1000000 + n, '0x', ${start} + n from generate_series(1, ${people}) n`,
    ],
    [
      "castellan.shown_names",
      `(fid, name, since) select 1000000 + n, 'user' || n, ${start} + n from generate_series(1, ${people}) n`,
    ],
    [
      "castellan.released_names",
      `(name, since) select 'gone' || n, ${start} + n from generate_series(1, ${Math.floor(people / 10)}) n`,
    ],
    [
      "castellan.bulks",
      `(guild_id, channel_id, number, kind, selection, requested_by, targets, begun_at_ms, ended_at_ms) select guild, channel, 1000 + n, 'hide', 'casts', discord, 10, at_ms, at_ms + 60000 from ${pick(events / 2000)}`,
    ],
    [
      "castellan.cases",
      `(id, guild_id, channel_id, number, target_key, kind, state, target_fid, target_cast, subject_fid, actor_kind, actor_user, rule_id, rule_version,
        cause_event_id, action_index, action_source, review_round, public_reason, private_reason, evidence, outcome, requested_at_ms, settled_at_ms, due_at_ms, has_expired, event_id, bulk_id)
      overriding system value
      select n + 1000, guild, channel, 1000 + n, channel || ' ' || case when is_ban then fid::text else hash end, case when is_ban then 'ban' when n % 50 = 1 then 'unhide' else 'hide' end,
        case when is_ban and n % 2 = 0 and at < ${end} - 30 * 86400 then 'reverted' when n % 20 = 3 then 'outside' when n % 30 = 4 then 'failed' when n % 40 = 5 then 'reverted' else 'applied' end,
        case when is_ban then fid end, case when not is_ban then hash end, fid,
        case when n % 20 = 3 then 'outside' when n % 3 = 0 then 'person' else 'rule' end, case when n % 3 = 0 then discord end, case when n % 3 > 0 then 'rule' || u % 50 end, case when n % 3 > 0 then 1 end,
        case when n % 3 > 0 then ${firstEvent} + n::bigint * 10 end, case when n % 3 > 0 then 0 end, case when n % 3 > 0 then 'rule' end, case when n % 3 > 0 then 0 end,
        'spam again', case when n % 9 = 0 then 'seen before' end, ${words}, 'done', at_ms, at_ms + 2000, case when is_ban and n % 2 = 0 then at_ms + 30 * 86400000::bigint end,
        is_ban and n % 2 = 0 and at < ${end} - 30 * 86400, case when n % 10 = 0 then ${firstEvent} + n::bigint * 10 + 97 end, case when n % 25 = 0 then 1 + u % ${Math.max(1, Math.floor(events / 2000))} end
      from (select *, n % 10 < 3 as is_ban from ${pick(events / 10)}) as one`,
    ],
    [
      "castellan.case_numbers",
      `(guild_id, channel_id, last_number) select guild_id, channel_id, ${1000 + Math.floor(events / 10)} from castellan.links on conflict (guild_id, channel_id) do update set last_number = excluded.last_number`,
    ],
    [
      "castellan.case_changes",
      `(case_id, kind, by_user, at_ms, text) select 1000 + n * 5, 'comment', discord, at_ms, 'looked at it' from ${pick(events / 50)}`,
    ],
    [
      "castellan.setup_changes",
      `(guild_id, channel_id, kind, by_user, at_ms, what) select guild, channel, 'rules', discord, at_ms, 'changed a rule' from ${pick(events / 500)}`,
    ],
    [
      "castellan.feeds",
      `(guild_id, room_id, channel_ids, kinds, created_by, created_at_ms) select 'g-' || n % ${servers}, 'r-' || n % 1000, null, array['bans', 'records', 'cases'], '1', 0 from generate_series(1, 2000) n`,
    ],
    [
      "castellan.room_queues",
      `(room_id, guild_id) select 'r-' || n, 'g-' || n % ${servers} from generate_series(0, 999) n on conflict do nothing`,
    ],
    [
      "castellan.feed_messages",
      `(id, room_id, state, embeds_json, discord_id, bound_at_ms, settled_at_ms) overriding system value select 1000 + n, case when k = 0 then '900' else 'r-' || k % 1000 end, 'sent', '[]', 'm' || n, at_ms, at_ms from ${pick(events / 20)}`,
    ],
    [
      "castellan.feed_rows",
      `(room_id, event_id, message_id, rank, post_group) select case when k = 0 then '900' else 'r-' || k % 1000 end, ${firstEvent} + n::bigint * 10, 1000 + 1 + n % ${Math.floor(events / 20)}, 1, case when n % 4 = 0 then 'case ' || 1000 + n when n % 4 = 1 then 'event ' || n end from ${pick(events / 10 - 1)} on conflict do nothing`,
    ],
    [
      "castellan.rule_sets",
      `(guild_id, version, source, change, saved_by, saved_at_ms) select 'g-' || n, v, '{"version":1,"rules":[{"id":"scam","when":{"text":{"contains":"airdrop"}},"mode":"shadow","actions":[{"kind":"hide"}],"on":"cast.created"}]}', 'import', '1', 1 from generate_series(0, ${servers - 1}) n, generate_series(1, 20) v`,
    ],
    [
      "castellan.rules_in_force",
      `(guild_id, version, event_kinds) select 'g-' || n, 20, array['cast.created'] from generate_series(0, ${servers - 1}) n`,
    ],
    [
      "castellan.rule_evaluations",
      `(event_id, guild_id, channel_id, settled_at_ms) select ${firstEvent} + n, guild, channel, at_ms from ${pick(events / 2)}`,
    ],
    [
      "castellan.rule_decisions",
      `(event_id, guild_id, channel_id, rule_id, rule_version, action_index, mode, outcome, action, case_id, tree, decided_at_ms)
      select ${firstEvent} + n::bigint * 10, guild, channel, 'rule' || u % 50, 1, 0, 'live', case when n % 4 = 0 then 'would_have' when n % 100 = 1 then 'unknown' else 'acted' end, '{"kind":"hide"}', case when n % 3 > 0 then n + 1000 end,
        '{"kind":"leaf","name":"text","sentence":"contains airdrop","truth":true,"value":"gm"}', at_ms from ${pick(events / 10)}`,
    ],
    [
      "castellan.cast_fingerprints",
      `(event_id, channel_id, fid, fingerprint, at) select id, channel_id, subject_fid, md5((id % 100000)::text), occurred_at from castellan.events where kind = 'cast.created'`,
    ],
    [
      "castellan.cast_addresses",
      `(event_id, channel_id, fid, kind, address, at) select id, channel_id, subject_fid, 'domain', 'site' || id % 5000 || '.example', occurred_at from castellan.events where kind = 'cast.created' and id % 5 = 0`,
    ],
    [
      "castellan.reply_fingerprints",
      `(event_id, channel_id, fid, answered_hash, answered_fid, fingerprint, at) select id, channel_id, subject_fid, cast_hash, subject_fid, (id * 7919)::bit(64), occurred_at from castellan.events where kind = 'cast.created' and id % 3 = 0`,
    ],
    [
      "castellan.rule_cooldowns",
      `(guild_id, rule_id, subject, until_ms) select distinct guild, 'rule' || n % 50, channel || ' ' || fid, ${end + 86_400}000 from ${pick(events / 200)} on conflict do nothing`,
    ],
    [
      "castellan.strikes",
      `(guild_id, channel_id, fid, points, given_at_ms, expires_at_ms, rule_id) select guild, channel, fid, 1, at_ms, case when n % 2 = 0 then at_ms + 30 * 86400000::bigint end, 'rule' || n % 50 from ${pick(events / 100)}`,
    ],
    [
      "castellan.user_notes",
      `(guild_id, channel_id, fid, text, written_at_ms, rule_id) select guild, channel, fid, 'a note', at_ms, 'rule' || n % 50 from ${pick(events / 200)}`,
    ],
    [
      "castellan.review_items",
      `(id, guild_id, channel_id, queue, event_id, rule_id, rule_version, depth, fid, cast_hash, actions, state, queued_at_ms, decided_by, decided_at_ms)
      overriding system value select 1000 + n, guild, channel, 'q', ${firstEvent} + n, 'rule' || n % 50, 1, 0, fid, hash, '[]', case when n % 500 = 0 then 'open' else 'hidden' end, at_ms,
        case when n % 500 > 0 then discord end, case when n % 500 > 0 then at_ms + 60000 end from ${pick(events / 100)}`,
    ],
    [
      "castellan.reports",
      `(item_id, guild_id, user_id, reason, reported_at_ms) select 1000 + n, guild, discord, 'bad', at_ms from ${pick(events / 100)}`,
    ],
    [
      "castellan.appeals",
      `(item_id, case_id, guild_id, user_id, made_at_ms) select 1000 + n * 10, 1000 + n * 10, guild, discord, at_ms from ${pick(events / 1000)}`,
    ],
    [
      "castellan.listing_entries",
      `(channel_id, listing, fid, at) select channel, (array['members', 'followers', 'members', 'bans'])[n % 4 + 1], fid, at from ${pick(events / 10)} on conflict do nothing`,
    ],
    [
      "castellan.records",
      `(channel_id, cast_hash, action, moderated_at, event_id) select channel, hash, 'hide', at, 'e' || n from ${pick(events / 50)}`,
    ],
    [
      "castellan.outbox",
      `(kind, key, destination, data, requested_at_ms, due_at_ms, state, settled_at_ms) select (array['edit', 'notice', 'webhook', 'answer'])[n % 4 + 1], 'k' || n, case when n % 4 = 2 then (1 + n % 200)::text else 'r-' || k % 1000 end, '{}', at_ms, at_ms, 'sent', at_ms from ${pick(events / 25)}`,
    ],
    [
      "castellan.webhooks",
      `(guild_id, name, url, secret, events, channel_ids, created_by, created_at_ms) select 'g-' || n % ${servers}, 'log' || n, 'https://hooks.example.org/', 's', array['cases'], '{}', '1', 0 from generate_series(1, 200) n`,
    ],
    [
      "castellan.prompts",
      `(id, path, guild_id, room_id, user_id, state, expires_at_ms, answered_at_ms) select 'p' || n, 'ban', guild, 'r-' || k, discord, '{}', ${end}000 + n, 1 from ${pick(events / 500)}`,
    ],
    [
      "castellan.api_tokens",
      `(guild_id, name, secret_hash, capabilities, created_by, created_at_ms, expires_at_ms) select 'g-' || n % ${servers}, 'token' || n, 'h', array['view'], '1', 0, ${end + yearSeconds}000 from generate_series(1, 1000) n`,
    ],
    [
      "castellan.api_requests",
      `(token_id, idempotency_key, content_hash, answer, requested_at_ms) select 1 + n % 1000, 'i' || n, 'h', '{}', ${end}000 - n from generate_series(1, ${Math.floor(events / 100)}) n`,
    ],
    [
      "castellan.console_sessions",
      `(token_hash, user_id, begun_at_ms, expires_at_ms) select 's' || n, 'd' || n % 3000, 0, ${end + 86_400}000 from generate_series(1, 5000) n`,
    ],
    [
      "castellan.capabilities",
      `(guild_id, channel_id, role_id, capability) select distinct guild_id, channel_id, r, 'hide' from castellan.links, unnest(array['r1', 'r2', 'r3']) r on conflict do nothing`,
    ],
    [
      "castellan.waiting_replies",
      `(hash, parent_hash, merged_at, cast_json) select '0x7' || lpad(to_hex(n), 39, '0'), '0x8' || lpad(to_hex(n / 2), 39, '0'), ${end} - n % 86400, '{}' from generate_series(1, ${Math.floor(events / 100)}) n`,
    ],
    [
      "castellan.recent_removals",
      `(hash, removed_at) select '0x9' || lpad(to_hex(n), 39, '0'), ${end} - n % 86400 from generate_series(1, ${Math.floor(events / 200)}) n`,
    ],
    [
      "castellan.channel_events",
      `(event_id, happened_at_ms) select 'ce' || n, ${end}000 - n * 100 from generate_series(1, ${Math.floor(events / 100)}) n`,
    ],
    [
      "castellan.gaps",
      `(source, from_at, until_at, found_at_ms, healed_at_ms) select 'hub', at, at + 10, at_ms, at_ms + 1 from ${pick(1000)}`,
    ],
    [
      "castellan.link_codes",
      `(code, guild_id, channel_id, user_id, room_id, made_at_ms, expires_at_ms) select 'code' || n, guild, channel, discord, 'r-1', ${end}000, ${end + 600}000 from ${pick(5000)}`,
    ],
    [
      "castellan.token_uses",
      `(id, kind, room_id, seen_at_ms) select 'u' || n, 'message', 'r-1', ${end}000 from generate_series(1, 5000) n`,
    ],
    [
      "castellan.calls",
      `(route, second, purpose, calls) select 'route' || n % 20, ${end} - n / 20, 'people', 1 from generate_series(1, 72000) n`,
    ],
  ];
}

/** What counters and sequences have to be after it. */
export const afterwards = (events: number) => [
  `update castellan.counters set last_id = ${firstEvent + events} where name = 'events'`,
  ...["transfers", "hub_events", "blocks"].map(
    (stream) => `update network.stream_heads set last_id = ${events} where stream = '${stream}'`,
  ),
  `select setval(pg_get_serial_sequence(format('%I.%I', table_schema, table_name), column_name), ${events + firstEvent})
    from information_schema.columns where table_schema in ('network', 'castellan') and is_identity = 'YES'`,
];
