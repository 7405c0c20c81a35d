/** What people write and change by hand: comments and changes of cases, notes, strikes; who changed the setup; and finding cases. */
export const up = `
create table castellan.case_changes (
  id bigint generated always as identity primary key,
  case_id bigint not null references castellan.cases,
  kind text not null check (kind in ('comment', 'reason', 'end')),
  by_user text not null,
  at_ms bigint not null,
  text text not null
);
create index case_changes_of_case on castellan.case_changes (case_id, id);

alter table castellan.strikes
  alter column event_id drop not null, alter column rule_id drop not null,
  alter column rule_version drop not null, alter column action_index drop not null,
  add column given_by text, add column reason text, add column removed_by text, add column removed_at_ms bigint;
alter table castellan.user_notes
  alter column event_id drop not null, alter column rule_id drop not null,
  alter column action_index drop not null, add column written_by text;

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

create index cases_by_moderator on castellan.cases (guild_id, channel_id, actor_user, number)
  where actor_user is not null;
create index cases_by_rule on castellan.cases (guild_id, channel_id, rule_id, number) where rule_id is not null;
create index cases_by_kind on castellan.cases (guild_id, channel_id, kind, number);
create index cases_by_state on castellan.cases (guild_id, channel_id, state, number);
create index cases_by_time on castellan.cases (guild_id, channel_id, requested_at_ms);
create index cases_by_words on castellan.cases using gin (
  to_tsvector('simple', coalesce(public_reason, '') || ' ' || coalesce(private_reason, '') || ' ' || coalesce(evidence, '')));
`;
