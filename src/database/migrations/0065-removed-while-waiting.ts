/** A reply that its author takes away while it waits for its parent: what replies to it has its place by it still. */
export const up = `
alter table castellan.waiting_replies add column removed_at bigint;
`;
