/** Rules: versions per server, what waits to be evaluated, what was decided. `_ms` columns are UNIX milliseconds. */
// @ts-nocheck

export const up = `
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
  foreign key (guild_id, version) references castellan.rule_sets
);

create table castellan.rule_evaluations (
  event_id bigint not null,
  guild_id text not null,
  channel_id text not null,
  attempts integer not null default 0,
  lease_token text,
  leased_until_ms bigint,
  settled_at_ms bigint,
  note text,
  primary key (event_id, guild_id, channel_id)
);
create index rule_evaluations_due on castellan.rule_evaluations (event_id) where settled_at_ms is null;

create table castellan.rule_decisions (
  id bigint generated always as identity primary key,
  event_id bigint not null,
  guild_id text not null,
  channel_id text not null,
  rule_id text not null,
  rule_version integer not null,
  action_index integer not null,
  mode text not null,
  outcome text not null check (outcome in ('acted', 'would_have', 'unknown', 'too_old', 'paused', 'impossible')),
  why text,
  action text not null,
  case_id bigint,
  tree text not null,
  decided_at_ms bigint not null,
  unique (event_id, guild_id, channel_id, rule_id, action_index)
);
create index rule_decisions_of_rule on castellan.rule_decisions (guild_id, rule_id, decided_at_ms);
`;
