/** A ban's end is changed by a case of its own (kind new_end), which keeps the end before; what was already so counts no more. */
export const up = `
alter table castellan.cases add column end_before_ms bigint;

-- Bans that found the user banned and made the ban last longer: that is what they did.
update castellan.cases as longer set kind = 'new_end', state = 'applied', end_before_ms = (
    select max(due_at_ms) from castellan.cases as other
    where other.lane = longer.lane and other.kind = 'ban' and other.state in ('applied', 'outside'))
from castellan.standing_bans as standing
where standing.case_id = longer.id and longer.kind = 'ban' and longer.state = 'already'
  and exists (select from castellan.cases as other where other.lane = longer.lane and other.kind = 'ban' and other.state = 'applied')
  and not exists (select from castellan.cases as other where other.lane = longer.lane and other.kind = 'ban'
    and other.state in ('applied', 'outside') and other.due_at_ms is null);

drop index castellan.cases_due;
create index cases_due on castellan.cases (due_at_ms)
  where due_at_ms is not null and kind in ('ban', 'new_end') and state in ('applied', 'already', 'outside');

-- What says until when somebody is banned: of each server its latest change of the end and the bans since. What others
-- banned has no server: whoever says when it ends says so for all.
create view castellan.said_ends as
select id, guild_id, lane, state, due_at_ms from castellan.cases as said
where kind in ('ban', 'new_end') and state in ('applied', 'already', 'outside') and not exists (
  select from castellan.cases as later where later.lane = said.lane and later.kind = 'new_end' and later.state = 'applied'
    and later.id > said.id and (later.guild_id = said.guild_id or said.state = 'outside'));

-- Castellan's own ban ends with the longest of them; with one for good, or where others banned, it does not.
create or replace view castellan.standing_bans as
select lane, case when by_us and not for_good then last_due_ms end as until_ms, case_id
from (
  select lane, max(due_at_ms) filter (where state <> 'already') as last_due_ms,
    bool_or(due_at_ms is null) filter (where state <> 'already') as for_good,
    bool_or(state = 'applied' or state = 'outside' and due_at_ms is not null) as by_us,
    (array_agg(id order by state = 'already', due_at_ms desc nulls first, id))[1] as case_id
  from castellan.said_ends group by lane
) as bans;
`;
