import type { Queryable } from "../../database/database.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import { countPastCasts, readPastCasts, type CastPlace } from "./past-casts.ts";
import { findStretch, readPast, type Past, type Stretch } from "./past-events.ts";

/** Rows per statement: few enough that nobody waits for it. */
const chunk = 500;

/** All stored history of a period: the events, and the casts from before the link. */
export interface History {
  past: Past;
  stretch: Stretch;
  /** The number of casts from before the link. */
  casts: number;
}

/** Where reading continues, backwards: first events up to this id, among this many ids, then casts from before the link. */
export type Place = { eventsUntil: number; ids: number } | { castsBefore: CastPlace | undefined };

interface Chunk {
  occurrences: Occurrence[];
  /** Its share of the history's size. */
  size: number;
  /** Undefined at the end. */
  next: Place | undefined;
}

export async function openHistory(db: Queryable, past: Past): Promise<History> {
  const stretch = await findStretch(db, past);
  return { past, stretch, casts: await countPastCasts(db, past) };
}

/** By ids, because the number of events is not counted. */
export function sizeOf({ stretch: { first, last }, casts }: History): number {
  return last - first + 1 + casts;
}

export function firstPlace({ stretch: { first, last }, casts }: History, ids = chunk): Place | undefined {
  if (last >= first) return { eventsUntil: last, ids };
  return casts > 0 ? { castsBefore: undefined } : undefined;
}

export async function readChunk(db: Queryable, history: History, place: Place): Promise<Chunk> {
  return "eventsUntil" in place
    ? readEvents(db, history, place.eventsUntil, place.ids)
    : readCasts(db, history, place.castsBefore);
}

async function readEvents(
  db: Queryable,
  { past, stretch, casts }: History,
  until: number,
  ids: number,
): Promise<Chunk> {
  const first = Math.max(stretch.first, until - ids + 1);
  const { occurrences, from } = await readPast(db, past, { first, last: until }, chunk);
  // Most ids may be other servers' events: if few belong to this one, the next statement covers more.
  const wider = from > first ? ids : ids * 4;
  const next = firstPlace({ past, stretch: { ...stretch, last: from - 1 }, casts }, wider);
  return { occurrences, size: until - from + 1, next };
}

async function readCasts(db: Queryable, { past }: History, before: CastPlace | undefined): Promise<Chunk> {
  const occurrences = await readPastCasts(db, past, before, chunk);
  const last = occurrences.length === chunk ? occurrences.at(-1) : undefined;
  const next = last && { castsBefore: { at: last.event.occurredAt, hash: last.cast?.hash ?? "" } };
  return { occurrences, size: occurrences.length, next };
}
