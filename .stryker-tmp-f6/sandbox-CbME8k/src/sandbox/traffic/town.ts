// @ts-nocheck
import type { Clock } from "../../clock.ts";
import type { Network, Operator } from "../../contract/index.ts";
import type { Log } from "../../log.ts";
import type { SandboxAccount } from "../people/account.ts";

/** What the living part of the sample network works with. Everything goes over HTTP, as other people's apps do. */
export interface Town {
  /** The network as one of its users, with that user's own key. */
  as(account: SandboxAccount): Network;
  operator: Operator;
  accounts: readonly SandboxAccount[];
  clock: Clock;
  log: Log;
  /** What was said and who came since the traffic started; later scenes go on from it. */
  memory: TownMemory;
  /** 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** Waits; rejects when the traffic stops. */
  pause(milliseconds: number): Promise<void>;
}

export interface TownMemory {
  /** Hashes of the latest root casts, newest first. */
  casts: string[];
  /** Those who came and hold a name; `since` in UNIX seconds. */
  visitors: { account: SandboxAccount; name: string; since: number }[];
}

/** One thing that somebody does. */
export type Scene = (town: Town) => Promise<void>;

export function pickOne<T>(town: Town, items: readonly T[]): T {
  const item = items[Math.floor(town.random() * items.length)];
  if (item === undefined) throw new RangeError("nothing to pick from");
  return item;
}

/** One of the members of a channel whom the sandbox plays. */
export async function pickMember(town: Town, channelId: string): Promise<SandboxAccount | undefined> {
  const [anybody] = town.accounts;
  if (!anybody) return undefined;
  const page = await town.as(anybody).channelMembers.list({ channelId });
  const members = new Set(page.result.members.map(({ fid }) => fid));
  const played = town.accounts.filter(({ fid }) => members.has(fid) && fid > 5);
  return played.length > 0 ? pickOne(town, played) : undefined;
}
