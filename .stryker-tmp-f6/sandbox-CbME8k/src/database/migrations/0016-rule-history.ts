/** What rules are rehearsed on: kept for a time, and erased where its author asks for it. */
// @ts-nocheck

export const up = `
create index events_by_time on castellan.events (occurred_at, id);
alter table castellan.casts add column erased_at_ms bigint;
create index casts_with_text on castellan.casts (cast_at) where erased_at_ms is null;
`;
