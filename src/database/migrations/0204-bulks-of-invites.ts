/** Many people are invited by one bulk. */
export const up = `
alter table castellan.bulks drop constraint bulks_kind_check;
alter table castellan.bulks add constraint bulks_kind_check
  check (kind in ('hide', 'unhide', 'ban', 'unban', 'invite', 'undo'));
`;
