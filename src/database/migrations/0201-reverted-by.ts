/** A case that is over says which case ended it. */
export const up = `
alter table castellan.cases add column reverted_by_case_id bigint references castellan.cases(id);
create index cases_reverted_by on castellan.cases (reverted_by_case_id) where reverted_by_case_id is not null;
update castellan.cases as ended set reverted_by_case_id = coalesce(
  (select min(id) from castellan.cases as ending where ending.undoes_case_id = ended.id and ending.state in ('applied', 'already', 'reverted')),
  (select min(id) from castellan.cases as ending where ended.has_expired and ending.target_key = ended.target_key
    and ending.ends_case_id is not null and ending.id > ended.id))
where state = 'reverted';
`;
