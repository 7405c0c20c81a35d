/** Addresses that are called when something happens in a server, and the state of their last calls. */
export const up = `
create table castellan.webhooks (
  id bigint generated always as identity primary key,
  guild_id text not null,
  name text not null,
  url text not null,
  secret text not null,
  events text[] not null,
  channel_ids text[] not null,
  created_by text not null,
  created_at_ms bigint not null,
  succeeded_at_ms bigint,
  failing_since_ms bigint,
  announced_at_ms bigint,
  failures integer not null default 0,
  retry_at_ms bigint,
  error text,
  unique (guild_id, name)
);
alter table castellan.outbox drop constraint outbox_kind_check;
alter table castellan.outbox add constraint outbox_kind_check check (kind in ('edit', 'notice', 'answer', 'proof', 'webhook'));
create index outbox_of_webhook on castellan.outbox (destination, id) where kind = 'webhook';
create index outbox_waiting_webhooks on castellan.outbox (destination, due_at_ms, id) where state = 'waiting' and kind = 'webhook';
create index outbox_waiting_for_discord on castellan.outbox (due_at_ms) where state = 'waiting' and kind <> 'webhook';
`;
