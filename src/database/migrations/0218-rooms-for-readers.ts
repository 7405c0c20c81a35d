/** Whether a room's posts are for a community, instead of for moderators. */
export const up = `
alter table castellan.room_queues add column for_readers boolean not null default false;
create index room_queues_for_readers on castellan.room_queues (room_id) where for_readers;
`;
