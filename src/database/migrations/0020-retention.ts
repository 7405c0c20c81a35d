/** What is to be erased and edited, and what could not be read. `_ms` columns are UNIX milliseconds. */
export const up = `
create table castellan.erasures (
  id bigint generated always as identity primary key,
  fid bigint not null,
  up_to_event_id bigint not null,
  requested_at_ms bigint not null,
  repeat_until_ms bigint not null,
  finished_at_ms bigint
);
create index erasures_open on castellan.erasures (id) where finished_at_ms is null;

create table castellan.message_edits (
  message_id bigint primary key references castellan.feed_messages on delete cascade,
  erasure_id bigint not null references castellan.erasures,
  event_ids bigint[] not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'unreachable')),
  requested_at_ms bigint not null,
  retry_at_ms bigint not null,
  attempts integer not null default 0,
  settled_at_ms bigint,
  error text
);
create index message_edits_waiting on castellan.message_edits (retry_at_ms) where state = 'waiting';
create index message_edits_of_erasure on castellan.message_edits (erasure_id);

create index feed_messages_settled on castellan.feed_messages (settled_at_ms) where state <> 'bound';
update castellan.feed_messages set embeds_json = '[]', buttons_json = '[]' where state = 'sent';

create table castellan.set_aside_events (
  id bigint generated always as identity primary key,
  source text not null,
  event_id bigint,
  type text not null,
  reason text not null,
  set_aside_at_ms bigint not null
);
`;
