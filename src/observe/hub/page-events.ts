import { newEvent, type NewChannelEvent } from "../event.ts";
import type { IndexedCast } from "./index-casts.ts";
import type { NameChange } from "./merge-proofs.ts";
import type { RemovedCast } from "./remove-casts.ts";

export function castEvent({ cast, ...arrived }: IndexedCast, observedAt: number): NewChannelEvent {
  const { channelId, rootHash, threadDepth } = arrived;
  const { hash, text, parentHash, mentions, embeds } = cast;
  const parent = parentHash === null ? {} : { parentHash };
  return newEvent(observedAt, {
    kind: "cast.created",
    sourceKey: arrived.sourceKey,
    channelId,
    subjectFid: cast.fid,
    // The author chooses the cast's own time; rules that look back must not be fooled by it.
    occurredAt: arrived.mergedAt,
    data: { castHash: hash, text, rootHash, threadDepth, mentions, embeds, ...parent },
  });
}

export function removalEvent({ arrived, channelId, fid }: RemovedCast, observedAt: number): NewChannelEvent {
  return newEvent(observedAt, {
    kind: "cast.removed",
    sourceKey: arrived.sourceKey,
    channelId,
    subjectFid: fid,
    occurredAt: arrived.mergedAt,
    data: { castHash: arrived.hash },
  });
}

export function proofEvent({ arrived, subjectFid, data }: NameChange, observedAt: number): NewChannelEvent {
  return newEvent(observedAt, {
    kind: "username_proof.merged",
    sourceKey: arrived.sourceKey,
    channelId: null,
    subjectFid,
    occurredAt: arrived.mergedAt,
    data,
  });
}
