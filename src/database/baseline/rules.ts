/** Rules, what they decided, and what their conditions look up. */
export const rules = String.raw`
create table castellan.rule_sets (
  guild_id text not null,
  version integer not null,
  source text not null,
  change text not null,
  saved_by text not null,
  saved_at_ms bigint not null,
  primary key (guild_id, version)
);

create table castellan.rules_in_force (
  guild_id text primary key,
  version integer not null,
  event_kinds text[] not null,
  foreign key (guild_id, version) references castellan.rule_sets(guild_id, version)
);
create index rules_in_force_of_version on castellan.rules_in_force (guild_id, version);

create table castellan.rule_evaluations (
  event_id bigint not null,
  guild_id text not null,
  channel_id text not null,
  attempts integer not null default 0,
  lease_token text,
  leased_until_ms bigint,
  settled_at_ms bigint,
  note text,
  postponements integer not null default 0,
  postponed_rules text[],
  primary key (event_id, guild_id, channel_id)
);
create index rule_evaluations_of_server on castellan.rule_evaluations (guild_id, event_id) where settled_at_ms is null;

create table castellan.rule_decisions (
  id bigint generated always as identity primary key,
  event_id bigint not null,
  guild_id text not null,
  channel_id text not null,
  rule_id text not null,
  rule_version integer not null,
  action_index integer not null,
  mode text not null,
  outcome text not null check (outcome in ('acted', 'would_have', 'unknown', 'too_old', 'paused', 'impossible', 'held', 'cooling', 'postponed')),
  why text,
  action text not null,
  case_id bigint,
  tree text not null,
  decided_at_ms bigint not null,
  constraint rule_decisions_event_id_guild_id_channel_id_rule_id_action__key unique (event_id, guild_id, channel_id, rule_id, action_index)
);
create index rule_decisions_acted on castellan.rule_decisions (guild_id, rule_id, decided_at_ms) where outcome = 'acted';
create index rule_decisions_in_doubt on castellan.rule_decisions (decided_at_ms)
  where (outcome = 'acted') and (why is not null);
create index rule_decisions_of_rule on castellan.rule_decisions (guild_id, rule_id, decided_at_ms);
create index rule_decisions_unknown on castellan.rule_decisions (guild_id, decided_at_ms)
  where (outcome = 'unknown') and (mode <> 'shadow');

create table castellan.cast_fingerprints (
  event_id bigint primary key references castellan.events(id) on delete cascade,
  channel_id text not null,
  fid bigint,
  fingerprint text not null,
  at bigint not null
);
create index cast_fingerprints_alike on castellan.cast_fingerprints (channel_id, fingerprint, at);

create table castellan.cast_addresses (
  event_id bigint not null references castellan.events(id) on delete cascade,
  channel_id text not null,
  fid bigint,
  kind text not null check (kind in ('domain', 'address')),
  address text not null,
  at bigint not null,
  primary key (event_id, kind, address)
);
create index cast_addresses_alike on castellan.cast_addresses (channel_id, address, at);
create index cast_addresses_of_author on castellan.cast_addresses (fid);

create table castellan.reply_fingerprints (
  event_id bigint primary key references castellan.events(id) on delete cascade,
  channel_id text not null,
  fid bigint,
  answered_hash text not null,
  answered_fid bigint,
  fingerprint bit(64) not null,
  at bigint not null
);
create index reply_fingerprints_of_author on castellan.reply_fingerprints (fid, channel_id, at);

create table castellan.rule_timers (
  guild_id text not null,
  channel_id text not null,
  every_seconds bigint not null,
  due_at_ms bigint not null,
  primary key (guild_id, channel_id, every_seconds)
);
create index rule_timers_due on castellan.rule_timers (due_at_ms);
`;
