import { letterPairs } from "./letter-pairs.ts";

/** What the parts of the bot half share. */
export const bot = String.raw`
${letterPairs}
create table castellan.links (
  guild_id text not null,
  channel_id text not null,
  channel_url text not null,
  channel_name text not null,
  linked_by text not null,
  linked_at_ms bigint not null,
  verified_at_ms bigint not null,
  suspended_at_ms bigint,
  suspended_reason text,
  bot_role_lost_at_ms bigint,
  onboarding_stage text,
  onboarding_error text,
  onboarding_checked_at_ms bigint,
  onboarding_checks bigint not null default 0,
  primary key (guild_id, channel_id)
);
create index links_of_channel on castellan.links (channel_id);

create table castellan.counters (
  name text primary key,
  last_id bigint not null
);

create table castellan.events (
  id bigint primary key,
  source_key text not null unique,
  kind text not null,
  channel_id text,
  subject_fid bigint,
  cast_hash text,
  occurred_at bigint not null,
  observed_at_ms bigint not null,
  depth integer not null,
  case_id bigint,
  data jsonb not null
);
create index events_by_time on castellan.events (occurred_at, id);
create index events_in_order on castellan.events (channel_id, id);
create index events_of_cast on castellan.events (cast_hash, id) where cast_hash is not null;
create index events_of_channel on castellan.events (channel_id, kind, occurred_at) where channel_id is not null;
create index events_of_subject on castellan.events (channel_id, subject_fid, kind, occurred_at);

create table castellan.casts (
  hash text primary key,
  channel_id text not null,
  fid bigint not null,
  text text not null,
  parent_hash text,
  root_hash text not null,
  thread_depth integer not null,
  embeds jsonb not null default '[]',
  mentions jsonb not null default '[]',
  mentions_positions jsonb not null default '[]',
  quotes jsonb not null default '[]',
  cast_at bigint not null,
  removed_at bigint,
  hidden boolean not null default false,
  erased_at_ms bigint,
  from_past boolean not null default false,
  replies_known boolean not null default true
);
create index casts_newest on castellan.casts (channel_id, cast_at desc);
create index casts_of_author on castellan.casts (fid, cast_at desc);
create index casts_of_thread on castellan.casts (root_hash);
create index casts_with_text on castellan.casts (cast_at) where erased_at_ms is null;
create index casts_without_replies on castellan.casts (cast_at) where NOT replies_known;

create table castellan.names (
  name text primary key,
  fid bigint not null,
  owner text not null,
  since bigint not null
);
create index names_by_prefix on castellan.names (name text_pattern_ops);
create index names_of_fid on castellan.names (fid);

create table castellan.released_names (
  name text primary key,
  since bigint not null
);

create table castellan.shown_names (
  fid bigint primary key,
  name text not null,
  since bigint not null
);

create table castellan.cases (
  id bigint generated always as identity primary key,
  guild_id text not null,
  channel_id text not null,
  number integer not null,
  target_key text not null,
  kind text not null,
  state text not null check (state in ('requested', 'applied', 'already', 'failed', 'outside', 'reverted')),
  target_fid bigint,
  target_cast text,
  subject_fid bigint,
  role text,
  actor_kind text not null check (actor_kind in ('person', 'rule', 'outside')),
  actor_user text,
  actor_fid bigint,
  rule_id text,
  rule_version integer,
  cause_event_id bigint,
  action_index integer,
  action_source text check (action_source in ('rule', 'person', 'undo')),
  review_round integer,
  depth integer not null default 0,
  public_reason text,
  private_reason text,
  evidence text,
  evidence_extras jsonb,
  notify boolean not null default false,
  outcome text,
  outcome_detail jsonb,
  waiting_reason text,
  requested_at_ms bigint not null,
  settled_at_ms bigint,
  attempts integer not null default 0,
  sent_at_ms bigint,
  state_before text,
  retry_at_ms bigint,
  leased_until_ms bigint,
  lease_token text,
  due_at_ms bigint,
  previous_expiry_ms bigint,
  ends_case_id bigint references castellan.cases(id),
  has_expired boolean not null default false,
  event_id bigint,
  echo text check (echo in ('expected', 'seen')),
  bulk_id bigint references castellan.bulks(id),
  undoes_case_id bigint references castellan.cases(id),
  unique (guild_id, channel_id, number),
  constraint cases_of_action unique (cause_event_id, rule_id, review_round, action_source, action_index, guild_id, channel_id)
);
create index cases_by_kind on castellan.cases (guild_id, channel_id, kind, number);
create index cases_by_letters on castellan.cases using gin (castellan.letter_pairs(guild_id || ' ' || channel_id,
  coalesce(public_reason, '') || ' ' || coalesce(private_reason, '') || ' ' || coalesce(evidence, '')));
create index cases_by_moderator on castellan.cases (guild_id, channel_id, actor_user, number) where actor_user is not null;
create index cases_by_rule on castellan.cases (guild_id, channel_id, rule_id, number) where rule_id is not null;
create index cases_by_state on castellan.cases (guild_id, channel_id, state, number);
create index cases_by_target_key on castellan.cases (target_key, id);
create index cases_by_time on castellan.cases (guild_id, channel_id, requested_at_ms, number);
-- A channel of a server is a word of its own, which no text has for its space: what is rare is found among what everybody else has.
create index cases_by_words on castellan.cases using gin ((
  to_tsvector('simple', coalesce(public_reason, '') || ' ' || coalesce(private_reason, '') || ' ' || coalesce(evidence, ''))
  || array_to_tsvector(array[guild_id || ' ' || channel_id])));
create index cases_due on castellan.cases (due_at_ms)
  where (due_at_ms is not null) and (kind in ('ban', 'change_expiry')) and (state in ('applied', 'already', 'outside'));
create index cases_of_bulk on castellan.cases (bulk_id, id) where bulk_id is not null;
create index cases_of_cast on castellan.cases (target_cast) where target_cast is not null;
create index cases_of_event on castellan.cases (event_id) where event_id is not null;
create index cases_of_nobody_known on castellan.cases (target_cast) where (subject_fid is null) and (target_cast is not null);
create index cases_of_rule on castellan.cases (guild_id, channel_id, rule_id, id) where rule_id is not null;
create index cases_of_subject on castellan.cases (guild_id, channel_id, subject_fid, number);
create index cases_of_target on castellan.cases (channel_id, subject_fid);
create index cases_open on castellan.cases (target_key, id) where state = 'requested';
create index cases_that_end on castellan.cases (ends_case_id) where ends_case_id is not null;
create index cases_that_undo on castellan.cases (undoes_case_id) where undoes_case_id is not null;
create index cases_with_echo on castellan.cases (target_key, id) where echo is not null;

create table castellan.case_changes (
  id bigint generated always as identity primary key,
  case_id bigint not null references castellan.cases(id),
  kind text not null check (kind in ('comment', 'reason', 'end')),
  by_user text not null,
  at_ms bigint not null,
  text text not null
);
create index case_changes_of_case on castellan.case_changes (case_id, id);

create table castellan.setup_changes (
  id bigint generated always as identity primary key,
  guild_id text not null,
  channel_id text,
  kind text not null,
  by_user text not null,
  at_ms bigint not null,
  what text not null
);
create index setup_changes_of_server on castellan.setup_changes (guild_id, id);

insert into castellan.counters (name, last_id) values ('events', 0);
`;
