/** What banned people, and authors of hidden casts, ask to be looked at again: once a case. */
export const up = `
create table castellan.appeals (
  item_id bigint primary key references castellan.review_items on delete cascade,
  case_id bigint not null unique references castellan.cases,
  guild_id text not null,
  user_id text not null,
  made_at_ms bigint not null,
  seen_round integer,
  sent_round integer
);
create index appeals_of_user on castellan.appeals (guild_id, user_id, item_id);
create index appeals_of_server on castellan.appeals (guild_id, made_at_ms);
`;
