/** What is deleted by its age is found by it, and a message by its id in Discord. */
export const up = `
create index strikes_expired on castellan.strikes (expires_at_ms) where expires_at_ms is not null;
create index records_by_time on castellan.records (moderated_at);
create index review_items_by_decision on castellan.review_items (decided_at_ms) where decided_at_ms is not null;
create index outbox_settled_webhooks on castellan.outbox (settled_at_ms) where kind = 'webhook' and state <> 'waiting';
create index feed_messages_in_discord on castellan.feed_messages (discord_id) where discord_id is not null;
`;
