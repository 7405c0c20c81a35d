/**
 * Requests for keys that sign for a user. Whether one is pending, expired, approved or completed follows from its row
 * and the time; a key of an approved request counts from `valid_from` on.
 */
// @ts-nocheck

export const up = `
create table network.signed_key_requests (
  token text primary key,
  key text not null,
  request_fid bigint not null,
  deadline bigint not null,
  redirect_url text,
  sponsor_fid bigint,
  created_at bigint not null,
  answer text check (answer in ('approve', 'refuse')),
  user_fid bigint,
  answered_at bigint,
  completed_at bigint,
  check ((answer is null) = (user_fid is null))
);
create index signed_key_requests_open on network.signed_key_requests (request_fid, key) where answer is null;
create index accounts_by_custody on network.accounts (lower(custody_address));

alter table network.app_keys add column valid_from bigint not null default 0;
`;
