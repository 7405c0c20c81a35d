/** Which room wants what, each room's lane, and the messages that carry events. `_ms` columns are UNIX milliseconds. */
// @ts-nocheck

export const up = `
create table castellan.feeds (
  id bigint generated always as identity primary key,
  guild_id text not null,
  room_id text not null,
  channel_ids text[],
  kinds text[] not null,
  name_pattern text,
  people_only boolean not null default false,
  created_by text not null,
  created_at_ms bigint not null
);
create index feeds_of_room on castellan.feeds (room_id);
create index feeds_of_guild on castellan.feeds (guild_id);

create table castellan.feed_lanes (
  room_id text primary key,
  guild_id text not null,
  leased_until_ms bigint not null default 0,
  lease_token text,
  retry_at_ms bigint not null default 0,
  failures integer not null default 0,
  error text,
  paused_since_ms bigint,
  one_by_one integer not null default 0,
  delivered_at_ms bigint
);

create table castellan.feed_messages (
  id bigint generated always as identity primary key,
  room_id text not null,
  state text not null check (state in ('bound', 'sent', 'parked')),
  embeds_json text not null,
  discord_id text,
  error text,
  bound_at_ms bigint not null,
  settled_at_ms bigint
);
create unique index feed_messages_bound on castellan.feed_messages (room_id) where state = 'bound';
create index feed_messages_parked on castellan.feed_messages (room_id) where state = 'parked';

create table castellan.feed_rows (
  room_id text not null,
  event_id bigint not null references castellan.events,
  message_id bigint references castellan.feed_messages,
  primary key (room_id, event_id)
);
create index feed_rows_waiting on castellan.feed_rows (room_id, event_id) where message_id is null;
create index feed_rows_of_message on castellan.feed_rows (message_id) where message_id is not null;
`;
