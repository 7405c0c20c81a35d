/** Actions on many targets at once: a bulk, whose targets are cases. */
export const up = `
create table castellan.bulk_numbers (guild_id text primary key, last_number integer not null);

create table castellan.bulks (
  id bigint generated always as identity primary key,
  guild_id text not null,
  channel_id text not null,
  number integer not null,
  kind text not null check (kind in ('hide', 'unhide', 'ban', 'unban', 'undo')),
  about text not null,
  about_fid bigint,
  reason text,
  asked_by text not null,
  actor_fid bigint,
  targets integer not null,
  undoes_bulk_id bigint references castellan.bulks,
  begun_at_ms bigint not null,
  ended_at_ms bigint,
  stopped_by text,
  retry_at_ms bigint,
  leased_until_ms bigint,
  lease_token text,
  unique (guild_id, number)
);
create index bulks_open on castellan.bulks (id) where ended_at_ms is null;

alter table castellan.cases
  add column bulk_id bigint references castellan.bulks,
  add column undoes_case_id bigint references castellan.cases;
create index cases_of_bulk on castellan.cases (bulk_id, id) where bulk_id is not null;
create index cases_of_rule on castellan.cases (guild_id, channel_id, rule_id, id) where rule_id is not null;
`;
