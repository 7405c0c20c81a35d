import { z } from "zod";
import { MergeMessageBody, messageEpoch, UsernameProof, type HubMessage } from "../../contract/hub.ts";

export { eventsPerBlock } from "../../contract/hub.ts";

/** A hub event without its place in the stream: `body` is what follows the head of the JSON. */
export interface HubEventDraft {
  type: "HUB_EVENT_TYPE_MERGE_MESSAGE" | "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF";
  body: Record<string, unknown>;
}

/** The shard that the embedded network hosts. */
export const hostedShard = 1;

const bodies = {
  HUB_EVENT_TYPE_MERGE_MESSAGE: z.object({ mergeMessageBody: MergeMessageBody }),
  HUB_EVENT_TYPE_MERGE_USERNAME_PROOF: z.object({
    mergeUsernameProofBody: z.object({
      usernameProof: UsernameProof,
      deletedUsernameProof: UsernameProof.optional(),
    }),
  }),
};

/** Throws a ZodError, hence a bug, when a draft is not what the contract promises to readers. */
export function checkDraft(draft: HubEventDraft): HubEventDraft {
  bodies[draft.type].parse(draft.body);
  return draft;
}

export interface CastMessage {
  hash: string;
  fid: number;
  /** UNIX seconds. */
  timestamp: number;
  text: string;
  mentions: readonly number[];
  embeds: readonly { url: string }[];
  parentUrl?: string | undefined;
  parent?: { fid: number; hash: string } | undefined;
}

/** A cast as the hub merges it. */
export function castAdded(cast: CastMessage): HubEventDraft {
  return messageMerged(castMessage(cast));
}

/** A cast as the hub gives it; the operator casts for the user, so nobody signed the message. */
export function castMessage(cast: CastMessage): HubMessage {
  return unsigned(cast, "MESSAGE_TYPE_CAST_ADD", {
    castAddBody: {
      text: cast.text,
      mentions: [...cast.mentions],
      mentionsPositions: cast.mentions.map(() => 0),
      embeds: [...cast.embeds],
      ...(cast.parentUrl === undefined ? {} : { parentUrl: cast.parentUrl }),
      ...(cast.parent ? { parentCastId: { fid: cast.parent.fid, hash: cast.parent.hash } } : {}),
    },
  });
}

/** `hash` is the removing message's own; `targetHash` the removed cast's. */
export function castRemoved(removal: {
  hash: string;
  fid: number;
  timestamp: number;
  targetHash: string;
}): HubEventDraft {
  const body = { castRemoveBody: { targetHash: hexToBase64(removal.targetHash) } };
  return messageMerged(unsigned(removal, "MESSAGE_TYPE_CAST_REMOVE", body));
}

interface Message {
  hash: string;
  fid: number;
  timestamp: number;
}

function messageMerged(message: HubMessage): HubEventDraft {
  return { type: "HUB_EVENT_TYPE_MERGE_MESSAGE", body: { mergeMessageBody: { message } } };
}

function unsigned({ hash, fid, timestamp }: Message, type: string, body: object): HubMessage {
  return {
    data: {
      type,
      fid,
      timestamp: timestamp - messageEpoch,
      network: "FARCASTER_NETWORK_DEVNET",
      ...body,
    },
    hash,
    hashScheme: "HASH_SCHEME_BLAKE3",
    signature: "",
    signatureScheme: "SIGNATURE_SCHEME_NONE",
    signer: "0x",
  };
}

/** What a name's transfer proves to hubs. */
export interface ProvenTransfer {
  timestamp: number;
  username: string;
  owner: string;
  to: number;
  server_signature: string;
}

/** `replaced` is the transfer whose proof held until now. */
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

function proofOf(transfer: ProvenTransfer): UsernameProof {
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
