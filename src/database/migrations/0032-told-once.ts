/**
 * What has been told of, and what is to be told of yet, by the hub's own time and by what it is, not by ids of the hub; and how
 * far the bot came on its way to moderating a channel.
 */
export const up = `
-- Dropped when every shard has told of what was merged long after them.
alter table castellan.waiting_replies drop column source_key, drop column until_ms,
  -- No event told of it yet.
  add column is_asked boolean not null default false;
create index waiting_replies_by_time on castellan.waiting_replies (merged_at);

-- A cast that was asked for may be removed while the answer is under way.
create table castellan.recent_removals (hash text primary key, removed_at bigint not null);
create index recent_removals_by_time on castellan.recent_removals (removed_at);

alter table castellan.links add column way_in text, add column way_refusal text,
  add column way_looked_at_ms bigint, add column way_looks bigint not null default 0;
`;
