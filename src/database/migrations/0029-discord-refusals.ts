/**
 * Messages that a server's AutoMod blocks wait for another try, and calls that Discord refused are counted by UNIX minutes,
 * for all processes together.
 */
export const up = `
alter table castellan.feed_messages drop constraint feed_messages_state_check;
alter table castellan.feed_messages add constraint feed_messages_state_check
  check (state in ('bound', 'blocked', 'sent', 'parked'));
alter table castellan.feed_messages
  add column retry_at_ms bigint,
  add column attempts integer not null default 0;
create index feed_messages_blocked on castellan.feed_messages (room_id, retry_at_ms) where state = 'blocked';

create table castellan.refused_calls (minute bigint primary key, calls integer not null);
`;
