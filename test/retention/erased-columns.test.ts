import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { eraseAuthor } from "../../src/retention/erase-author.ts";
import { useTestNetwork } from "../support/test-cases.ts";

const author = 7;
const marker = "SECRET words of the author";
const hash = `0x${"a".repeat(40)}`;

/**
 * Columns of text that an erasure leaves, each with the reason. Whoever adds a table or a column decides here: it is erased,
 * or it is named.
 */
const kept: Record<string, string> = {
  "api_requests.idempotency_key": "chosen by a moderator's program",
  "api_tokens.capabilities": "a moderator's choice",
  "api_tokens.name": "chosen by a moderator, of letters and digits",
  "cases.actor_token": "the name of a moderator's token",
  "review_items.decided_token": "the name of a moderator's token",
  "appeals.locale": "the language of a Discord app, as Discord names it",
  "automod_pauses.reason": "a moderator's words about a channel",
  "capabilities.capability": "a moderator's choice",
  "code_casts.code": "random",
  "code_casts.outcome": "a word of ours",
  "code_casts.signer": "a public key",
  "link_codes.code": "random",
  "staff_proofs.custody_address": "an address of the chain",
  "staff_proofs.method": "cast or signature",
  "case_changes.text": "a moderator's words about what was done",
  "setup_changes.kind": "a word of ours",
  "setup_changes.what": "what a moderator changed of our settings, in our words",
  "strikes.reason": "a moderator's reason for what was done",
  "cases.target_key": "the target, by number",
  "cases.role": "member or moderator",
  "listing_entries.listing": "members, invites and so on",
  "listing_entries.role": "member or moderator",
  "rule_decisions.mode": "of the rule file",
  "bulks.selection": "what a moderator asked for",
  "bulks.other_channel_ids": "a moderator's choice",
  "bulks.reason": "a moderator's reason for what was done",
  "cases.outcome": "a code of ours",
  "cases.outcome_detail": "numbers, and the network's sentence about our call",
  "cases.waiting_reason": "a code of ours",
  "cases.private_reason": "a moderator's reason for what was done",
  "cases.state_before": "a hash, a time or a state of the target, as the network showed it",
  "cases.public_reason": "a moderator's reason for what was done",
  "channel_snapshots.channel_json": "the channel's own record; goes when nobody is linked to it",
  "room_queues.error": "Discord's sentence about a room",
  "room_queues.mention_role": "a role in Discord",
  "room_queues.mention_kinds": "a moderator's choice",
  "room_queues.quiet_zone": "a moderator's choice",
  "room_queues.locale": "a moderator's choice of a language",
  "feed_messages.mention_role": "a role in Discord",
  "feed_messages.buttons_json": "our own labels",
  "feed_messages.error": "Discord's sentence about a message",
  "feed_messages.nonce": "random",
  "feeds.ended_reason": "Discord's or our own sentence about a room",
  "feeds.kinds": "a moderator's choice",
  "feeds.channel_ids": "a moderator's choice",
  "feeds.name_pattern": "a moderator's choice",
  "notice_templates.locale": "a moderator's choice of a language",
  "notice_templates.template": "a moderator's words about nobody",
  "outbox.data": "a moderator's words about nobody, numbers of events, and sentences about cases",
  "outbox.destination": "a room, or numbers of people",
  "outbox.error": "Discord's sentence about a message",
  "outbox.key": "numbers, and the hash of a cast",
  "lockdowns.reason": "a moderator's words about a channel",
  "review_items.actions": "what the rule file asks for",
  "review_items.why": "our own sentence about a limit",
  "review_items.queue": "a name from the rule file",
  "rule_decisions.action": "what the rule file asks for",
  "rule_decisions.why": "our own sentence about a limit",
  "rule_sets.change": "a moderator's doing",
  "rule_sets.source": "a server's rule file",
  "rules_in_force.event_kinds": "of the rule file",
  "saved_reasons.reason": "what a server gives as its reasons, of nobody",
  "calls.purpose": "one of our tasks",
  "calls.route": "of the interface",
  "gateways.process": "random",
  "gateways.name": "a machine of the operator's",
  "gaps.source": "one of our sources",
  "records.action": "hide or unhide",
  "rule_cooldowns.subject": "a channel and a number",
  "set_aside_events.source": "one of our sources",
  "sources.source": "one of our sources",
  "set_aside_events.reason": "our own sentence",
  "set_aside_events.type": "a word of the protocol, of letters alone",
  "sources.error": "the sentence of a failure",
  "link_list_parts.list": "an operator's name for a list",
  "link_lists.name": "an operator's name for a list",
  "link_lists.url": "where a list is fetched from",
  "link_lists.error": "our own sentence about a list",
  "link_lists.left_out": "hosts of well-known sites",
  "link_lists.etag": "what a list's server calls its state",
  "link_lists.modified": "when a list's server says it changed",
  "links.channel_name": "the channel's own record",
  "links.channel_url": "the channel's own record",
  "links.suspended_reason": "our own sentence",
  "links.onboarding_stage": "member or follower",
  "links.onboarding_error": "the network's sentence about our call",
  "released_names.name": "a name that is nobody's any more",
  "bot_keys.key": "the bot's own",
  "bot_keys.refusal": "the network's sentence about our call",
  "bot_keys.standing": "a word of ours",
  "bot_keys.standing_message": "our own sentence about the bot's key",
  "bot_keys.announced_standing": "a word of ours",
  "route_backoffs.route": "of the interface",
  "time_zones.zone": "a server's time zone, of nobody",
  "upstream_backoffs.reason": "the sentence of a failure",
  "upstream_backoffs.upstream": "a service that we are configured to ask",
  "reply_readings.page": "a token of the hub's own",
  "watched_channels.past_page": "a token of the hub's own",
  "watched_channels.url": "the channel's own record",
  "webhooks.channel_ids": "a moderator's choice",
  "webhooks.error": "a word of ours",
  "webhooks.events": "a moderator's choice",
  "webhooks.name": "chosen by a moderator, of letters and digits",
  "webhooks.secret": "random",
  "webhooks.url": "an address of a moderator's",
};
/** Numbers of rows, people and casts: no text of anybody. */
const identifiers = /\.(id|.*_id|.*_user|.*_by|hash|.*_hash|source_key|lease_token)$/;

