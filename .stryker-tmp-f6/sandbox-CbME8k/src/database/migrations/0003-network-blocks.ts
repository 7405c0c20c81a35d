/** Who blocks whom. Ids come from a stream's counter, so that a late commit never appears below what was read. */
// @ts-nocheck

export const up = `
create table network.blocks (
  id bigint primary key,
  blocker_fid bigint not null,
  blocked_fid bigint not null,
  created_at bigint not null,
  unique (blocker_fid, blocked_fid)
);
create index blocks_newest on network.blocks (created_at desc, id desc);
create index blocks_newest_of_blocker on network.blocks (blocker_fid, created_at desc, id desc);
create index blocks_of_blocked on network.blocks (blocked_fid);

insert into network.stream_heads (stream, last_id) values ('blocks', 0);

create index actions_top on network.actions (total_users desc, id desc);
create index composer_actions_top on network.composer_actions (total_users desc, id desc);
`;
