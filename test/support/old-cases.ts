import type { CaseKind } from "../../src/moderation/cases/case.ts";
import type { BotInDiscord } from "./bot-in-discord.ts";
import type { CaseState } from "../../src/database/tables/case-states.ts";

/* What statistics are counted of: rows as the past leaves them. */

export interface OldCase {
  channelId?: string;
  kind?: CaseKind;
  state?: CaseState;
  rule?: string | null;
  moderator?: string | null;
  /** Milliseconds. */
  ago?: number;
  hasExpired?: boolean;
}

let last = 0;

/** A case out of the past, as if it had been settled. */
export async function addCase(
  { bot, discord }: BotInDiscord,
  {
    channelId = "memes",
    kind = "ban",
    state = "applied",
    rule = null,
    moderator = null,
    ago = 0,
    hasExpired = false,
  }: OldCase = {},
): Promise<number> {
  last += 1;
  const { id } = await bot.database.query
    .insertInto("castellan.cases")
    .values({
      guild_id: discord.guildId,
      channel_id: channelId,
      number: last,
      target_key: `${channelId} ${last}`,
      kind,
      state,
      target_fid: 7,
      target_cast: null,
      role: null,
      actor_kind: moderator === null ? (rule === null ? "outside" : "rule") : "person",
      actor_user: moderator,
      actor_fid: null,
      rule_id: rule,
      rule_version: rule === null ? null : 1,
      cause_event_id: null,
      action_index: null,
      action_source: null,
      review_round: null,
      public_reason: null,
      private_reason: null,
      evidence: null,
      requested_at_ms: bot.clock.now() - ago,
      settled_at_ms: null,
      sent_at_ms: null,
      retry_at_ms: null,
      leased_until_ms: null,
      lease_token: null,
      due_at_ms: null,
      ends_case_id: null,
      has_expired: hasExpired,
      event_id: null,
      bulk_id: null,
      undoes_case_id: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** A review that was held so many milliseconds ago, and decided after so many, or not yet. */
export async function addReview(
  { bot, discord }: BotInDiscord,
  ago: number,
  after: number | null,
  headId: number | null = null,
): Promise<number> {
  last += 1;
  const queuedAtMs = Math.round(bot.clock.now() - ago);
  const { id } = await bot.database.query
    .insertInto("castellan.review_items")
    .values({
      guild_id: discord.guildId,
      channel_id: "memes",
      queue: "q",
      event_id: last,
      rule_id: "scam",
      rule_version: 1,
      depth: 1,
      fid: 7,
      cast_hash: null,
      evidence: null,
      why: null,
      queued_at_ms: queuedAtMs,
      actions: "[]",
      state: after === null ? "open" : "dismissed",
      head_id: headId,
      claimed_by: null,
      claimed_at_ms: null,
      reminded_at_ms: null,
      decided_by: after === null ? null : "1",
      decided_at_ms: after === null ? null : Math.round(queuedAtMs + after),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
