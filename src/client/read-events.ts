import { z } from "zod";
import type { CallOptions, UnreadableEvent } from "../contract/endpoint.ts";
import { HubEvent } from "../contract/hub.ts";
import { isJsonObject, type JsonObject } from "./parse-json.ts";
import { relax } from "./relax.ts";

const RelaxedEvent = relax(HubEvent);
const Bare = z.object({ id: z.int().nonnegative(), type: z.string() });
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
  return parsed.success && Bare.safeParse(body).success ? parsed.data : Bare.parse(body);
}

/**
 * A page of hub events with the id to go on from, where the hub does not say it (decisions.md, "Hub events: client"). An
 * event without a usable id and type is left out; of what cannot be read `onUnreadable` hears.
 */
export function readEventPage(body: JsonObject, input: unknown, { onUnreadable }: CallOptions): unknown {
  const page = EventPage.parse(body);
  const events: Bare[] = [];
  for (const event of page.events) {
    const bare = Bare.safeParse(event);
    const whole = RelaxedEvent.safeParse(event);
    // A whole event is a bare one with a body.
    if (bare.success) events.push(whole.success ? (whole.data as Bare) : bare.data);
    const error = bare.error ?? whole.error;
    if (error) onUnreadable?.(describeUnreadable(event, bare.data, error));
  }
  const next = page.nextPageEventId ?? nextId(events, input);
  return next === undefined ? { events } : { nextPageEventId: next, events };
}

type Bare = z.output<typeof Bare>;

function describeUnreadable(event: unknown, bare: Bare | undefined, { issues }: z.ZodError): UnreadableEvent {
  const type = isJsonObject(event) && typeof event["type"] === "string" ? event["type"] : "";
  const [issue] = issues;
  const place = issue?.path.join(".") || "the event";
  return {
    id: bare?.id ?? null,
    type,
    reason: `${place}: ${issue?.message ?? "not readable"}`,
  };
}

function nextId(events: readonly Bare[], input: unknown): number | undefined {
  const { from_event_id: from, reverse } = Asked.parse(input ?? {});
  if (reverse) return undefined;
  return events.length > 0 ? Math.max(...events.map(({ id }) => id)) + 1 : from;
}

const Asked = z.object({
  from_event_id: z.coerce.number().default(0),
  reverse: z.preprocess((value) => value === true || value === "true" || value === "1", z.boolean()),
});
