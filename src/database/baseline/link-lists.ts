/** Lists of bad links. */
export const linkLists = String.raw`
create table castellan.link_lists (
  name text primary key,
  url text not null,
  allows boolean not null,
  revision bigint not null default 0,
  hosts integer not null default 0,
  allowed_hosts integer not null default 0,
  skipped integer not null default 0,
  left_out text[] not null default '{}'::text[],
  etag text,
  modified text,
  succeeded_at_ms bigint,
  attempted_at_ms bigint,
  next_at_ms bigint not null,
  failures integer not null default 0,
  error text
);

create table castellan.link_list_parts (
  list text not null,
  revision bigint not null,
  part integer not null,
  allows boolean not null,
  keys bytea not null,
  primary key (list, revision, part)
);
`;
