/** Who else acts with the bot's token: what only another installation can have done, and our own gateways. */
export const up = `
create table castellan.token_signs (
  id text primary key,
  kind text not null check (kind in ('answer', 'message')),
  room_id text,
  seen_at_ms bigint not null
);
create table castellan.gateways (process text primary key, seen_at_ms bigint not null);
`;
