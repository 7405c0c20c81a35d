/** What a case's target was like before its call went out. */
export const up = `
alter table castellan.cases add column seen_before text;
`;
