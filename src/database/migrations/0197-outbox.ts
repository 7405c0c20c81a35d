/**
 * One table for what is to be sent to Discord besides posts: edits, messages to people, answers to appeals and results of
 * proofs. Until then each had a table or a column of its own, and only edits and notices knew their attempts.
 */
export const up = `
create table castellan.outbox (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('edit', 'notice', 'answer', 'proof')),
  -- What it is about: a message, a case, a review and its round, a cast.
  key text not null,
  -- What is sent to one destination goes one by one.
  destination text not null,
  data jsonb not null default '{}',
  erasure_id bigint references castellan.erasures,
  requested_at_ms bigint not null,
  due_at_ms bigint not null,
  attempts integer not null default 0,
  lease_token text,
  leased_until_ms bigint not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dropped', 'failed')),
  error text,
  settled_at_ms bigint,
  unique (kind, key)
);
create index outbox_waiting on castellan.outbox (destination, due_at_ms) where state = 'waiting';
create index outbox_of_erasure on castellan.outbox (erasure_id) where erasure_id is not null;
create index outbox_of_person on castellan.outbox (destination, settled_at_ms) where kind = 'notice' and state = 'sent';
create index outbox_settled on castellan.outbox (settled_at_ms) where state <> 'waiting';

insert into castellan.outbox (kind, key, destination, data, erasure_id, requested_at_ms, due_at_ms, attempts, state, error, settled_at_ms)
select 'edit', message_id::text, message.room_id, jsonb_build_object('eventIds', to_jsonb(event_ids)), erasure_id, requested_at_ms,
  edit.retry_at_ms, edit.attempts, case edit.state when 'done' then 'sent' when 'unreachable' then 'failed' else edit.state end,
  edit.error, edit.settled_at_ms
from castellan.message_edits as edit join castellan.feed_messages as message on message.id = edit.message_id;
drop table castellan.message_edits;

insert into castellan.outbox (kind, key, destination, data, requested_at_ms, due_at_ms, state, settled_at_ms)
select 'notice', case_id::text, guild_id || ' ' || fid, jsonb_build_object('template', template), made_at_ms, retry_at_ms,
  case state when 'unreachable' then 'failed' else state end, settled_at_ms
from castellan.notices;
drop table castellan.notices;

insert into castellan.outbox (kind, key, destination, requested_at_ms, due_at_ms)
select 'answer', item.id || ' ' || item.round, appeal.user_id, item.decided_at_ms, item.decided_at_ms
from castellan.appeals as appeal join castellan.review_items as item on item.id = appeal.item_id
where item.state <> 'open' and coalesce(appeal.sent_round, -1) < item.round and coalesce(appeal.seen_round, -1) < item.round;
alter table castellan.appeals drop column sent_round;

insert into castellan.outbox (kind, key, destination, requested_at_ms, due_at_ms)
select 'proof', cast_hash, issued.room_id, judged_at_ms, judged_at_ms
from castellan.code_casts as cast_with_code join castellan.link_codes as issued using (code)
where judged_at_ms is not null and told_at_ms is null;
-- With its index, which is created again.
alter table castellan.code_casts drop column told_at_ms;
create index code_casts_open on castellan.code_casts (merged_at) where judged_at_ms is null;
`;
