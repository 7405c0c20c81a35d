/** What matters is told first: rows of a room wait by rank, and by their events within it (src/feed/feed-kinds.ts). */
export const up = `
alter table castellan.feed_rows add column rank integer not null default 1;
update castellan.feed_rows set rank = case
    when kind in ('username_proof.merged', 'cast.created', 'cast.removed') then 2
    when kind ~ '^(user|rule|rules|review|automod|gap|link)[.]' then 0
    else 1 end
  from castellan.events where events.id = feed_rows.event_id and message_id is null;
drop index castellan.feed_rows_waiting;
create index feed_rows_waiting on castellan.feed_rows (room_id, rank, event_id) where message_id is null;
`;
