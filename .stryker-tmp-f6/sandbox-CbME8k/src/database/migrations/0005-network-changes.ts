/**
 * Which channels changed since a reader last looked: `changed_in` is the transaction that changed a channel's answer
 * last. A reader that keeps the horizon of its snapshot (the oldest transaction still open then) finds by it whatever
 * has become visible since. Of deleted channels the id stays for that.
 */
// @ts-nocheck

export const up = `
alter table network.channels add column changed_in xid8 not null default pg_current_xact_id();
create index channels_by_change on network.channels (changed_in);

create table network.deleted_channels (
  id text not null,
  deleted_in xid8 not null default pg_current_xact_id()
);
create index deleted_channels_by_change on network.deleted_channels (deleted_in);

create function network.mark_channel() returns trigger language plpgsql as $$
begin
  new.changed_in := pg_current_xact_id();
  return new;
end $$;
create trigger mark_channel before update on network.channels
  for each row execute function network.mark_channel();

create function network.keep_deleted_channel() returns trigger language plpgsql as $$
begin
  insert into network.deleted_channels (id) values (old.id);
  return old;
end $$;
create trigger keep_deleted_channel after delete on network.channels
  for each row execute function network.keep_deleted_channel();

create function network.mark_channel_of_moderator() returns trigger language plpgsql as $$
begin
  update network.channels set changed_in = pg_current_xact_id()
  where id = coalesce(new.channel_id, old.channel_id) and changed_in <> pg_current_xact_id();
  return null;
end $$;
create trigger mark_channel_of_new_moderator after insert on network.memberships
  for each row when (new.role = 'moderator') execute function network.mark_channel_of_moderator();
create trigger mark_channel_of_moderator after update on network.memberships
  for each row when (new.role = 'moderator' or old.role = 'moderator')
  execute function network.mark_channel_of_moderator();
create trigger mark_channel_of_old_moderator after delete on network.memberships
  for each row when (old.role = 'moderator') execute function network.mark_channel_of_moderator();
`;
