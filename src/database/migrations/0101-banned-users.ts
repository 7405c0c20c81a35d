/** Who is banned: as the listing was last read, or as our own cases say, which it may not show yet. */
export const up = `
create view castellan.banned_users as
select channel_id, fid from castellan.listing_entries where listing = 'bans'
union
select channel_id, subject_fid from castellan.cases
where kind in ('ban', 'new_end') and state in ('applied', 'already', 'outside') and subject_fid is not null;
`;
