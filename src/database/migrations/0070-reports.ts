/** Casts that members report: each waits for a decision once, however many do. */
export const up = `
create table castellan.reports (
  item_id bigint not null references castellan.review_items on delete cascade,
  guild_id text not null,
  user_id text not null,
  reason text,
  reported_at_ms bigint not null,
  primary key (item_id, user_id)
);
create index reports_of_server on castellan.reports (guild_id, reported_at_ms);

create table castellan.ignored_reporters (
  guild_id text not null,
  channel_id text not null,
  user_id text not null,
  ignored_by text not null,
  ignored_at_ms bigint not null,
  primary key (guild_id, channel_id, user_id)
);

create unique index review_items_reported on castellan.review_items (guild_id, channel_id, cast_hash)
  where rule_id = '@reports';
`;
