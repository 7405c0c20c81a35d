/** What is deleted by its age is found by it. */
export const up = `
create index strikes_expired on castellan.strikes (expires_at_ms) where expires_at_ms is not null;
create index records_by_time on castellan.records (moderated_at);
create index review_items_by_decision on castellan.review_items (decided_at_ms) where decided_at_ms is not null;
create index outbox_settled_webhooks on castellan.outbox (settled_at_ms) where kind = 'webhook' and state <> 'waiting';
`;
