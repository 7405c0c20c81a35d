/** Bot processes share the answering by leases, and take turns to identify at Discord's gateway. */
export const up = `
alter table castellan.gateways
  add column name text not null default '',
  add column started_at_ms bigint not null default 0,
  add column shard_count integer not null default 0,
  add column leased_until_ms bigint not null default 0;
create table castellan.identify_turns (
  bucket integer primary key,
  next_at_ms bigint not null
);
`;
