/**
 * What the parts of the bot half share: links, events, casts, names, cases. Times in columns ending in _ms are
 * UNIX milliseconds, others UNIX seconds.
 */
// @ts-nocheck

export const up = `
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
  primary key (guild_id, channel_id)
);
create index links_of_channel on castellan.links (channel_id);

create table castellan.counters (name text primary key, last_id bigint not null);
insert into castellan.counters values ('events', 0);

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
create index events_of_subject on castellan.events (channel_id, subject_fid, kind, occurred_at);
create index events_of_cast on castellan.events (cast_hash, id) where cast_hash is not null;

create table castellan.casts (
  hash text primary key,
  channel_id text not null,
  fid bigint not null,
  text text not null,
  parent_hash text,
  root_hash text not null,
  thread_depth integer not null,
  embeds jsonb not null default '[]',
  cast_at bigint not null,
  removed_at bigint,
  hidden boolean not null default false
);
create index casts_newest on castellan.casts (channel_id, cast_at desc);
create index casts_of_author on castellan.casts (fid, cast_at desc);
create index casts_of_thread on castellan.casts (root_hash);

create table castellan.names (
  name text primary key,
  fid bigint not null,
  owner text not null,
  since bigint not null
);
create index names_of_fid on castellan.names (fid);
create index names_by_prefix on castellan.names (name text_pattern_ops);

create table castellan.cases (
  id bigint generated always as identity primary key,
  guild_id text not null,
  channel_id text not null,
  number integer not null,
  lane text not null,
  kind text not null,
  state text not null check (state in ('requested', 'applied', 'already', 'failed', 'outside', 'reverted')),
  target_fid bigint,
  target_cast text,
  role text,
  actor_kind text not null check (actor_kind in ('person', 'rule', 'outside')),
  actor_user text,
  actor_fid bigint,
  rule_id text,
  rule_version integer,
  cause_event_id bigint,
  action_index integer,
  depth integer not null default 0,
  public_reason text,
  private_reason text,
  evidence text,
  notify boolean not null default false,
  answer text,
  requested_at_ms bigint not null,
  settled_at_ms bigint,
  attempts integer not null default 0,
  sent_at_ms bigint,
  retry_at_ms bigint,
  leased_until_ms bigint,
  lease_token text,
  due_at_ms bigint,
  ends_case_id bigint references castellan.cases,
  claimed_event_id bigint,
  unique (guild_id, channel_id, number),
  unique (cause_event_id, rule_id, action_index, guild_id, channel_id)
);
create index cases_open on castellan.cases (lane, id) where state = 'requested';
create index cases_due on castellan.cases (due_at_ms) where due_at_ms is not null and state in ('applied', 'already');
create index cases_of_lane on castellan.cases (lane, id);
create index cases_unclaimed on castellan.cases (kind, settled_at_ms)
  where claimed_event_id is null and state = 'applied' and kind in ('hide', 'unhide');
create index cases_of_target on castellan.cases (channel_id, target_fid);
create index cases_of_cast on castellan.cases (target_cast) where target_cast is not null;
`;
