import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { openTestDatabase } from "../support/database.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

/* Why no table grows until the disk is full. Whoever adds a table says here what deletes its rows, what bounds them, or why they stay. */

/** Tables whose old rows are deleted, and by which file. */
const deleted: Record<string, string> = {
  "castellan.api_requests": "src/retention/prune-obsolete.ts",
  "castellan.api_tokens": "src/retention/prune-obsolete.ts",
  "castellan.calls": "src/retention/prune-obsolete.ts",
  "castellan.channel_events": "src/observe/live/poll-channel-events.ts",
  "castellan.channel_snapshots": "src/retention/prune-obsolete.ts",
  "castellan.code_casts": "src/retention/prune-obsolete.ts",
  "castellan.console_sessions": "src/retention/prune-obsolete.ts",
  "castellan.events": "src/retention/delete-events.ts",
  "castellan.feed_messages": "src/retention/prune-obsolete.ts",
  "castellan.feed_rows": "src/retention/prune-obsolete.ts",
  "castellan.gaps": "src/retention/prune-obsolete.ts",
  "castellan.gateways": "src/discord/bot-processes.ts",
  "castellan.link_codes": "src/retention/prune-obsolete.ts",
  "castellan.listing_entries": "src/retention/prune-obsolete.ts",
  "castellan.outbox": "src/retention/prune-obsolete.ts",
  "castellan.prompts": "src/retention/prune-obsolete.ts",
  "castellan.recent_removals": "src/observe/hub/cast-removals.ts",
  "castellan.records": "src/retention/prune-obsolete.ts",
  "castellan.refused_calls": "src/feed/refused-calls.ts",
  "castellan.reply_readings": "src/observe/hub/read-casts-by-parent.ts",
  "castellan.requested_parents": "src/retention/prune-obsolete.ts",
  "castellan.review_items": "src/retention/prune-obsolete.ts",
  "castellan.route_backoffs": "src/retention/prune-obsolete.ts",
  "castellan.rule_cooldowns": "src/rules/limits/cooldown.ts",
  "castellan.rule_evaluations": "src/retention/delete-events.ts",
  "castellan.rule_sets": "src/retention/prune-obsolete.ts",
  "castellan.set_aside_events": "src/retention/prune-obsolete.ts",
  "castellan.sources": "src/retention/prune-obsolete.ts",
  "castellan.staff_proofs": "src/retention/prune-obsolete.ts",
  "castellan.token_uses": "src/feed/shared-token.ts",
  "castellan.upstream_backoffs": "src/retention/prune-obsolete.ts",
  "castellan.waiting_replies": "src/observe/hub/drop-waiting-replies.ts",
  "network.hub_events": "src/api/store/hub-events.ts",
  "network.invite_calls": "src/api/operations/invite-limit.ts",
  "network.signed_key_requests": "src/api/operations/signed-keys.ts",
};

/** Tables whose rows are deleted with those of another that is in `deleted`, by a foreign key. */
const deletedWith: Record<string, string> = {
  "castellan.appeals": "castellan.review_items",
  "castellan.cast_addresses": "castellan.events",
  "castellan.cast_fingerprints": "castellan.events",
  "castellan.reply_fingerprints": "castellan.events",
  "castellan.reports": "castellan.review_items",
};

