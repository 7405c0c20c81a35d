/** What changed nothing is looked for among cases that a later one has ended, too. */
export const up = `
drop index castellan.cases_unclaimed;
create index cases_unclaimed on castellan.cases (kind, settled_at_ms)
  where claimed_event_id is null and state in ('applied', 'reverted') and kind in ('hide', 'unhide');
`;
