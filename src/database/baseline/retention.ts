/** What is to be erased, and what could not be read. */
export const retention = String.raw`
create table castellan.erasures (
  id bigint generated always as identity primary key,
  fid bigint not null,
  up_to_event_id bigint not null,
  requested_at_ms bigint not null,
  repeat_until_ms bigint not null,
  finished_at_ms bigint
);
create index erasures_open on castellan.erasures (id) where finished_at_ms is null;

create table castellan.set_aside_events (
  id bigint generated always as identity primary key,
  source text not null,
  event_id bigint,
  type text not null,
  reason text not null,
  set_aside_at_ms bigint not null
);
`;
