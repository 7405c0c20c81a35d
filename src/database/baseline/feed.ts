/** Feeds, the queues of their rooms, and the messages in them. */
export const feed = String.raw`
create table castellan.notice_templates (
  guild_id text not null,
  channel_id text not null,
  template text not null,
  set_by text not null,
  set_at_ms bigint not null,
  primary key (guild_id, channel_id)
);

create table castellan.feeds (
  id bigint generated always as identity primary key,
  guild_id text not null,
  room_id text not null,
  channel_ids text[],
  kinds text[] not null,
  name_pattern text,
  people_only boolean not null default false,
  created_by text not null,
  created_at_ms bigint not null,
  ended_at_ms bigint,
  ended_reason text
);
create index feeds_of_guild on castellan.feeds (guild_id);
create index feeds_of_room on castellan.feeds (room_id);

create table castellan.room_queues (
  room_id text primary key,
  guild_id text not null,
  leased_until_ms bigint not null default 0,
  lease_token text,
  retry_at_ms bigint not null default 0,
  failures integer not null default 0,
  error text,
  paused_since_ms bigint,
  one_by_one integer not null default 0,
  delivered_at_ms bigint,
  mention_role text,
  mention_kinds text[] not null default '{}'::text[],
  mentioned_at_ms bigint,
  digest_seconds integer,
  quiet_from integer,
  quiet_until integer,
  quiet_zone text,
  held_until_ms bigint not null default 0
);
create index room_queues_of_guild on castellan.room_queues (guild_id);

create table castellan.feed_messages (
  id bigint generated always as identity primary key,
  room_id text not null,
  state text not null check (state in ('bound', 'blocked', 'sent', 'parked')),
  nonce text not null default "left"(replace((gen_random_uuid())::text, '-', ''), 25),
  embeds_json text not null,
  buttons_json text not null default '[]',
  discord_id text,
  error text,
  bound_at_ms bigint not null,
  settled_at_ms bigint,
  retry_at_ms bigint,
  attempts integer not null default 0,
  mention_role text,
  digest boolean not null default false,
  unshown boolean not null default false
);
create index feed_messages_blocked on castellan.feed_messages (room_id, retry_at_ms) where state = 'blocked';
create unique index feed_messages_bound on castellan.feed_messages (room_id) where state = 'bound';
create index feed_messages_parked on castellan.feed_messages (room_id) where state = 'parked';
create index feed_messages_settled on castellan.feed_messages (settled_at_ms) where state <> 'bound';
create index feed_messages_unshown on castellan.feed_messages (room_id) where unshown;

create table castellan.refused_calls (
  minute bigint primary key,
  calls integer not null
);

create table castellan.feed_rows (
  room_id text not null,
  event_id bigint not null references castellan.events(id),
  message_id bigint references castellan.feed_messages(id),
  rank integer not null default 1,
  post_group text,
  head_id bigint,
  primary key (room_id, event_id)
);
create index feed_rows_following on castellan.feed_rows (room_id) where (message_id is null) and (head_id is not null);
create index feed_rows_of_event on castellan.feed_rows (event_id);
create index feed_rows_of_group on castellan.feed_rows (post_group) where post_group is not null;
create index feed_rows_of_message on castellan.feed_rows (message_id) where message_id is not null;
create index feed_rows_waiting on castellan.feed_rows (room_id, rank, event_id) where message_id is null;

create table castellan.token_uses (
  id text primary key,
  kind text not null check (kind in ('answer', 'message')),
  room_id text,
  seen_at_ms bigint not null
);

create table castellan.installation (
  only_one boolean default true primary key CHECK (only_one),
  id text not null
);

create table castellan.gateways (
  process text primary key,
  seen_at_ms bigint not null
);
`;
