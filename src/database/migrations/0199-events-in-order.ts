/** A rehearsal reads a server's own events backwards, among all that happened in the installation. */
export const up = `
create index events_in_order on castellan.events (channel_id, id);
`;
