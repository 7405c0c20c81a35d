import type { UnreadableEvent } from "../../contract/endpoint.ts";
import type { HubEvent, UsernameProof } from "../../contract/hub.ts";
import { toStorable } from "../../text/storable.ts";
import { isUsableTime, readCastMessage, type HubCast } from "./hub-cast.ts";

interface Arrival {
  sourceKey: string;
  /** Its place in the page: the hub event's id. */
  order: number;
  /** When the hub merged it, UNIX seconds: unlike a message's own time, nobody but the hub can choose it. */
  mergedAt: number;
}
export interface ArrivedCast extends Arrival {
  cast: HubCast;
  /** It came earlier, and has been waiting for its parent. */
  waited?: true;
}
export interface ArrivedRemoval extends Arrival {
  hash: string;
}
export interface ArrivedProof extends Arrival {
  proof: UsernameProof;
  replaced: UsernameProof | undefined;
}

/** What a page of hub events holds for us. */
export interface PageContent {
  casts: ArrivedCast[];
  removals: ArrivedRemoval[];
  proofs: ArrivedProof[];
  /** Of types that are nothing to us, or not readable. */
  skipped: number;
  /** Those that are not what their type says. */
  unreadable: UnreadableEvent[];
}

/** `now` (UNIX seconds) stands in for the time of events that carry none. */
export function readPage(source: string, events: readonly HubEvent[], now: number): PageContent {
  const page: PageContent = {
    casts: [],
    removals: [],
    proofs: [],
    skipped: 0,
    unreadable: [],
  };
  for (const event of events) {
    try {
      if (!readEvent(page, source, event, now)) page.skipped += 1;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      page.skipped += 1;
      page.unreadable.push({
        id: event.id,
        type: event.type,
        reason: error.message,
      });
    }
  }
  return page;
}

function readEvent(page: PageContent, source: string, event: HubEvent, now: number): boolean {
  const mergedAt = isUsableTime(event.timestamp, now) ? event.timestamp : now;
  const arrival = {
    sourceKey: `${source}:${event.id}`,
    order: event.id,
    mergedAt,
  };
  if (event.type === "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF") {
    const { usernameProof, deletedUsernameProof } = event.mergeUsernameProofBody ?? {};
    const replaced = deletedUsernameProof ? readProof(deletedUsernameProof, now) : undefined;
    const proof = usernameProof ? readProof(usernameProof, now) : replaced && { ...replaced, fid: 0 };
    if (!proof) return false;
    page.proofs.push({ ...arrival, proof, replaced });
    return true;
  }
  const message = readCastMessage(event, now);
  if (message?.kind === "add") page.casts.push({ ...arrival, cast: message.cast });
  if (message?.kind === "remove") page.removals.push({ ...arrival, hash: message.hash });
  return message !== undefined;
}

/** A name of any registry is shorter, an address too; an index takes no more than 2,700 bytes. */
const [longestName, longestOwner] = [255, 128];

/** Throws `TypeError` on a proof that is not what it says. */
function readProof(proof: UsernameProof, now: number): UsernameProof {
  const name = toStorable(proof.name);
  const owner = toStorable(proof.owner);
  if (name === "" || name.length > longestName) throw new TypeError("a name is empty or too long");
  if (owner.length > longestOwner) throw new TypeError("an owner is too long");
  if (!Number.isSafeInteger(proof.fid) || proof.fid < 0) throw new TypeError("a fid is no number of a user");
  if (!isUsableTime(proof.timestamp, now)) throw new TypeError("a time is not of this world");
  return { ...proof, name, owner };
}
