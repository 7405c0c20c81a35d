/** In which time zone a server's members mean the times that they type. */
export const up = `
create table castellan.time_zones (
  guild_id text primary key,
  zone text not null
);
`;
