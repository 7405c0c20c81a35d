/**
 * Hosts that a list of bad links names although everybody links to them. What is stored may have some: each list is read again,
 * though its feed did not change.
 */
export const up = `
alter table castellan.link_lists add column left_out text[] not null default '{}';
update castellan.link_lists set etag = null, modified = null, next_at_ms = 0;
`;
