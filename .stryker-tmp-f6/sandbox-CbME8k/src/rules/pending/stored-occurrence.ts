// @ts-nocheck
import type { Selectable } from "kysely";
import type { EventTable } from "../../database/tables/bot.ts";
import {
  isAboutUser,
  ruleEvents,
  type Occurrence,
  type RuleCast,
  type RuleEvent,
} from "../evaluate/occurrence.ts";
import { readText } from "../text/rule-text.ts";

/** A stored event in one linked channel, with what the index knows of its cast. */
export interface OccurrenceRow extends Omit<Selectable<EventTable>, "channel_id"> {
  guild_id: string;
  /** The linked channel in which the event is looked at. */
  channel_id: string;
  /** The channel that the event itself names; null for names. */
  event_channel_id: string | null;
  cast_fid: number | null;
  /** null where the index does not have the cast, or not its text any more. */
  cast_text: string | null;
  cast_embeds: string[] | null;
  cast_depth: number | null;
  /** The rule of this server whose action caused the event. */
  causing_rule: string | null;
}

/** The stored event as live evaluation and rehearsal see it. */
export function toOccurrence(row: OccurrenceRow): Occurrence {
  const event = toEvent(row);
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

function toEvent(row: OccurrenceRow): Occurrence["event"] {
  const kind = ruleEvents.find((kind) => kind === row.kind);
  if (!kind) throw new Error(`an evaluation is queued for ${row.kind}, which rules do not know`);
  return {
    id: row.id,
    sourceKey: row.source_key,
    kind,
    channelId: row.event_channel_id,
    subjectFid: row.subject_fid,
    occurredAt: row.occurred_at,
    observedAt: row.observed_at_ms,
    depth: row.depth,
    caseId: row.case_id,
    // Stored with this kind by appendEvents, whose type pairs the two.
    data: row.data,
  } as { [K in RuleEvent]: Extract<Occurrence["event"], { kind: K }> }[RuleEvent];
}
