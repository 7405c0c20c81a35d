/** Imports are not staged, and nothing remembers which channels changed. */
export const up = `
drop table network.import_records, network.imports, network.deleted_channels;
drop trigger mark_channel on network.channels;
drop trigger keep_deleted_channel on network.channels;
drop trigger mark_channel_of_new_moderator on network.memberships;
drop trigger mark_channel_of_moderator on network.memberships;
drop trigger mark_channel_of_old_moderator on network.memberships;
drop function network.mark_channel, network.keep_deleted_channel, network.mark_channel_of_moderator;
alter table network.channels drop column changed_in;
`;
