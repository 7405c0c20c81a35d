import { eventsPerBlock, hub } from "../../contract/hub.ts";
import type { ParsedInputOf } from "../../contract/endpoint.ts";
import type { Queryable } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import { seconds } from "../../clock.ts";
import type { ApiContext } from "../context.ts";
import { castMessage, hostedShard } from "../domain/hub-event.ts";
import { implement, read, readText } from "../operation.ts";
import { readCustodyAddresses } from "../store/accounts.ts";
import { readCastMessage, readCastsByParent, type CastPlace } from "../store/casts.ts";
import { readHubEventText, readHubEventTexts, readLastHubEvent } from "../store/hub-events.ts";

const largestPage = 1000;

/** There is no chain here: accounts come from the operator, and are told of as if registered in its first block. */
const registration = {
  type: "EVENT_TYPE_ID_REGISTER",
  chainId: 10,
  blockNumber: 0,
  blockHash: "0x",
  blockTimestamp: 0,
  transactionHash: "0x",
  logIndex: 0,
  txIndex: 0,
  version: 0,
  idRegisterEventBody: { eventType: "Register", from: "0x", recoveryAddress: "0x" },
};

export const hubOperations = implement(hub, {
  info: read(async ({ db }) => {
    const maxHeight = Math.floor((await readLastHubEvent(db)) / eventsPerBlock);
    const shard = { shardId: hostedShard, maxHeight, blockDelay: 0, mempoolSize: 0 };
    return { version: "castellan", numShards: 1, shardInfos: [shard] };
  }),

  castsByParent: read(async ({ db }, input) => {
    const { size, reverse } = rangeOf(input);
    const parent = parentOf(input);
    const token = input.page_token ?? input.pageToken;
    const after = token ? readPageToken(token) : undefined;
    const casts = await readCastsByParent(db, { ...parent, after, size: size + 1, reverse });
    const page = casts.slice(0, size);
    const last = casts.length > size ? page.at(-1) : undefined;
    return { messages: page.map(castMessage), ...(last && { nextPageToken: pageTokenOf(last) }) };
  }),

  castById: read(async ({ db }, { fid, hash }) => {
    const cast = await readCastMessage(db, { fid, hash: hash.toLowerCase() });
    if (!cast) throw new AppError("not_found", `There is no cast ${hash} of ${fid}.`);
    return castMessage(cast);
  }),

  onChainEventsByFid: read(async ({ db }, { fid, event_type }) => {
    const custody = (await readCustodyAddresses(db, [fid])).get(fid);
    if (custody === undefined || event_type !== registration.type) return { events: [] };
    const idRegisterEventBody = { ...registration.idRegisterEventBody, to: custody };
    return { events: [{ ...registration, fid, idRegisterEventBody }] };
  }),

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

function parentOf({ url, fid, hash }: ParsedInputOf<typeof hub.castsByParent>) {
  if (url !== undefined) return { url };
  if (fid !== undefined && hash !== undefined) return { parent: { fid, hash: hash.toLowerCase() } };
  throw new AppError("invalid_request", "url, or fid and hash, of the parent are required", {
    instancePath: "/url",
  });
}

/** As hubs give them: base64 that means something to them alone. */
function pageTokenOf({ timestamp, hash }: CastPlace): string {
  return Buffer.from(`${timestamp} ${hash}`).toString("base64");
}

function readPageToken(token: string): CastPlace {
  const [, timestamp, hash] =
    /^(\d{1,12}) (0x[0-9a-f]{40,64})$/.exec(Buffer.from(token, "base64").toString("latin1")) ?? [];
  if (hash === undefined) {
    throw new AppError("invalid_request", "pageToken: is not one that this endpoint gave", {
      instancePath: "/pageToken",
    });
  }
  return { timestamp: Number(timestamp), hash };
}

type Range = Pick<ParsedInputOf<typeof hub.castsByParent>, "page_size" | "pageSize" | "reverse">;

function rangeOf(input: Range & { from_event_id?: number | undefined }) {
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
