/** What only moderation and the Discord side use. */
export const moderation = String.raw`
create table castellan.absent_servers (
  guild_id text primary key,
  since_ms bigint not null,
  checks integer not null default 0
);

create table castellan.case_numbers (
  guild_id text not null,
  channel_id text not null,
  last_number integer not null,
  primary key (guild_id, channel_id)
);

create table castellan.capabilities (
  guild_id text not null,
  channel_id text not null,
  role_id text not null,
  capability text not null,
  primary key (guild_id, channel_id, role_id, capability)
);

create table castellan.saved_reasons (
  guild_id text not null,
  reason text not null,
  for_seconds integer,
  primary key (guild_id, reason)
);

create table castellan.prompts (
  id text primary key,
  path text not null,
  guild_id text not null,
  room_id text not null,
  user_id text not null,
  state jsonb not null,
  expires_at_ms bigint not null,
  answered_at_ms bigint
);
create index prompts_expired on castellan.prompts (expires_at_ms);

create table castellan.link_codes (
  code text primary key,
  guild_id text not null,
  channel_id text not null,
  user_id text not null,
  room_id text not null,
  made_at_ms bigint not null,
  expires_at_ms bigint not null,
  used_at_ms bigint
);
create index link_codes_of_user on castellan.link_codes (guild_id, channel_id, user_id);

create table castellan.code_casts (
  cast_hash text primary key,
  code text not null,
  fid bigint not null,
  merged_at bigint not null,
  is_exact boolean not null,
  signer text,
  is_removed boolean not null default false,
  outcome text,
  judged_at_ms bigint
);
create index code_casts_of_code on castellan.code_casts (code);
create index code_casts_open on castellan.code_casts (merged_at) where judged_at_ms is null;

create table castellan.staff_proofs (
  guild_id text not null,
  channel_id text not null,
  user_id text not null,
  fid bigint not null,
  method text not null,
  cast_hash text,
  custody_address text,
  proven_at_ms bigint not null,
  custody_read_at_ms bigint,
  primary key (guild_id, channel_id, user_id)
);

create table castellan.console_sessions (
  token_hash text primary key,
  user_id text not null,
  begun_at_ms bigint not null,
  expires_at_ms bigint not null
);
create index console_sessions_of_user on castellan.console_sessions (user_id);

create table castellan.bulk_numbers (
  guild_id text primary key,
  last_number integer not null
);

create table castellan.bulks (
  id bigint generated always as identity primary key,
  guild_id text not null,
  channel_id text not null,
  number integer not null,
  kind text not null check (kind in ('hide', 'unhide', 'ban', 'unban', 'undo')),
  selection text not null,
  subject_fid bigint,
  reason text,
  requested_by text not null,
  actor_fid bigint,
  targets integer not null,
  undoes_bulk_id bigint references castellan.bulks(id),
  begun_at_ms bigint not null,
  ended_at_ms bigint,
  stopped_by text,
  retry_at_ms bigint,
  leased_until_ms bigint,
  lease_token text,
  unique (guild_id, number)
);
create index bulks_open on castellan.bulks (id) where ended_at_ms is null;
create index bulks_that_undo on castellan.bulks (undoes_bulk_id) where undoes_bulk_id is not null;

create table castellan.deployments (
  application_id text primary key,
  commands_hash text not null
);
`;
