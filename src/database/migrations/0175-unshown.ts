/** Messages that say that an event could not be shown. */
export const up = `
alter table castellan.feed_messages add column unshown boolean not null default false;
create index feed_messages_unshown on castellan.feed_messages (room_id) where unshown;
`;
