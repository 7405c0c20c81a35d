/** /status counts what rules could not judge; what was done in doubt is looked at again. */
export const up = `
create index rule_decisions_unknown on castellan.rule_decisions (guild_id, decided_at_ms)
  where outcome = 'unknown' and mode <> 'shadow';
create index rule_decisions_in_doubt on castellan.rule_decisions (decided_at_ms)
  where outcome = 'acted' and why is not null;
`;
