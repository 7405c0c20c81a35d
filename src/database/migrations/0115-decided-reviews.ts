/** The console asks every two seconds when a server last decided anything. */
export const up = `
create index review_items_decided on castellan.review_items (guild_id, decided_at_ms) where decided_at_ms is not null;
`;
