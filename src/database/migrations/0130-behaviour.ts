/** What conditions on behaviour count by: where casts lead, and what replies say to whom. Times are UNIX seconds. */
export const up = `
create table castellan.cast_addresses (
  event_id bigint not null references castellan.events on delete cascade,
  channel_id text not null,
  fid bigint,
  kind text not null check (kind in ('domain', 'address')),
  address text not null,
  at bigint not null,
  primary key (event_id, kind, address)
);
create index cast_addresses_alike on castellan.cast_addresses (channel_id, address, at);
create index cast_addresses_of_author on castellan.cast_addresses (fid);

create table castellan.reply_prints (
  event_id bigint primary key references castellan.events on delete cascade,
  channel_id text not null,
  fid bigint,
  answered_hash text not null,
  answered_fid bigint,
  print bit(64) not null,
  at bigint not null
);
create index reply_prints_of_author on castellan.reply_prints (fid, channel_id, at);
`;
