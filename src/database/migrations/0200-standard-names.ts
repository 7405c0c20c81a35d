/** Tables, columns and codes get the names that bots, queues and servers usually give them. */
const tables = {
  feed_lanes: "room_queues",
  cast_prints: "cast_fingerprints",
  reply_prints: "reply_fingerprints",
  asked_parents: "requested_parents",
  route_rests: "route_backoffs",
  upstream_rests: "upstream_backoffs",
  token_signs: "token_uses",
};

/** By their tables' new names. */
const columns: Record<string, Record<string, string>> = {
  absent_servers: { looks: "checks" },
  bulks: { about: "selection", about_fid: "subject_fid", asked_by: "requested_by" },
  cases: {
    lane: "target_key",
    action_round: "review_round",
    seen_before: "state_before",
    waits_for: "waiting_reason",
    end_before_ms: "previous_expiry_ms",
    ended_in_time: "has_expired",
    claimed_event_id: "event_id",
  },
  cast_fingerprints: { print: "fingerprint" },
  feed_rows: { deed: "post_group" },
  link_lists: { good_at_ms: "succeeded_at_ms", tried_at_ms: "attempted_at_ms" },
  links: {
    way_in: "onboarding_stage",
    way_refusal: "onboarding_error",
    way_looked_at_ms: "onboarding_checked_at_ms",
    way_looks: "onboarding_checks",
  },
  listing_entries: { told_by_event: "from_event" },
  reply_fingerprints: { print: "fingerprint" },
  reply_readings: { rests_until_ms: "retry_at_ms" },
  requested_parents: { asked_at_ms: "requested_at_ms" },
  review_items: { deeds: "actions", held_at_ms: "queued_at_ms" },
  rule_evaluations: { asked_again: "postponements", asks_rules: "postponed_rules" },
  sources: {
    baselined: "has_baseline",
    good_at_ms: "succeeded_at_ms",
    tried_at_ms: "attempted_at_ms",
    full_at_ms: "completed_at_ms",
    whole_at_ms: "all_listings_at_ms",
  },
  strikes: { action_round: "review_round" },
  upstream_backoffs: { told_at_ms: "announced_at_ms" },
  user_notes: { action_round: "review_round" },
  waiting_replies: { is_asked: "is_requested" },
  watched_channels: { past_rests_until_ms: "past_retry_at_ms" },
};

const indexes = {
  cases_of_lane: "cases_by_target_key",
  cases_of_claim: "cases_of_event",
  cast_prints_alike: "cast_fingerprints_alike",
  feed_lanes_of_guild: "room_queues_of_guild",
  feed_rows_of_deed: "feed_rows_of_group",
  reply_prints_of_author: "reply_fingerprints_of_author",
};

const renames = [
  ...Object.entries(tables).map(([from, to]) => `alter table castellan.${from} rename to ${to};`),
  ...Object.entries(columns).flatMap(([table, names]) =>
    Object.entries(names).map(
      ([from, to]) => `alter table castellan.${table} rename column ${from} to ${to};`,
    ),
  ),
  ...Object.entries(indexes).map(([from, to]) => `alter index castellan.${from} rename to ${to};`),
].join("\n");

export const up = `
drop view castellan.banned_users, castellan.standing_bans, castellan.said_ends;
${renames}

-- Constraints that PostgreSQL named by itself follow the names of their tables and columns.
do $$
declare found record;
begin
  for found in
    select conrelid::regclass as "table", conname as old, relname || case contype
        when 'p' then '_pkey'
        else (select string_agg('_' || attname, '' order by n) from unnest(conkey) with ordinality as key (number, n)
          join pg_attribute on attrelid = conrelid and attnum = number) || case contype
            when 'f' then '_fkey' when 'n' then '_not_null' else '_check' end
        end as new
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where connamespace = 'castellan'::regnamespace
      and (contype = 'n' or conname ~ '^(feed_lanes|cast_prints|reply_prints|asked_parents|route_rests|upstream_rests|token_signs)_')
  loop
    if found.old <> found.new then
      execute format('alter table %s rename constraint %I to %I', found."table", found.old, found.new);
    end if;
  end loop;
end $$;

alter table castellan.rule_decisions drop constraint rule_decisions_outcome_check;
update castellan.rule_decisions set outcome = 'postponed' where outcome = 'asked_again';
alter table castellan.rule_decisions add constraint rule_decisions_outcome_check check (outcome in
  ('acted', 'would_have', 'unknown', 'too_old', 'paused', 'impossible', 'held', 'cooling', 'postponed'));

update castellan.review_items set actions = (
  select coalesce(jsonb_agg(jsonb_build_object('actionIndex', entry -> 'actionIndex', 'sentence', entry -> 'sentence',
    'action', entry -> 'deed') order by n), '[]')::text
  from jsonb_array_elements(actions::jsonb) with ordinality as list (entry, n));

-- The kind of the cases that change when a ban ends, and of the events that tell of them.
drop index castellan.cases_due;
update castellan.cases set kind = 'change_expiry' where kind = 'new_end';
create index cases_due on castellan.cases (due_at_ms)
  where due_at_ms is not null and kind in ('ban', 'change_expiry') and state in ('applied', 'already', 'outside');
update castellan.events set data = jsonb_set(data, '{kind}', '"change_expiry"') where kind like 'case.%' and data ->> 'kind' = 'new_end';

-- What says until when somebody is banned: of each server its latest change of the end and the bans since. What others
-- banned has no server: whoever says when it ends says so for all.
create view castellan.ban_expiries as
select id, guild_id, target_key, state, due_at_ms from castellan.cases as ban
where kind in ('ban', 'change_expiry') and state in ('applied', 'already', 'outside') and not exists (
  select from castellan.cases as later where later.target_key = ban.target_key and later.kind = 'change_expiry'
    and later.state = 'applied' and later.id > ban.id and (later.guild_id = ban.guild_id or ban.state = 'outside'));

-- Castellan's own ban ends with the longest of them. It does not end where one is permanent, or where others banned.
create view castellan.standing_bans as
select target_key, case when by_us and not permanent then last_due_ms end as until_ms, case_id
from (
  select target_key, max(due_at_ms) filter (where state <> 'already') as last_due_ms,
    bool_or(due_at_ms is null) filter (where state <> 'already') as permanent,
    bool_or(state = 'applied' or state = 'outside' and due_at_ms is not null) as by_us,
    (array_agg(id order by state = 'already', due_at_ms desc nulls first, id))[1] as case_id
  from castellan.ban_expiries group by target_key
) as bans;

-- Who is banned as far as Castellan knows: by what the network lists, and by cases in force.
create view castellan.banned_users as
select channel_id, fid from castellan.listing_entries where listing = 'bans'
union all
select channel_id, subject_fid from castellan.cases
where kind in ('ban', 'change_expiry') and state in ('applied', 'already', 'outside') and subject_fid is not null;
`;
