import type { Selectable } from "kysely";
import type { EventTable } from "../database/tables/bot.ts";
import type { ChannelEvent } from "./event.ts";

type EventRow = Selectable<EventTable>;

/** An event as castellan.events holds it. */
export function toRow(event: ChannelEvent): EventRow {
  return {
    id: event.id,
    source_key: event.sourceKey,
    kind: event.kind,
    channel_id: event.channelId,
    subject_fid: event.subjectFid,
    cast_hash: "castHash" in event.data ? event.data.castHash : null,
    occurred_at: event.occurredAt,
    observed_at_ms: event.observedAt,
    depth: event.depth,
    case_id: event.caseId,
    data: event.data,
  };
}

export function toEvent(row: EventRow): ChannelEvent {
  return {
    id: row.id,
    sourceKey: row.source_key,
    kind: row.kind,
    channelId: row.channel_id,
    subjectFid: row.subject_fid,
    occurredAt: row.occurred_at,
    observedAt: row.observed_at_ms,
    depth: row.depth,
    caseId: row.case_id,
    data: row.data,
    // Stored by appendEvents, whose type pairs kind and data.
  } as ChannelEvent;
}
