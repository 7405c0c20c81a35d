import { hashMessageData, type MessageData } from "../contract/message-data.ts";
import type { Queryable } from "../database/database.ts";
import type { ApiContext } from "./context.ts";
import type { Signed } from "./domain/hub-event.ts";
import type { MessageSigner } from "./signatures.ts";

/** What comes on top of a message's data. */
type SignedHubMessage = Required<Signed> & { hash: string };

/** Hashes what a user says, and signs it where there is a signer. */
export function signHubMessage(data: MessageData, signer: MessageSigner | undefined): SignedHubMessage {
  return signHash(hashMessageData(data), signer);
}

/** A message that came with a hash of its own: it is signed only where that is its data's, for nothing else verifies. */
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
 * Who signs for a user: the application whose key the network holds, while that key counts. `brought`: keys that come
 * with a file that is imported.
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
