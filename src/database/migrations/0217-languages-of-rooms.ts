/** The language of the posts in a room. */
export const up = `
alter table castellan.room_queues add column locale text not null default 'en-US';
`;
