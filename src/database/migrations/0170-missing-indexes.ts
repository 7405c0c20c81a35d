/**
 * What a foreign key points from is found by an index, else each row deleted at its target reads the whole table.
 * `cases_of_claim` is the same index as `cases_by_claim`. Who is banned is looked up for few users at a time, in either table
 * by its index, as a `union` did not allow; whoever is banned by both may be named twice.
 */
export const up = `
create index feed_rows_of_event on castellan.feed_rows (event_id);
create index cases_that_undo on castellan.cases (undoes_case_id) where undoes_case_id is not null;
create index bulks_that_undo on castellan.bulks (undoes_bulk_id) where undoes_bulk_id is not null;
create index rules_in_force_of_version on castellan.rules_in_force (guild_id, version);
create index announcements_of_channel on network.announcements (channel_id);
create index names_of_transfer on network.names (transfer_id);
drop index castellan.cases_by_claim;

create or replace view castellan.banned_users as
select channel_id, fid from castellan.listing_entries where listing = 'bans'
union all
select channel_id, subject_fid from castellan.cases
where kind in ('ban', 'new_end') and state in ('applied', 'already', 'outside') and subject_fid is not null;
`;
