/** Servers that the bot was removed from, feeds that ended, and a nonce for each message. `_ms` columns are UNIX milliseconds. */
export const up = `
create table castellan.absent_servers (
  guild_id text primary key,
  since_ms bigint not null,
  looks integer not null default 0
);

alter table castellan.feeds add column ended_at_ms bigint;
alter table castellan.feeds add column ended_reason text;
create index feed_lanes_of_guild on castellan.feed_lanes (guild_id);

alter table castellan.feed_messages add column nonce text not null
  default left(replace(gen_random_uuid()::text, '-', ''), 25);
update castellan.feed_messages set nonce = 'feed-' || id where state = 'bound';
`;
