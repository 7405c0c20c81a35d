import { z } from "zod";
import { MergeMessageBody, UsernameProof, type HubMessage } from "../../contract/hub.ts";
import {
  describeCast,
  describeRemoval,
  type CastContent,
  type MessageData,
} from "../../contract/message-data.ts";

export { eventsPerBlock, messageEpoch } from "../../contract/hub.ts";

/** A hub event without its position in the stream: `body` follows the head of the JSON. */
export interface HubEventDraft {
  type: "HUB_EVENT_TYPE_MERGE_MESSAGE" | "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF";
  body: Record<string, unknown>;
  /** The author's shard merges the event; every shard merges an event without an author. */
  author?: number;
}

const bodies = {
  HUB_EVENT_TYPE_MERGE_MESSAGE: z.object({ mergeMessageBody: MergeMessageBody }),
  HUB_EVENT_TYPE_MERGE_USERNAME_PROOF: z.object({
    mergeUsernameProofBody: z.object({
      usernameProof: UsernameProof,
      deletedUsernameProof: UsernameProof.optional(),
    }),
  }),
};

/** Throws a ZodError, because a draft that breaks the contract is a bug. */
export function checkDraft(draft: HubEventDraft): HubEventDraft {
  bodies[draft.type].parse(draft.body);
  return draft;
}

/** Who signed a message; nobody if both are null or absent. */
export interface Signed {
  /** The public key, in hex. */
  signer?: string | null;
  /** In base64. */
  signature?: string | null;
}

/** A cast with its hash: its data's hash, unless the cast was imported under another. */
export interface CastMessage extends CastContent, Signed {
  hash: string;
}

/** An author's removal of a cast; `hash` is the hash of this message, `targetHash` that of the cast. */
export interface RemovalMessage extends Signed {
  hash: string;
  fid: number;
  /** UNIX seconds. */
  timestamp: number;
  targetHash: string;
}

/** The event that adds a cast. */
export function castAdded(cast: CastMessage): HubEventDraft {
  return messageMerged(castMessage(cast));
}

/** The event of a removal, with the cast that it deletes in the hub. */
export function castRemoved(removal: RemovalMessage, deleted?: CastMessage): HubEventDraft {
  return messageMerged(removalMessage(removal), deleted ? [castMessage(deleted)] : []);
}

function messageMerged(message: HubMessage, deletedMessages: HubMessage[] = []): HubEventDraft {
  return {
    type: "HUB_EVENT_TYPE_MERGE_MESSAGE",
    body: { mergeMessageBody: { message, deletedMessages } },
    author: message.data.fid,
  };
}

export function castMessage(cast: CastMessage): HubMessage {
  return toMessage(describeCast(cast), cast);
}

export function removalMessage(removal: RemovalMessage): HubMessage {
  return toMessage(describeRemoval(removal), removal);
}

/** A message in the hub's format. Messages that the operator creates for users with unknown keys are unsigned. */
export function toMessage(
  data: MessageData,
  { hash, signer, signature }: Signed & { hash: string },
): HubMessage {
  return {
    data,
    hash,
    hashScheme: "HASH_SCHEME_BLAKE3",
    signature: signature ?? "",
    signatureScheme: signature ? "SIGNATURE_SCHEME_ED25519" : "SIGNATURE_SCHEME_NONE",
    signer: signer ?? "0x",
  };
}

/** A name transfer as a username proof. */
export interface ProvenTransfer {
  timestamp: number;
  username: string;
  owner: string;
  to: number;
  server_signature: string;
}

/** `replaced` is the transfer whose proof was valid until now. */
export function usernameProofMerged(transfer: ProvenTransfer, replaced?: ProvenTransfer): HubEventDraft {
  return {
    type: "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF",
    body: {
      mergeUsernameProofBody: {
        usernameProof: proofOf(transfer),
        ...(replaced ? { deletedUsernameProof: proofOf(replaced) } : {}),
      },
    },
  };
}

export function proofOf(transfer: ProvenTransfer): UsernameProof {
  return {
    timestamp: transfer.timestamp,
    name: transfer.username,
    owner: transfer.owner,
    signature: hexToBase64(transfer.server_signature),
    fid: transfer.to,
    type: "USERNAME_TYPE_FNAME",
  };
}

export function hexToBase64(hex: string): string {
  return Buffer.from(hex.slice(2), "hex").toString("base64");
}
