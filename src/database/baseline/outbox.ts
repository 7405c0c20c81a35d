/** What is sent to Discord besides posts. */
export const outbox = String.raw`
create table castellan.outbox (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('edit', 'notice', 'answer', 'proof')),
  key text not null,
  destination text not null,
  data jsonb not null default '{}',
  erasure_id bigint references castellan.erasures(id),
  requested_at_ms bigint not null,
  due_at_ms bigint not null,
  attempts integer not null default 0,
  lease_token text,
  leased_until_ms bigint not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dropped', 'failed')),
  error text,
  settled_at_ms bigint,
  unique (kind, key)
);
create index outbox_of_erasure on castellan.outbox (erasure_id) where erasure_id is not null;
create index outbox_of_person on castellan.outbox (destination, settled_at_ms) where (kind = 'notice') and (state = 'sent');
create index outbox_settled on castellan.outbox (settled_at_ms) where state <> 'waiting';
create index outbox_waiting on castellan.outbox (destination, due_at_ms) where state = 'waiting';
`;
