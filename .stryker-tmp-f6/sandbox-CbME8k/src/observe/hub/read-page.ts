// @ts-nocheck
import type { HubEvent, UsernameProof } from "../../contract/hub.ts";
import { readCastMessage, type HubCast } from "./hub-cast.ts";

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
}

/** `now` (UNIX seconds) stands in for the time of events that carry none. */
export function readPage(source: string, events: readonly HubEvent[], now: number): PageContent {
  const page: PageContent = { casts: [], removals: [], proofs: [], skipped: 0 };
  for (const event of events) {
    try {
      if (!readEvent(page, source, event, now)) page.skipped += 1;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      page.skipped += 1;
    }
  }
  return page;
}

function readEvent(page: PageContent, source: string, event: HubEvent, now: number): boolean {
  const arrival = { sourceKey: `${source}:${event.id}`, order: event.id, mergedAt: event.timestamp ?? now };
  if (event.type === "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF") {
    const replaced = event.mergeUsernameProofBody?.deletedUsernameProof ?? undefined;
    const proof = event.mergeUsernameProofBody?.usernameProof ?? (replaced && { ...replaced, fid: 0 });
    if (!proof) return false;
    page.proofs.push({ ...arrival, proof, replaced });
    return true;
  }
  const message = readCastMessage(event);
  if (message?.kind === "add") page.casts.push({ ...arrival, cast: message.cast });
  if (message?.kind === "remove") page.removals.push({ ...arrival, hash: message.hash });
  return message !== undefined;
}
