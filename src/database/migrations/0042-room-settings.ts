/** How a room wants to be told: whom to call for what, how often at most, and when not. `_ms` columns are UNIX milliseconds. */
export const up = `
alter table castellan.feed_lanes
  add column mention_role text,
  add column mention_kinds text[] not null default '{}',
  add column mentioned_at_ms bigint,
  -- What does not matter at once comes so often, summed up.
  add column digest_seconds integer,
  -- Minutes of the day in that time zone.
  add column quiet_from integer,
  add column quiet_until integer,
  add column quiet_zone text,
  -- Until then only what matters is told.
  add column held_until_ms bigint not null default 0;

alter table castellan.feed_messages add column mention_role text;
`;
