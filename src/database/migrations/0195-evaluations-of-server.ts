/** Each server's events are evaluated by a job of its own. */
export const up = `
create index rule_evaluations_of_server on castellan.rule_evaluations (guild_id, event_id) where settled_at_ms is null;
drop index castellan.rule_evaluations_due;
`;
