/** What rules do besides cases: strikes, notes, what waits for a person, limits, pauses. `_ms` columns are UNIX milliseconds. */
// @ts-nocheck

export const up = `
alter table castellan.rule_decisions drop constraint rule_decisions_outcome_check;
alter table castellan.rule_decisions add constraint rule_decisions_outcome_check check (outcome in
  ('acted', 'would_have', 'unknown', 'too_old', 'paused', 'impossible', 'held', 'cooling', 'asked_again'));
create index rule_decisions_acted on castellan.rule_decisions (guild_id, rule_id, decided_at_ms)
  where outcome = 'acted';

alter table castellan.rule_evaluations add column asked_again integer not null default 0;
alter table castellan.rule_evaluations add column asks_rules text[];

create table castellan.strikes (
  id bigint generated always as identity primary key,
  guild_id text not null,
  channel_id text not null,
  fid bigint not null,
  points integer not null,
  given_at_ms bigint not null,
  expires_at_ms bigint,
  event_id bigint not null,
  rule_id text not null,
  rule_version integer not null,
  action_index integer not null,
  unique (event_id, rule_id, action_index, guild_id, channel_id)
);
create index strikes_of_user on castellan.strikes (guild_id, channel_id, fid, given_at_ms);

create table castellan.user_notes (
  id bigint generated always as identity primary key,
  guild_id text not null,
  channel_id text not null,
  fid bigint not null,
  text text not null,
  written_at_ms bigint not null,
  event_id bigint not null,
  rule_id text not null,
  action_index integer not null,
  unique (event_id, rule_id, action_index, guild_id, channel_id)
);
create index user_notes_of_user on castellan.user_notes (guild_id, channel_id, fid, id);

create table castellan.review_items (
  id bigint generated always as identity primary key,
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
  why text,
  deeds text not null,
  state text not null default 'open' check (state in ('open', 'approved', 'hidden', 'banned', 'dismissed')),
  held_at_ms bigint not null,
  claimed_by text,
  claimed_at_ms bigint,
  reminded_at_ms bigint,
  decided_by text,
  decided_at_ms bigint,
  unique (event_id, rule_id, guild_id, channel_id)
);
create index review_items_open on castellan.review_items (guild_id, id) where state = 'open';
create index review_items_waiting on castellan.review_items (held_at_ms) where state = 'open';

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

create table castellan.automod_pauses (
  guild_id text not null,
  channel_id text not null,
  paused_by text not null,
  reason text,
  paused_at_ms bigint not null,
  until_ms bigint,
  primary key (guild_id, channel_id)
);

alter table castellan.feed_messages add column buttons_json text not null default '[]';
`;