const leaf = { kind: "leaf", name: "text", sentence: "contains", truth: true, value: marker };
/** What makes a row one about the author, or is read as what it is; everything else is the marker, or the author's number. */
const rows: Record<string, Record<string, unknown>> = {
  erasures: { finished_at_ms: 1 },
  events: { kind: "cast.created", cast_hash: hash, source_key: "hub:7" },
  casts: { hash, erased_at_ms: null },
  reply_readings: { hash },
  feed_messages: { state: "sent", digest: false, embeds_json: JSON.stringify([{ description: marker }]) },
  feed_rows: { head_id: null },
  rule_sets: {},
  rules_in_force: {},
  cast_fingerprints: {},
  cast_addresses: { kind: "domain" },
  reply_fingerprints: { fingerprint: "0".repeat(64) },
  installation: { only_one: true },
  bulks: { kind: "hide", undoes_bulk_id: null },
  cases: {
    bulk_id: null,
    undoes_case_id: null,
    echo: "seen",
    state: "applied",
    actor_kind: "rule",
    kind: "hide",
    target_cast: hash,
    ends_case_id: null,
    action_source: "rule",
  },
  strikes: { action_source: "rule" },
  user_notes: { action_source: "rule" },
  review_items: { state: "open", cast_hash: hash },
  case_changes: { kind: "comment" },
  outbox: { kind: "notice", state: "sent" },
  rule_decisions: { outcome: "acted", tree: JSON.stringify({ kind: "all", truth: true, parts: [leaf] }) },
  token_uses: { kind: "message" },
  api_tokens: {},
  webhooks: {},
  api_requests: {},
  waiting_replies: { cast_json: JSON.stringify({ fid: author, text: marker }) },
};

const network = await useTestNetwork();

interface Column {
  table: string;
  column: string;
  type: string;
}

async function readColumns(): Promise<Column[]> {
  const { rows: columns } = await sql<Column>`
    select table_name as table, column_name as column, udt_name as type
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'castellan' and table_type = 'BASE TABLE' and table_name not in ('migrations', 'counters') order by ordinal_position
  `.execute(network.context.database.query);
  return columns;
}

function fill({ table, column, type }: Column): unknown {
  const given = rows[table];
  if (given && column in given) return given[column];
  if (type === "jsonb") return JSON.stringify({ said: marker });
  if (type === "_text") return [marker];
  if (type === "text") return marker;
  if (type === "_int8") return [author];
  if (type === "bool") return false;
  if (type === "int4" || type === "int8") return author;
  if (type === "bytea") return Buffer.from(marker);
  // Random, and of nobody.
  if (type === "uuid") return randomUUID();
  throw new Error(`the test cannot fill ${table}.${column} of type ${type}`);
}

it("An erasure leaves the author's words in no column that is not named here with its reason", async () => {
  const { query } = network.context.database;
  const columns = await readColumns();
  await query.updateTable("castellan.counters").set({ last_id: author }).execute();
  const tables = new Set([...Object.keys(rows), ...columns.map(({ table }) => table)]);
  for (const table of tables) {
    const own = columns.filter((column) => column.table === table);
    const values = own.map((column) => {
      const value = fill(column);
      return column.type === "jsonb" ? sql`${value}::text::jsonb` : sql`${value}`;
    });
    const names = sql.join(own.map(({ column }) => sql.ref(column)));
    await sql`insert into ${sql.table(`castellan.${table}`)} (${names}) overriding system value values (${sql.join(values)})`.execute(
      query,
    );
  }

  await eraseAuthor(network.context, author);

  const left: string[] = [];
  for (const { table, column } of columns) {
    const found = await sql`
      select from ${sql.table(`castellan.${table}`)} where ${sql.ref(column)}::text like ${`%SECRET%`}
    `.execute(query);
    if (found.rows.length > 0) left.push(`${table}.${column}`);
  }
  const texts = left.filter((name) => !identifiers.test(name));
  expect(texts.toSorted()).toEqual(Object.keys(kept).toSorted());
});
