import { hashMessageData, type MessageData } from "../contract/message-data.ts";
import type { Queryable } from "../database/database.ts";
import type { ApiContext } from "./context.ts";
import type { Signed } from "./domain/hub-event.ts";
import type { MessageSigner } from "./signatures.ts";

/** The parts of a message besides its data. */
type SignedHubMessage = Required<Signed> & { hash: string };

/** Hashes a user's message, and signs it if there is a signer. */
export function signHubMessage(data: MessageData, signer: MessageSigner | undefined): SignedHubMessage {
  return signHash(hashMessageData(data), signer);
}

/** For a message with a given hash: signed only if the data has that hash, or nobody could verify the signature. */
export function sealUnderHash(
  hash: string,
  describe: () => MessageData,
  signer: MessageSigner | undefined,
): SignedHubMessage {
  return signHash(hash, signer && hashMessageData(describe()) === hash ? signer : undefined);
}

function signHash(hash: string, signer: MessageSigner | undefined): SignedHubMessage {
  return { hash, signer: signer?.publicKey ?? null, signature: signer?.sign(hash) ?? null };
}

/**
 * The user's signer: an application whose key the network has, while that key is valid. `brought` are keys from a file
 * being imported.
 */
export async function findSigner(
  { messageSigners }: ApiContext,
  db: Queryable,
  fid: number,
  now: number,
  brought: readonly string[] = [],
): Promise<MessageSigner | undefined> {
  const signer = messageSigners?.get(fid);
  if (!signer) return undefined;
  const key = await db
    .selectFrom("network.app_keys")
    .select(["revoked_at", "valid_from"])
    .where("fid", "=", fid)
    .where("key", "=", signer.publicKey)
    .executeTakeFirst();
  const counts = key ? key.revoked_at === null && key.valid_from <= now : brought.includes(signer.publicKey);
  return counts ? signer : undefined;
}
