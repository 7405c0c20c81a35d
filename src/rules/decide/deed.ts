/** What is asked of the network: moderation makes a case of it. */
export type NetworkDeed =
  | { kind: "hide" | "unhide" | "pin"; castHash: string }
  /** null for whatever is pinned. */
  | { kind: "unpin"; castHash: string | null }
  | { kind: "ban"; fid: number; reason: string | null; forSeconds: number | null }
  | { kind: "unban" | "remove_member" | "invite"; fid: number };

/** What rules do without the network. */
export type OwnDeed =
  | { kind: "strike"; fid: number; points: number; ttlSeconds: number | null }
  | { kind: "note"; fid: number; text: string }
  /** For one room, or for all that hear of rules. */
  | { kind: "alert"; text: string; roomId: string | null }
  | { kind: "review"; queue: string | null };

/** An action with its aim, ready to be done, or to be held. */
export type Deed = NetworkDeed | OwnDeed;

/** What can be done without, or after, a person's look. */
export type DoableDeed = Exclude<Deed, { kind: "review" }>;

export const networkKinds = [
  "hide",
  "unhide",
  "pin",
  "unpin",
  "ban",
  "unban",
  "remove_member",
  "invite",
] as const satisfies NetworkDeed["kind"][];

export function isNetworkDeed(deed: Deed): deed is NetworkDeed {
  return networkKinds.some((kind) => kind === deed.kind);
}