/** Tables of as many rows as there is something else, however long Castellan runs. */
const bounded: Record<string, string> = {
  "castellan.absent_servers": "one per server that the bot has left",
  "castellan.automod_pauses": "one per link",
  "castellan.bot_keys": "one per key of the operator's",
  "castellan.bulk_numbers": "one per server",
  "castellan.capabilities": "one per link, role and capability",
  "castellan.case_numbers": "one per channel that a server has linked",
  "castellan.counters": "one",
  "castellan.deployments": "one per application",
  "castellan.feeds": "what moderators add; two alike are refused",
  "castellan.identify_turns": "Discord's buckets, sixteen at most",
  "castellan.ignored_reporters": "members whom a moderator ignores",
  "castellan.installation": "one",
  "castellan.link_list_parts": "the operator's lists, in parts",
  "castellan.link_lists": "the operator's lists",
  "castellan.links": "one per channel that a server has linked",
  "castellan.lockdowns": "one per link",
  "castellan.migrations": "one per migration",
  "castellan.notice_templates": "one per link",
  "castellan.room_queues": "one per room that had a feed",
  "castellan.rule_breakers": "one per rule of a server",
  "castellan.rule_timers": "one per link and interval of a rule",
  "castellan.rules_in_force": "one per server",
  "castellan.saved_reasons": "what moderators add, up to a limit per server",
  "castellan.time_zones": "one per server that has chosen one",
  "castellan.watched_channels": "one per linked channel",
  "castellan.webhooks": "what moderators add, up to a limit per server",
  "network.bot_allowlist": "what the operator adds",
  "network.imported_files": "one per file that the operator imports",
  "network.stream_heads": "one per stream",
};

/** Tables that grow, with the reason why nothing is deleted. */
const permanent: Record<string, string> = {
  "castellan.bulks": "the account of moderators' actions",
  "castellan.case_changes": "the account of moderators' actions",
  "castellan.cases": "the account of moderators' actions",
  "castellan.casts": "a line without text per cast, so that replies find their thread",
  "castellan.erasures": "the record of requests to erase",
  "castellan.names": "one per name on the network; needed to read what people type",
  "castellan.released_names": "an older proof must not give the name back",
  "castellan.rule_decisions": "the reasons of cases; the others are deleted with their events",
  "castellan.setup_changes": "the account of changes for /audit",
  "castellan.shown_names": "one per user who chose a name",
  "castellan.strikes": "those without an end count for ever; the others are deleted",
  "castellan.user_notes": "moderators' notes about people",
  ...Object.fromEntries(
    [
      "accounts",
      "actions",
      "announcements",
      "app_keys",
      "bans",
      "blocks",
      "cast_removals",
      "casts",
      "channel_follows",
      "channels",
      "composer_actions",
      "creator_reward_periods",
      "creator_reward_winners",
      "developer_reward_periods",
      "developer_reward_winners",
      "invite_answers",
      "invites",
      "memberships",
      "moderation_records",
      "names",
      "primary_addresses",
      "restrictions",
      "starter_pack_members",
      "starter_packs",
      "transfers",
      "user_follows",
      "verifications",
    ].map((table) => [`network.${table}`, "the embedded network's own data, which its users remove"]),
  ),
};

it("names each table once, with what deletes its rows, what bounds them, or why they stay", async () => {
  // BullMQ deletes its jobs itself (src/queue/queues.ts).
  const { rows } = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema in ('castellan', 'network') and table_type = 'BASE TABLE' order by name
  `.execute(database.query);
  const named = [deleted, deletedWith, bounded, permanent].flatMap((list) => Object.keys(list));
  expect(named.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

it.each(Object.entries(deleted))("deletes rows of %s in %s", (table, file) => {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const [, name = ""] = table.split(".");
  const inStatement = new RegExp(String.raw`(deleteFrom\("|delete from )${table}\b`);
  // prune-obsolete.ts has a list of tables and conditions.
  const inList = new RegExp(String.raw`\[\s*"${name}",\s*(sql\x60|unlinked(Among)?\b)`);
  expect(inStatement.test(source) || (file.endsWith("/prune-obsolete.ts") && inList.test(source))).toBe(true);
});

it.each(Object.entries(deletedWith))("deletes rows of %s with those of %s", async (table, parent) => {
  expect(Object.keys(deleted)).toContain(parent);
  const { rows } = await sql`
    select from pg_constraint where contype = 'f' and confdeltype = 'c'
      and conrelid = ${table}::regclass and confrelid = ${parent}::regclass
  `.execute(database.query);
  expect(rows.length).toBeGreaterThan(0);
});
