/** Views of who is banned, and until when. */
export const bans = `
-- What says until when somebody is banned: of each server its latest change of the end and the bans since. What others
-- banned has no server: whoever says when it ends says so for all.
create view castellan.ban_expiries as
select id, guild_id, target_key, state, due_at_ms from castellan.cases as ban
where kind in ('ban', 'change_expiry') and state in ('applied', 'already', 'outside') and not exists (
  select from castellan.cases as later where later.target_key = ban.target_key and later.kind = 'change_expiry'
    and later.state = 'applied' and later.id > ban.id and (later.guild_id = ban.guild_id or ban.state = 'outside'));

-- Castellan's own ban ends with the longest of them. It does not end where one is permanent, or where others banned.
create view castellan.standing_bans as
select target_key, case when by_us and not permanent then last_due_ms end as until_ms, case_id
from (
  select target_key, max(due_at_ms) filter (where state <> 'already') as last_due_ms,
    bool_or(due_at_ms is null) filter (where state <> 'already') as permanent,
    bool_or(state = 'applied' or state = 'outside' and due_at_ms is not null) as by_us,
    (array_agg(id order by state = 'already', due_at_ms desc nulls first, id))[1] as case_id
  from castellan.ban_expiries group by target_key
) as bans;

-- Who is banned as far as Castellan knows: by what the network lists, and by cases in force.
create view castellan.banned_users as
select channel_id, fid from castellan.listing_entries where listing = 'bans'
union all
select channel_id, subject_fid from castellan.cases
where kind in ('ban', 'change_expiry') and state in ('applied', 'already', 'outside') and subject_fid is not null;
`;
