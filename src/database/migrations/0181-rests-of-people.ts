/** A refusal that somebody without rights, or a background task, has brought about is no rest for moderators. */
export const up = `
alter table castellan.route_rests add column people_until_ms bigint not null default 0;
`;
