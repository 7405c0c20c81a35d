import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import type { Log } from "../log.ts";
import { ownKeyRequestDomain, type KeyRequestDomain } from "../contract/key-request.ts";
import { ownNameDomain, type NameDomain } from "../contract/name-claim.ts";
import type { HubShape } from "./domain/hub-shape.ts";
import type { MessageSigner, RegistrySigner } from "./signatures.ts";

/** Everything that the embedded network is made of. */
export interface ApiContext {
  database: Database;
  clock: Clock;
  log: Log;
  settings: NetworkSettings;
  /** Signs name proofs as the registry. */
  registry: RegistrySigner;
  /**
   * By fid, for the users whose application keys this installation holds: it signs for them what they cast, as their
   * application would.
   */
  messageSigners?: ReadonlyMap<number, MessageSigner>;
}

/** What the interface leaves to its operator. */
export interface NetworkSettings {
  /** Domain of name claims (EIP-712). */
  nameDomain: NameDomain;
  /** Seconds by which a claim's timestamp may differ from the registry's clock. */
  claimTolerance: number;
  reservedNames: ReadonlySet<string>;
  /** Seconds from a name's last transfer in which it cannot be transferred again; 0 is no throttle. */
  transferThrottle: number;
  /** Whether a name can go from one fid to another without being released in between. */
  directTransfers: boolean;
  /** Longest life of a bearer token, in seconds. */
  tokenLifetime: number;
  /** Seconds after which hub events are pruned. */
  hubRetention: number;
  hub: HubShape;
  /** Domain of signed key requests (EIP-712). */
  keyRequestDomain: KeyRequestDomain;
  /** Of the deeplinks of signed key requests, without "://". */
  deeplinkScheme: string;
  /** Seconds from a user's approval of a key until it counts, as a chain would take. */
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
