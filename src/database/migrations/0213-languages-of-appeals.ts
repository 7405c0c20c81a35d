/** The language of the Discord app with which somebody appealed, for the message with the answer; null before this migration. */
export const up = `
alter table castellan.appeals add column locale text;
`;
