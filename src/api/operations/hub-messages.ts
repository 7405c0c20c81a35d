import type { ParsedInputOf } from "../../contract/endpoint.ts";
import type { hub, HubMessage, MessagePage } from "../../contract/hub.ts";
import { describeUsername } from "../../contract/message-data.ts";
import { messageEpoch } from "../../contract/values.ts";
import { AppError } from "../../errors.ts";
import { castMessage, proofOf, removalMessage, toMessage } from "../domain/hub-event.ts";
import { read, type Operations } from "../operation.ts";
import { findSigner, signHubMessage } from "../sign-hub-message.ts";
import {
  findCastMessage,
  readCastsByAuthor,
  readCastsByParent,
  readRemovalsByAuthor,
  type CastPlace,
} from "../store/casts.ts";
import { findCurrentTransfer } from "../store/transfers.ts";

type HubMessageOperations = Pick<
  Operations<typeof hub>,
  "castsByParent" | "castById" | "castsByFid" | "userDataByFid" | "userNameProofByName" | "signersByFid"
>;

const largestPage = 1000;

/** The hub's message queries, besides the events that merged the messages. */
export const hubMessageOperations: HubMessageOperations = {
  castsByParent: read(async ({ db }, input) => {
    const range = rangeOf(input);
    const casts = await readCastsByParent(db, { ...parentOf(input), ...range });
    return toPage(casts, range, castMessage);
  }),

  castById: read(async ({ db }, { fid, hash }) => {
    const cast = await findCastMessage(db, hash);
    if (cast?.fid === fid) return castMessage(cast);
    throw new AppError("Failed to get cast", `fid ${fid} has no cast ${hash}.`);
  }),

  castsByFid: read(async ({ db }, input) => {
    const start = input.start_timestamp ?? input.startTimestamp ?? 0;
    const stop = input.stop_timestamp ?? input.stopTimestamp ?? 2 ** 32;
    const range = {
      ...rangeOf(input),
      fid: input.fid,
      start: start + messageEpoch,
      stop: stop + messageEpoch,
    };
    const [casts, removals] = await Promise.all([
      readCastsByAuthor(db, range),
      readRemovalsByAuthor(db, range),
    ]);
    const messages = [
      ...casts.map((cast) => ({ ...cast, message: castMessage(cast) })),
      ...removals.map((removal) => ({ ...removal, message: removalMessage(removal) })),
    ];
    const sorted = messages.toSorted(
      range.reverse ? (one, other) => comparePlaces(other, one) : comparePlaces,
    );
    return toPage(sorted, range, ({ message }) => message);
  }),

  userDataByFid: read(async ({ db, context, now }, { fid }) => {
    const transfer = await findCurrentTransfer(db, { fid });
    if (!transfer) return { messages: [], nextPageToken: "" };
    // Derived from the registry: a name's holder has it as their username, even if no message says so.
    const timestamp = Math.max(transfer.timestamp, messageEpoch);
    const data = describeUsername({ fid, timestamp, name: transfer.username });
    const sealed = signHubMessage(data, await findSigner(context, db, fid, now));
    return { messages: [toMessage(data, sealed)], nextPageToken: "" };
  }),

  userNameProofByName: read(async ({ db }, { name }) => {
    const transfer = await findCurrentTransfer(db, { name: name.replaceAll("\0", "") });
    if (transfer) return proofOf(transfer);
    throw new AppError("Failed to get username proof", `Nobody has the name ${name}.`);
  }),

  signersByFid: read(async ({ db, now }, input) => {
    const { size, reverse, token } = pageOf(input);
    if (!/^(0x[0-9a-f]{64})?$/.test(token)) throw refuseToken();
    const keys = await db
      .selectFrom("network.app_keys")
      .select(["key", "valid_from"])
      .where("fid", "=", input.fid)
      .where("revoked_at", "is", null)
      .where("valid_from", "<=", now)
      .$if(token !== "", (query) => query.where("key", reverse ? "<" : ">", token))
      .orderBy("key", reverse ? "desc" : "asc")
      .limit(size + 1)
      .execute();
    const page = keys.slice(0, size);
    const last = keys.length > size ? page.at(-1) : undefined;
    return {
      signers: page.map(({ key, valid_from }) => ({
        // Users approve keys with their wallets, like on the chain.
        source: "SIGNER_SOURCE_ONCHAIN",
        key,
        keyType: 1,
        fid: input.fid,
        ...(valid_from > 0 && { addedAt: valid_from }),
      })),
      ...(last && { nextPageToken: Buffer.from(last.key).toString("base64") }),
      gaslessSignerCount: 0,
      gaslessSignerLimit: 1000,
      currentUserNonce: 0,
    };
  }),
};

function parentOf({ url, fid, hash }: ParsedInputOf<typeof hub.castsByParent>) {
  if (fid !== undefined && hash !== undefined) return { parent: { fid, hash } };
  if (url !== undefined) return { url };
  throw new AppError("invalid_request", "url, or fid and hash, of the parent are required", {
    instancePath: "/url",
  });
}

type PagingInput = Partial<
  Pick<
    ParsedInputOf<typeof hub.castsByParent>,
    "page_size" | "pageSize" | "page_token" | "pageToken" | "reverse"
  >
>;

/** The size, direction and start of a page. */
export function pageOf(input: PagingInput) {
  const size = input.page_size ?? input.pageSize ?? largestPage;
  const given = input.page_token ?? input.pageToken ?? "";
  const token = Buffer.from(given, "base64").toString("latin1");
  // Otherwise a token that decodes to nothing would start again at the first page.
  if (given !== "" && token === "") throw refuseToken();
  return {
    size: Math.min(Math.max(size, 1), largestPage),
    reverse: input.reverse === true || input.reverse === "true" || input.reverse === "1",
    token,
  };
}

/** The same for messages, ordered by time, then hash; reads one extra, to know whether there are more. */
function rangeOf(input: PagingInput) {
  const { size, reverse, token } = pageOf(input);
  return { size: size + 1, reverse, after: token === "" ? undefined : readPlace(token) };
}

function readPlace(token: string): CastPlace {
  const [, timestamp, hash] = /^(\d{1,12}) (0x[0-9a-f]{40,64})$/.exec(token) ?? [];
  if (hash === undefined) throw refuseToken();
  return { timestamp: Number(timestamp), hash };
}

function refuseToken(): AppError {
  return new AppError("invalid_request", "pageToken: does not come from this endpoint", {
    instancePath: "/pageToken",
  });
}

/** Like on hubs, a token is opaque base64, and empty on the last page. */
function toPage<Item extends CastPlace>(
  items: readonly Item[],
  { size }: { size: number },
  toMessage: (item: Item) => HubMessage,
): MessagePage {
  const page = items.slice(0, size - 1);
  const last = items.length >= size ? page.at(-1) : undefined;
  const token = last ? `${last.timestamp} ${last.hash}` : "";
  return { messages: page.map(toMessage), nextPageToken: Buffer.from(token).toString("base64") };
}

function comparePlaces(one: CastPlace, other: CastPlace): number {
  return one.timestamp - other.timestamp || (one.hash < other.hash ? -1 : 1);
}
