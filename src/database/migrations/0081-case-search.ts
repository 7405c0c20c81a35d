/**
 * Finding cases: by time in their own order, and by words within a channel. A channel of a server is a word of its own, which
 * no text has for its space: what is rare is found among what everybody else has.
 */
export const up = `
drop index castellan.cases_by_time;
create index cases_by_time on castellan.cases (guild_id, channel_id, requested_at_ms, number);
drop index castellan.cases_by_words;
create index cases_by_words on castellan.cases using gin ((
  to_tsvector('simple', coalesce(public_reason, '') || ' ' || coalesce(private_reason, '') || ' ' || coalesce(evidence, ''))
  || array_to_tsvector(array[guild_id || ' ' || channel_id])));
`;
