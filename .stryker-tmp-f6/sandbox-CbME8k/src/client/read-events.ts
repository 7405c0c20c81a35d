// @ts-nocheck
import { z } from "zod";
import { HubEvent } from "../contract/hub.ts";
import type { JsonObject } from "./parse-json.ts";
import { relax } from "./relax.ts";

const RelaxedEvent = relax(HubEvent);
const Bare = z.object({ id: z.int(), type: z.string() });
const EventPage = z.object({
  events: z.array(z.unknown()),
  nextPageEventId: z.int().nullish().catch(undefined),
});

/**
 * One hub event. A body of another make than ours is left out, so that the event passes as one of unknown content
 * and does not hold up those behind it. Throws a ZodError for what has no id and type.
 */
export function readEvent(body: unknown): unknown {
  const parsed = RelaxedEvent.safeParse(body);
  return parsed.success ? parsed.data : Bare.parse(body);
}

/** A page of hub events with the id to go on from, where the hub does not say it (decisions.md, "Hub events: client"). */
export function readEventPage(body: JsonObject, input: unknown): unknown {
  const page = EventPage.parse(body);
  const events = page.events.map(readEvent);
  const next = page.nextPageEventId ?? nextId(page.events, input);
  return next === undefined ? { events } : { nextPageEventId: next, events };
}

function nextId(events: unknown[], input: unknown): number | undefined {
  const { from_event_id: from, reverse } = Asked.parse(input ?? {});
  if (reverse) return undefined;
  const ids = events.map((event) => Bare.parse(event).id);
  return ids.length > 0 ? Math.max(...ids) + 1 : from;
}

const Asked = z.object({
  from_event_id: z.coerce.number().default(0),
  reverse: z.preprocess((value) => value === true || value === "true" || value === "1", z.boolean()),
});
