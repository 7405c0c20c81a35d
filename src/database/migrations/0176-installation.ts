/** What tells this installation from others that share something with it, such as a Redis; made when it is first asked for. */
export const up = `
create table castellan.installation (only_one boolean primary key default true check (only_one), id text not null);
`;
