/**
 * The network shows us again what we did. A case from whose call such an echo may come says so, instead of being looked for by its
 * time.
 */
export const up = `
alter table castellan.cases add column echo text check (echo in ('expected', 'seen'));
update castellan.cases set echo = case when claimed_event_id is null then 'expected' else 'seen' end
where kind <> 'new_end' and (
  state = 'requested' and sent_at_ms is not null
  or state in ('applied', 'reverted') and outcome <> 'already'
    and sent_at_ms > extract(epoch from now()) * 1000 - 3600000
  or state in ('applied', 'reverted') and outcome = 'done' and claimed_event_id is null and kind in ('hide', 'unhide'));
create index cases_with_echo on castellan.cases (lane, id) where echo is not null;
drop index castellan.cases_unclaimed;
`;
