/** What conditions count by, and the timers of rules. `_ms` columns are UNIX milliseconds. */
// @ts-nocheck

export const up = `
create index events_of_channel on castellan.events (channel_id, kind, occurred_at) where channel_id is not null;

create table castellan.cast_prints (
  event_id bigint primary key references castellan.events on delete cascade,
  channel_id text not null,
  fid bigint,
  print text not null,
  at bigint not null
);
create index cast_prints_alike on castellan.cast_prints (channel_id, print, at);

create table castellan.rule_timers (
  guild_id text not null,
  channel_id text not null,
  every_seconds bigint not null,
  due_at_ms bigint not null,
  primary key (guild_id, channel_id, every_seconds)
);
create index rule_timers_due on castellan.rule_timers (due_at_ms);
`;
