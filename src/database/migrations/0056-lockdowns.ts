/** Channels in which only members' casts stay visible for a time; a rule of the server's does it, and goes with the row. */
export const up = `
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
`;
