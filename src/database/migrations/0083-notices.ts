/** Messages to people to whom something was done, as a channel's template says; none where it has no template. */
export const up = `
create table castellan.notice_templates (
  guild_id text not null,
  channel_id text not null,
  template text not null,
  set_by text not null,
  set_at_ms bigint not null,
  primary key (guild_id, channel_id)
);

create table castellan.notices (
  case_id bigint primary key references castellan.cases,
  guild_id text not null,
  fid bigint not null,
  template text not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'unreachable', 'dropped')),
  made_at_ms bigint not null,
  retry_at_ms bigint not null,
  settled_at_ms bigint
);
create index notices_waiting on castellan.notices (retry_at_ms) where state = 'waiting';
create index notices_of_person on castellan.notices (guild_id, fid, settled_at_ms) where state = 'sent';
`;
