/** Reasons that the moderators of a server choose from, each with how long a ban for it usually lasts. */
export const up = `
create table castellan.saved_reasons (
  guild_id text not null,
  reason text not null,
  for_seconds integer,
  primary key (guild_id, reason)
);
`;
