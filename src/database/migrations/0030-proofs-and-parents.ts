/** How people prove that they own or moderate a channel, where no verified account says so; parents that are asked for. */
export const up = `
-- What was asked of whom: bound to a server, a channel and a Discord user, for a quarter of an hour.
create table castellan.link_codes (
  code text primary key,
  guild_id text not null,
  channel_id text not null,
  user_id text not null,
  room_id text not null,
  made_at_ms bigint not null,
  expires_at_ms bigint not null,
  used_at_ms bigint
);
create index link_codes_of_user on castellan.link_codes (guild_id, channel_id, user_id);

-- Casts that hold such a code, as the hub brought them: "outcome" once they are judged, "told_at_ms" once the room knows.
create table castellan.code_casts (
  cast_hash text primary key,
  code text not null,
  fid bigint not null,
  merged_at bigint not null,
  is_exact boolean not null,
  is_removed boolean not null default false,
  outcome text,
  judged_at_ms bigint,
  told_at_ms bigint
);
create index code_casts_of_code on castellan.code_casts (code);
create index code_casts_open on castellan.code_casts (merged_at) where judged_at_ms is null or told_at_ms is null;

-- That a Discord user holds a fid, as a channel's owner or moderator, in one server. It ends with the link.
create table castellan.staff_proofs (
  guild_id text not null,
  channel_id text not null,
  user_id text not null,
  fid bigint not null,
  method text not null,
  cast_hash text,
  custody_address text,
  proven_at_ms bigint not null,
  custody_read_at_ms bigint,
  primary key (guild_id, channel_id, user_id)
);

-- Who wrote the parent that a reply waits for, and whether it may be one of a linked channel: then the hub is asked for it.
alter table castellan.waiting_replies
  add column parent_fid bigint,
  add column is_wanted boolean not null default false;
create index waiting_replies_wanted on castellan.waiting_replies (merged_at) where is_wanted;
-- Parents that the hub was asked for, whether it had them or not.
create table castellan.asked_parents (hash text primary key, asked_at_ms bigint not null);
`;
