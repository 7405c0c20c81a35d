/** Which cases ended in time is asked of thousands at once. */
export const up = `
create index cases_that_end on castellan.cases (ends_case_id) where ends_case_id is not null;
`;
