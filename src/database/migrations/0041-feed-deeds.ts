/**
 * One post for one deed: events of a deed follow the first of them that a room was told, and what was posted is edited when
 * more comes, or when it is not so any more.
 */
export const up = `
alter table castellan.feed_rows
  -- What the event is a part of (src/feed/deeds.ts).
  add column deed text,
  -- The event under which it is told; null where it is told by itself.
  add column head_id bigint;
create index feed_rows_of_deed on castellan.feed_rows (deed) where deed is not null;
create index feed_rows_following on castellan.feed_rows (room_id)
  where message_id is null and head_id is not null;

-- It counts events and names none, so there is nothing in it to edit.
alter table castellan.feed_messages add column digest boolean not null default false;
update castellan.feed_messages set digest = true
  where (select count(*) from castellan.feed_rows where message_id = feed_messages.id) > 10;

create index cases_of_claim on castellan.cases (claimed_event_id) where claimed_event_id is not null;

-- Edits are not only for erasures.
alter table castellan.message_edits alter column erasure_id drop not null;
`;
