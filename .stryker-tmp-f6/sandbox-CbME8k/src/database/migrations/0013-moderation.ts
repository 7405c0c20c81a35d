/** What only moderation and the Discord side use. */
// @ts-nocheck

export const up = `
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

create table castellan.deployments (
  application_id text primary key,
  commands_hash text not null
);
`;
