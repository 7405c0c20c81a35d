import { sql, type RawBuilder, type Selectable } from "kysely";
import type { EventTable } from "../../database/tables/bot.ts";
import { toEvent, type ChannelEvent } from "../../observe/events.ts";
import { isAboutUser, ruleEvents, type Occurrence, type RuleCast } from "../evaluate/occurrence.ts";
import { readText } from "../text/rule-text.ts";

/** A stored event in one linked channel, with its cast from the index. */
export interface OccurrenceRow extends Omit<Selectable<EventTable>, "channel_id"> {
  guild_id: string;
  /** The linked channel in which the event is evaluated. */
  channel_id: string;
  /** The channel of the event itself; null for names. */
  event_channel_id: string | null;
  cast_fid: number | null;
  /** null if the index does not have the cast, or no longer has its text. */
  cast_text: string | null;
  cast_embeds: string[] | null;
  cast_depth: number | null;
  /** The rule of this server whose action caused the event. */
  causing_rule: string | null;
}

/** What an occurrence consists of, but for its server and channel: columns of `event` and of `castAndCause`. */
export const occurrenceColumns = sql`
  event.*, event.channel_id as event_channel_id, "cast".fid as cast_fid, "cast".thread_depth as cast_depth,
  case when "cast".erased_at_ms is null then "cast".text end as cast_text,
  case when "cast".erased_at_ms is null then "cast".embeds end as cast_embeds, cause.rule_id as causing_rule`;

/** Joins the event's cast, and the case of a server that caused the event. */
export function castAndCause(guildId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    left join castellan.casts as "cast" on "cast".hash = event.cast_hash
    left join castellan.cases as cause on cause.id = event.case_id and cause.guild_id = ${guildId}`;
}

/** The stored event as live evaluation and rehearsal see it. */
export function toOccurrence(row: OccurrenceRow): Occurrence {
  const event = toRuleEvent(row);
  const text = event.kind === "cast.created" ? event.data.text : row.cast_text;
  return {
    guildId: row.guild_id,
    channelId: row.channel_id,
    event,
    authorFid: isAboutUser(event.kind) ? (row.subject_fid ?? row.cast_fid) : null,
    text: text === null ? null : readText(text),
    cast: toCast(event, row),
    name: event.kind === "username_proof.merged" ? readText(event.data.name) : null,
    causedByRule: event.kind === "strike.added" ? event.data.ruleId : row.causing_rule,
  };
}

function toCast(event: Occurrence["event"], row: OccurrenceRow): RuleCast | null {
  if (event.kind === "cast.created") {
    const { castHash: hash, embeds, threadDepth, mentions } = event.data;
    return { hash, embeds, threadDepth, mentions: mentions.length };
  }
  const { cast_hash: hash, cast_embeds: embeds, cast_depth: threadDepth } = row;
  if (hash === null || embeds === null || threadDepth === null) return null;
  return { hash, embeds, threadDepth, mentions: null };
}

function toRuleEvent(row: OccurrenceRow): Occurrence["event"] {
  const event = toEvent({ ...row, channel_id: row.event_channel_id });
  if (!isRuleEvent(event))
    throw new Error(`an evaluation is queued for ${row.kind}, which rules do not support`);
  return event;
}

function isRuleEvent(event: ChannelEvent): event is Occurrence["event"] {
  return ruleEvents.some((kind) => kind === event.kind);
}
