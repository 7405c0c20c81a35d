import { z } from "zod";
import type { CallOptions, Endpoint, UnreadableEvent } from "../contract/endpoint.ts";
import { hub, HubEvent } from "../contract/hub.ts";
import { registryInfo, transfers } from "../contract/registry.ts";
import { creatorRewards, developerRewards } from "../contract/rewards.ts";
import { AppError } from "../errors.ts";
import type { HttpAnswer } from "./exchange.ts";
import { createRowFilter, isJsonObject, lenient, parseJsonObject, type JsonObject } from "./lenient.ts";

type Reader = (body: JsonObject, input: unknown, options: CallOptions) => unknown;

/** Reads an endpoint's responses 200..299 into the result of an in-process call. Throws `network_failed`. */
export function createResultReader(
  endpoint: Endpoint,
): (answer: HttpAnswer, input: unknown, options?: CallOptions) => unknown {
  const read = chooseReader(endpoint);
  return ({ status, text }, input, options = {}) => {
    try {
      if (endpoint === hub.events || endpoint === hub.eventById) requireFewParts(text, input);
      const body = parseJsonObject(text);
      if (!body) throw new TypeError("the response is not a JSON object");
      return read(body, input, options);
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw new AppError("network_failed", "The network's response cannot be read.", {
        cause,
        status,
        mayHaveHappened: endpoint.method !== "GET",
      });
    }
  };
}

function chooseReader(endpoint: Endpoint): Reader {
  if (endpoint === hub.events) return readEventPage;
  if (endpoint === hub.eventById) return readEvent;
  if (endpoint === registryInfo.health) return () => ({ status: "ok" });
  const schema = lenient(endpoint.result);
  if (endpoint === transfers.current) return (body) => schema.parse(completeCurrent(body));
  if (endpoint === transfers.create) {
    return (body) => schema.parse(isJsonObject(body["transfer"]) ? body : { transfer: body });
  }
  const settle = winnerLayouts.get(endpoint) ?? ((result: JsonObject) => result);
  const filterRows = createRowFilter(endpoint.result);
  const readRows = (result: JsonObject, { onUnreadable }: CallOptions) =>
    schema.parse(
      filterRows(result, (list, { issues }) =>
        onUnreadable?.({ id: null, type: list, reason: placeOf(issues) }),
      ),
    );
  if (!endpoint.paginated) return (body, _input, options) => readRows(unwrap(body), options);
  return (body, _input, options) => {
    const result = readRows(settle(unwrap(body)), options);
    const next = Next.parse(body["next"]);
    return next ? { result, next } : { result };
  };
}

/** Winners are documented both with and without `history` around them; each endpoint returns its own layout. */
const winnerLayouts = new Map<Endpoint, (result: JsonObject) => JsonObject>([
  [
    creatorRewards.winnerHistory,
    (result) => (isJsonObject(result["history"]) ? result : { history: result }),
  ],
  [
    developerRewards.winnerHistory,
    (result) => (isJsonObject(result["history"]) ? result["history"] : result),
  ],
]);

/** The last page has no `next`, no cursor, or an empty cursor. */
const Next = z
  .object({ cursor: z.string().min(1) })
  .optional()
  .catch(undefined);

/** Some services wrap their response in `result`, others do not. */
function unwrap(body: JsonObject): JsonObject {
  return isJsonObject(body["result"]) ? body["result"] : body;
}

/** Registries return the transfer alone, in a list, or both; an empty list means not found. */
function completeCurrent({ transfer, transfers }: JsonObject): unknown {
  const list = Array.isArray(transfers) ? transfers : [];
  const current: unknown = transfer ?? list[0];
  if (current === undefined) throw new AppError("not_found", "No transfer found", { status: 200 });
  return { transfer: current, transfers: [current] };
}

/** An event has about ten lists and objects and thirty fields; texts may contain such characters, too. */
const partsPerEvent = 100;
const partsAtLeast = 20_000;

/**
 * Rejects a page with far more lists, objects and fields than the requested events can have, because V8 takes seconds to
 * parse one but only a moment to count them. The caller then requests a smaller page, like after one that is too large.
 */
