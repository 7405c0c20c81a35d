/** A bulk can act in several channels: `channel_id` is its first one. */
export const up = `
alter table castellan.bulks add column other_channel_ids text[] not null default '{}';
`;
