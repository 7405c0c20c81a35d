/**
 * What one rule holds of one event is one matter, in however many channels: its first item, the head, stands for all. A
 * decision can be taken back, which begins another round.
 */
export const up = `
alter table castellan.review_items
  add column head_id bigint,
  add column round integer not null default 0,
  add column escalated_by text,
  add column escalated_at_ms bigint,
  add column undone_by text,
  add column undone_at_ms bigint;
create index review_items_of_head on castellan.review_items (head_id) where head_id is not null;

update castellan.review_items as item set head_id = matter.head
from (
  select guild_id, event_id, rule_id, min(id) as head from castellan.review_items
  where state = 'open' group by guild_id, event_id, rule_id having count(*) > 1
) as matter
where item.state = 'open' and item.id > matter.head and item.guild_id = matter.guild_id
  and item.event_id = matter.event_id and item.rule_id = matter.rule_id;
`;
