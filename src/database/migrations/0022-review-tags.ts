/** What a review's buttons carry: its number alone would fit those of another database, or of a former one. */
export const up = `
alter table castellan.review_items add column tag uuid not null default gen_random_uuid();
create unique index review_items_by_tag on castellan.review_items (tag);
`;
