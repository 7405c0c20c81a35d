/** Tokens with which programs use Castellan's own API, what they asked for, and which of them acted. */
export const up = `
create table castellan.api_tokens (
  id bigint generated always as identity primary key,
  guild_id text not null,
  name text not null,
  secret_hash text not null,
  capabilities text[] not null,
  created_by text not null,
  created_at_ms bigint not null,
  expires_at_ms bigint not null,
  used_at_ms bigint,
  revoked_at_ms bigint
);
create unique index api_tokens_by_name on castellan.api_tokens (guild_id, name) where revoked_at_ms is null;
create table castellan.api_requests (
  id bigint generated always as identity primary key,
  token_id bigint not null references castellan.api_tokens(id) on delete cascade,
  idempotency_key text not null,
  content_hash text not null,
  answer text,
  requested_at_ms bigint not null,
  lease_token text,
  leased_until_ms bigint not null default 0,
  unique (token_id, idempotency_key)
);
create index api_requests_by_time on castellan.api_requests (requested_at_ms);
alter table castellan.cases add column actor_token text, add column api_request_id bigint;
create index cases_of_api_request on castellan.cases (api_request_id) where api_request_id is not null;
alter table castellan.review_items add column decided_token text;
`;
