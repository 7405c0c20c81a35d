/**
 * What a review did was told apart by numbers beside the rule's own: from 100 on what people chose instead, 500 more for what
 * takes something back, and 1000 more for each time that it had been reopened. Each is a column now. The events of strikes of
 * later rounds are found by the new columns.
 */
const split = `
  action_round = action_index / 1000,
  action_source = case when action_index % 1000 >= 500 then 'undo' when action_index % 1000 >= 100 then 'person' else 'rule' end,
  action_index = case when action_index % 500 >= 100 then 0 else action_index % 500 end
where action_index is not null`;

const unique = "(event_id, rule_id, action_round, action_source, action_index, guild_id, channel_id)";

export const up = `
alter table castellan.cases add column action_round integer,
  add column action_source text check (action_source in ('rule', 'person', 'undo'));
alter table castellan.strikes add column action_round integer,
  add column action_source text check (action_source in ('rule', 'person', 'undo'));
alter table castellan.user_notes add column action_round integer,
  add column action_source text check (action_source in ('rule', 'person', 'undo'));

update castellan.events as event set source_key = concat_ws(' ', 'strike', strike.event_id, strike.guild_id,
  strike.channel_id, strike.rule_id, strike.action_index % 1000, 'round', strike.action_index / 1000)
from castellan.strikes as strike
where strike.action_index >= 1000 and event.source_key = concat_ws(' ', 'strike', strike.event_id, strike.guild_id,
  strike.channel_id, strike.rule_id, strike.action_index);

alter table castellan.cases drop constraint cases_cause_event_id_rule_id_action_index_guild_id_channel__key;
alter table castellan.strikes drop constraint strikes_event_id_rule_id_action_index_guild_id_channel_id_key;
alter table castellan.user_notes drop constraint user_notes_event_id_rule_id_action_index_guild_id_channel_i_key;

update castellan.cases set ${split};
update castellan.strikes set ${split};
update castellan.user_notes set ${split};

alter table castellan.cases add constraint cases_of_action
  unique (cause_event_id, rule_id, action_round, action_source, action_index, guild_id, channel_id);
alter table castellan.strikes add constraint strikes_of_action unique ${unique};
alter table castellan.user_notes add constraint user_notes_of_action unique ${unique};
`;
