/**
 * A case whose effect ended when its time was up says so: it was not taken back. Of earlier ones, that case which the end names, and
 * those that changed its end and are over by then.
 */
export const up = `
alter table castellan.cases add column ended_in_time boolean not null default false;

update castellan.cases as ended set ended_in_time = true
from castellan.cases as ending
where ending.ends_case_id is not null and ended.lane = ending.lane and ended.state = 'reverted'
  and ended.kind in ('ban', 'new_end') and ended.id >= ending.ends_case_id and ended.id < ending.id
  and ended.due_at_ms <= ending.requested_at_ms;
`;
