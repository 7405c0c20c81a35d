/** A link is suspended for unreadable proofs by the failed tries, not by the time since the last success. */
export const up = `
alter table castellan.links
  add column unreadable_since_ms bigint,
  add column unreadable_at_ms bigint,
  add column unreadable_tries integer not null default 0;
`;
