import type { ParsedInputOf } from "../../contract/endpoint.ts";
import { eventsPerBlock, hub } from "../../contract/hub.ts";
import { seconds } from "../../clock.ts";
import { AppError } from "../../errors.ts";
import type { ApiContext } from "../context.ts";
import { listShards } from "../domain/hub-shape.ts";
import { implement, read, readText, type ReadScope } from "../operation.ts";
import { readCustodyAddresses } from "../store/accounts.ts";
import {
  deleteHubEvents,
  readHubEventText,
  readHubEventTexts,
  readLastHubEvents,
} from "../store/hub-events.ts";
import { hubMessageOperations, pageOf } from "./hub-messages.ts";

/** There is no chain: the operator creates accounts, which are reported as registered in its first block. */
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
  info: read(async ({ db, context }) => {
    const shards = await readLastHubEvents(db, context.settings.hub);
    return {
      version: "castellan",
      numShards: shards.length,
      shardInfos: shards.map(({ shard, lastId }) => ({
        shardId: shard,
        maxHeight: Math.floor(lastId / eventsPerBlock),
        blockDelay: 0,
        mempoolSize: 0,
      })),
    };
  }),

  ...hubMessageOperations,

  onChainEventsByFid: read(async ({ db }, { fid, event_type }) => {
    const custody = (await readCustodyAddresses(db, [fid])).get(fid);
    if (custody === undefined || event_type !== registration.type) return { events: [] };
    const idRegisterEventBody = { ...registration.idRegisterEventBody, to: custody };
    return { events: [{ ...registration, fid, idRegisterEventBody }] };
  }),

  events: readText(readHubPage),
  eventById: readText(readHubEvent),
});

/** The response of GET /v1/events as JSON text, composed of the stored texts: one shard's page after the other. */
async function readHubPage(scope: ReadScope, input: ParsedInputOf<typeof hub.events>): Promise<string> {
  const { db, context } = scope;
  const shape = context.settings.hub;
  const { from, size, reverse } = rangeOf(input);
  const range = { from, stop: input.stop_id, size, reverse };
  const pages = await Promise.all(
    shardsOf(scope, input).map((shard) => readHubEventTexts(db, { shard, ...range }, shape)),
  );
  const texts = pages.map(({ text }) => text).filter((text) => text !== "");
  const events = `"events":[${texts.join(",")}]`;
  const [page, ...others] = pages;
  // With several shards, no single id can continue the listing without skipping events of the slowest shard.
  if (reverse || shape.asLive || others.length > 0) return `{${events}}`;
  const next = page?.lastId === undefined ? from : page.lastId + 1;
  return `{"nextPageEventId":${next},${events}}`;
}

function rangeOf(input: ParsedInputOf<typeof hub.events>) {
  return { from: input.from_event_id ?? 0, ...pageOf(input) };
}

/** The response of GET /v1/eventById as the stored JSON text. */
async function readHubEvent(scope: ReadScope, input: ParsedInputOf<typeof hub.eventById>): Promise<string> {
  const { db, context } = scope;
  const [shard, ...others] = shardsOf(scope, input);
  const id = input.event_id ?? input.id;
  if (id === undefined) {
    throw new AppError("invalid_request", "event_id: is required", { instancePath: "/event_id" });
  }
  if (shard === undefined || others.length > 0) {
    throw new AppError("invalid_request", "shard_index: is required (ids are unique within a shard)", {
      instancePath: "/shard_index",
    });
  }
  const text = await readHubEventText(db, { shard, id }, context.settings.hub);
  if (text === undefined) throw new AppError("not_found", `There is no event ${id}; it may be pruned.`);
  return text;
}

/** The requested shard, or all. */
function shardsOf(
  { context }: ReadScope,
  { shard_index: shard }: { shard_index?: number | undefined },
): readonly number[] {
  const hosted = listShards(context.settings.hub);
  if (shard === undefined) return hosted;
  if (hosted.includes(shard)) return [shard];
  const here = hosted.length === 1 ? "only shard 1 exists" : "only shards 1 and 2 exist";
  throw new AppError("invalid_request", `shard_index: ${here}`, { instancePath: "/shard_index" });
}

/** Deletes events older than the retention, in short statements; returns their number. For a scheduled job. */
export async function pruneHubEvents(context: ApiContext): Promise<number> {
  const oldest = seconds(context.clock) - context.settings.hubRetention;
  for (let pruned = 0; ;) {
    const deleted = await deleteHubEvents(context.database.query, oldest, 2000);
    if (deleted === 0) return pruned;
    pruned += deleted;
  }
}
