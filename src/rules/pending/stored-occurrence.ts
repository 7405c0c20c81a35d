import type { Selectable } from "kysely";
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
