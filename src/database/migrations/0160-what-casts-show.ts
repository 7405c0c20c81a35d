/**
 * What a cast shows beside its text: whom it mentions, where in the text their names belong (in UTF-8 bytes), and which casts
 * it quotes. Casts stored before have neither. `evidence_extras` is the same of a case's or a review's evidence, with embeds.
 */
export const up = `
alter table castellan.casts
  add column mentions jsonb not null default '[]',
  add column mentions_positions jsonb not null default '[]',
  add column quotes jsonb not null default '[]';
alter table castellan.cases add column evidence_extras jsonb;
alter table castellan.review_items add column evidence_extras jsonb;
`;
