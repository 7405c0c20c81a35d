import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import type { Log } from "../log.ts";
import { ownKeyRequestDomain, type KeyRequestDomain } from "../contract/key-request.ts";
import { ownNameDomain, type NameDomain } from "../contract/name-claim.ts";
import type { HubShape } from "./domain/hub-shape.ts";
import type { MessageSigner, RegistrySigner } from "./signatures.ts";

/** The dependencies of the embedded network. */
export interface ApiContext {
  database: Database;
  clock: Clock;
  log: Log;
  settings: NetworkSettings;
  /** Signs name proofs as the registry. */
  registry: RegistrySigner;
  /** By fid, for users whose application keys this installation has: it signs their casts as their application would. */
  messageSigners?: ReadonlyMap<number, MessageSigner>;
}

/** Settings that the interface leaves to its operator. */
export interface NetworkSettings {
  /** Domain of name claims (EIP-712). */
  nameDomain: NameDomain;
  /** Maximum difference in seconds between a claim's timestamp and the registry's clock. */
  claimTolerance: number;
  reservedNames: ReadonlySet<string>;
  /** Seconds after a transfer during which a name cannot be transferred again; 0 disables the limit. */
  transferThrottle: number;
  /** Whether a name can move from one fid to another without being released in between. */
  directTransfers: boolean;
  /** Longest life of a bearer token, in seconds. */
  tokenLifetime: number;
  /** Seconds after which hub events are pruned. */
  hubRetention: number;
  hub: HubShape;
  /** Domain of signed key requests (EIP-712). */
  keyRequestDomain: KeyRequestDomain;
  /** Scheme of the deeplinks of signed key requests, without "://". */
  deeplinkScheme: string;
  /** Seconds from a user's approval of a key until the key is valid, like the delay of a chain. */
  keyConfirmation: number;
}

export const defaultSettings: NetworkSettings = {
  nameDomain: ownNameDomain,
  claimTolerance: 600,
  reservedNames: new Set(),
  transferThrottle: 0,
  directTransfers: true,
  tokenLifetime: 24 * 3600,
  hubRetention: 3 * 24 * 3600,
  hub: { shards: 1, asLive: false },
  keyRequestDomain: ownKeyRequestDomain,
  deeplinkScheme: "castellan",
  keyConfirmation: 2,
};
