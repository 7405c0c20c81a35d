/** A note that is taken back stays, marked, as strikes do. */
export const up = `
alter table castellan.user_notes add column removed_by text, add column removed_at_ms bigint;
create index strikes_of_rule on castellan.strikes (guild_id, channel_id, rule_id, given_at_ms) where rule_id is not null;
create index user_notes_of_rule on castellan.user_notes (guild_id, channel_id, rule_id, written_at_ms)
  where rule_id is not null;
`;