function requireFewParts(text: string, input: unknown): void {
  const most = Math.max(partsAtLeast, sizeOf(input) * partsPerEvent);
  for (const part of ["{", "[", '":']) {
    let count = 0;
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
      if (++count > most) {
        throw new AppError("network_failed", "The hub's response has too many parts and was not read.", {
          failure: "too_large",
        });
      }
    }
  }
}

function sizeOf(input: unknown): number {
  const { page_size, pageSize, shard_index } = HubInput.parse(input ?? {});
  // Without a shard, a page contains one page of each shard (H1).
  return Math.min(page_size ?? pageSize ?? largestPage, largestPage) * (shard_index === undefined ? 16 : 1);
}

const largestPage = 1000;

/** The requested number of events from a hub that returns more: those nearest to the start of the request. */
function cutToSize(events: readonly unknown[], input: unknown): readonly unknown[] {
  const size = sizeOf(input);
  if (events.length <= size) return events;
  const { reverse } = HubInput.parse(input ?? {});
  const idOf = (event: unknown) =>
    isJsonObject(event) && typeof event["id"] === "number" ? event["id"] : reverse ? -Infinity : Infinity;
  const sorted = events.toSorted((one, other) => {
    const [a, b] = [idOf(one), idOf(other)];
    if (a === b) return 0;
    return a < b === reverse ? 1 : -1;
  });
  return sorted.slice(0, size);
}

const LenientEvent = lenient(HubEvent);
const Bare = z.object({ id: z.int().nonnegative(), type: z.string() });
const EventPage = z.object({
  events: z.array(z.unknown()),
  nextPageEventId: z.int().nullish().catch(undefined),
});

/**
 * One hub event. A body that does not match is dropped, so that the event counts as one of unknown content and does not
 * block later ones. Throws a ZodError without id and type.
 */
function readEvent(body: unknown): unknown {
  const parsed = LenientEvent.safeParse(body);
  return parsed.success && Bare.safeParse(body).success ? parsed.data : Bare.parse(body);
}

/**
 * A page of hub events with the id to continue from, even if the hub does not return it. Events without a usable id and
 * type are omitted; unreadable parts are passed to `onUnreadable`.
 */
function readEventPage(body: JsonObject, input: unknown, { onUnreadable }: CallOptions): unknown {
  const page = EventPage.parse(body);
  const events: Bare[] = [];
  const given = cutToSize(page.events, input);
  for (const event of given) {
    const bare = Bare.safeParse(event);
    const whole = LenientEvent.safeParse(event);
    // A complete event is a bare one with a body.
    if (bare.success) events.push(whole.success ? (whole.data as Bare) : bare.data);
    const error = bare.error ?? whole.error;
    if (error) onUnreadable?.(describeUnreadable(event, bare.data, error));
  }
  const isWhole = given === page.events;
  const next = (isWhole ? page.nextPageEventId : undefined) ?? nextId(events, input);
  return next === undefined ? { events } : { nextPageEventId: next, events };
}

type Bare = z.output<typeof Bare>;

function describeUnreadable(event: unknown, bare: Bare | undefined, { issues }: z.ZodError): UnreadableEvent {
  const type = isJsonObject(event) && typeof event["type"] === "string" ? event["type"] : "";
  return { id: bare?.id ?? null, type, reason: placeOf(issues) };
}

function placeOf([issue]: readonly z.core.$ZodIssue[]): string {
  const place = issue?.path.join(".") || "the response";
  return `${place}: ${issue?.message ?? "not readable"}`;
}

function nextId(events: readonly Bare[], input: unknown): number | undefined {
  const { from_event_id: from, reverse } = HubInput.parse(input ?? {});
  if (reverse) return undefined;
  return events.length > 0 ? Math.max(...events.map(({ id }) => id)) + 1 : from;
}

const HubInput = z.object({
  page_size: z.coerce.number().optional(),
  pageSize: z.coerce.number().optional(),
  shard_index: z.unknown().optional(),
  from_event_id: z.coerce.number().default(0),
  reverse: z.preprocess((value) => value === true || value === "true" || value === "1", z.boolean()),
});
