/** Every case is booked on whom it is about, a cast's on its author; and until when a ban holds is said in one place. */
export const up = `
alter table castellan.cases add column subject_fid bigint;
update castellan.cases set subject_fid = coalesce(target_fid,
  (select fid from castellan.casts where hash = target_cast));
create index cases_of_subject on castellan.cases (guild_id, channel_id, subject_fid, number);
create index cases_of_nobody_known on castellan.cases (target_cast)
  where subject_fid is null and target_cast is not null;
drop index castellan.cases_of_target;
create index cases_of_target on castellan.cases (channel_id, subject_fid);
create index review_items_of_user on castellan.review_items (guild_id, channel_id, fid);
create index cases_by_claim on castellan.cases (claimed_event_id) where claimed_event_id is not null;

drop index castellan.cases_due;
create index cases_due on castellan.cases (due_at_ms)
  where due_at_ms is not null and kind = 'ban' and state in ('applied', 'already', 'outside');

-- A ban of Castellan's own ends with the longest of those in force; with one for good, or where others banned, it does not.
create view castellan.standing_bans as
select lane, case when by_us and not for_good then last_due_ms end as until_ms, case_id
from (
  select lane, max(due_at_ms) as last_due_ms, bool_or(due_at_ms is null) as for_good,
    bool_or(state = 'applied' or state = 'outside' and due_at_ms is not null) as by_us,
    (array_agg(id order by due_at_ms desc nulls first, id))[1] as case_id
  from castellan.cases where kind = 'ban' and state in ('applied', 'already', 'outside') group by lane
) as bans;
`;
