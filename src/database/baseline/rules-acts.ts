/** What rules do besides cases: reviews, strikes, notes, lockdowns. */
export const rulesActs = String.raw`
create table castellan.strikes (
  id bigint generated always as identity primary key,
  guild_id text not null,
  channel_id text not null,
  fid bigint not null,
  points integer not null,
  given_at_ms bigint not null,
  expires_at_ms bigint,
  event_id bigint,
  rule_id text,
  rule_version integer,
  action_index integer,
  action_source text check (action_source in ('rule', 'person', 'undo')),
  review_round integer,
  given_by text,
  reason text,
  removed_by text,
  removed_at_ms bigint,
  constraint strikes_of_action unique (event_id, rule_id, review_round, action_source, action_index, guild_id, channel_id)
);
create index strikes_of_rule on castellan.strikes (guild_id, channel_id, rule_id, given_at_ms) where rule_id is not null;
create index strikes_of_user on castellan.strikes (guild_id, channel_id, fid, given_at_ms);

create table castellan.user_notes (
  id bigint generated always as identity primary key,
  guild_id text not null,
  channel_id text not null,
  fid bigint not null,
  text text not null,
  written_at_ms bigint not null,
  event_id bigint,
  rule_id text,
  action_index integer,
  action_source text check (action_source in ('rule', 'person', 'undo')),
  review_round integer,
  written_by text,
  removed_by text,
  removed_at_ms bigint,
  constraint user_notes_of_action unique (event_id, rule_id, review_round, action_source, action_index, guild_id, channel_id)
);
create index user_notes_of_rule on castellan.user_notes (guild_id, channel_id, rule_id, written_at_ms)
  where rule_id is not null;
create index user_notes_of_user on castellan.user_notes (guild_id, channel_id, fid, id);

create table castellan.review_items (
  id bigint generated always as identity primary key,
  tag uuid not null default gen_random_uuid(),
  guild_id text not null,
  channel_id text not null,
  queue text not null,
  event_id bigint not null,
  rule_id text not null,
  rule_version integer not null,
  depth integer not null,
  fid bigint,
  cast_hash text,
  evidence text,
  evidence_extras jsonb,
  why text,
  actions text not null,
  state text not null default 'open' check (state in ('open', 'approved', 'hidden', 'banned', 'dismissed')),
  queued_at_ms bigint not null,
  claimed_by text,
  claimed_at_ms bigint,
  reminded_at_ms bigint,
  decided_by text,
  decided_at_ms bigint,
  head_id bigint,
  round integer not null default 0,
  escalated_by text,
  escalated_at_ms bigint,
  undone_by text,
  undone_at_ms bigint,
  unique (event_id, rule_id, guild_id, channel_id)
);
create unique index review_items_by_tag on castellan.review_items (tag);
create index review_items_decided on castellan.review_items (guild_id, decided_at_ms) where decided_at_ms is not null;
create index review_items_of_head on castellan.review_items (head_id) where head_id is not null;
create index review_items_of_user on castellan.review_items (guild_id, channel_id, fid);
create index review_items_open on castellan.review_items (guild_id, id) where state = 'open';
create unique index review_items_reported on castellan.review_items (guild_id, channel_id, cast_hash)
  where rule_id = '@reports';
create index review_items_waiting on castellan.review_items (queued_at_ms) where state = 'open';

create table castellan.reports (
  item_id bigint not null references castellan.review_items(id) on delete cascade,
  guild_id text not null,
  user_id text not null,
  reason text,
  reported_at_ms bigint not null,
  primary key (item_id, user_id)
);
create index reports_of_server on castellan.reports (guild_id, reported_at_ms);

create table castellan.appeals (
  item_id bigint primary key references castellan.review_items(id) on delete cascade,
  case_id bigint not null references castellan.cases(id) unique,
  guild_id text not null,
  user_id text not null,
  made_at_ms bigint not null,
  seen_round integer
);
create index appeals_of_server on castellan.appeals (guild_id, made_at_ms);
create index appeals_of_user on castellan.appeals (guild_id, user_id, item_id);

create table castellan.ignored_reporters (
  guild_id text not null,
  channel_id text not null,
  user_id text not null,
  ignored_by text not null,
  ignored_at_ms bigint not null,
  primary key (guild_id, channel_id, user_id)
);

create table castellan.rule_cooldowns (
  guild_id text not null,
  rule_id text not null,
  subject text not null,
  until_ms bigint not null,
  primary key (guild_id, rule_id, subject)
);
create index rule_cooldowns_over on castellan.rule_cooldowns (until_ms);

create table castellan.rule_breakers (
  guild_id text not null,
  rule_id text not null,
  tripped_at_ms bigint,
  tripped_version integer,
  primary key (guild_id, rule_id)
);

create table castellan.lockdowns (
  guild_id text not null,
  channel_id text not null,
  rule_id text not null,
  begun_by text not null,
  reason text,
  begun_at_ms bigint not null,
  until_ms bigint not null,
  primary key (guild_id, channel_id)
);
create index lockdowns_over on castellan.lockdowns (until_ms);

create table castellan.automod_pauses (
  guild_id text not null,
  channel_id text not null,
  paused_by text not null,
  reason text,
  paused_at_ms bigint not null,
  until_ms bigint,
  primary key (guild_id, channel_id)
);
`;
