/** Who is signed in to the console: the cookie's token by its hash alone. */
export const up = `
create table castellan.console_sessions (
  token_hash text primary key,
  user_id text not null,
  begun_at_ms bigint not null,
  expires_at_ms bigint not null
);
create index console_sessions_of_user on castellan.console_sessions (user_id);
`;
