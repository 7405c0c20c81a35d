import { hub } from "../../contract/hub.ts";
import type { ParsedInputOf } from "../../contract/endpoint.ts";
import type { Queryable } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import { seconds } from "../../clock.ts";
import type { ApiContext } from "../context.ts";
import { hostedShard } from "../domain/hub-event.ts";
import { implement, readText } from "../operation.ts";
import { readHubEventText, readHubEventTexts } from "../store/hub-events.ts";

const largestPage = 1000;

export const hubOperations = implement(hub, {
  events: readText(
    ({ db }, input) => readHubPage(db, input),
    async ({ caches }, input) => {
      requireHostedShard(input.shard_index);
      const { from, size, reverse } = rangeOf(input);
      if (reverse || input.stop_id !== undefined) return undefined;
      return caches.hubPages({ from, size });
    },
  ),
  eventById: readText(({ db }, input) => readHubEvent(db, input)),
});

/** The answer of GET /v1/events as JSON text, made of the stored texts without parsing them. */
async function readHubPage(db: Queryable, input: ParsedInputOf<typeof hub.events>): Promise<string> {
  requireHostedShard(input.shard_index);
  const { from, size, reverse } = rangeOf(input);
  const { text, lastId } = await readHubEventTexts(db, { from, stop: input.stop_id, size, reverse });
  if (reverse) return `{"events":[${text}]}`;
  return `{"nextPageEventId":${lastId === undefined ? from : lastId + 1},"events":[${text}]}`;
}

function rangeOf(input: ParsedInputOf<typeof hub.events>) {
  const asked = input.page_size ?? input.pageSize ?? largestPage;
  return {
    from: input.from_event_id ?? 0,
    size: Math.min(Math.max(asked, 1), largestPage),
    reverse: input.reverse === true || input.reverse === "true" || input.reverse === "1",
  };
}

/** The answer of GET /v1/eventById as the stored JSON text. */
async function readHubEvent(db: Queryable, input: ParsedInputOf<typeof hub.eventById>): Promise<string> {
  requireHostedShard(input.shard_index);
  const id = input.event_id ?? input.id;
  if (id === undefined) {
    throw new AppError("invalid_request", "event_id: is required", { instancePath: "/event_id" });
  }
  const text = await readHubEventText(db, id);
  if (text === undefined) throw new AppError("not_found", `There is no event ${id}; it may be pruned.`);
  return text;
}

function requireHostedShard(shard: number | undefined): void {
  if (shard === undefined || shard === hostedShard) return;
  throw new AppError("invalid_request", `shard_index: only shard ${hostedShard} is here`, {
    instancePath: "/shard_index",
  });
}

/** Deletes events older than the retention, in short statements; returns how many. For a scheduled job. */
export async function pruneHubEvents(context: ApiContext): Promise<number> {
  const oldest = seconds(context.clock) - context.settings.hubRetention;
  const { query } = context.database;
  for (let pruned = 0; ;) {
    const expired = query
      .selectFrom("network.hub_events")
      .select("id")
      .where("merged_at", "<", oldest)
      .orderBy("merged_at")
      .limit(2000);
    const { numDeletedRows } = await query
      .deleteFrom("network.hub_events")
      .where("id", "in", expired)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return pruned;
    pruned += Number(numDeletedRows);
  }
}
