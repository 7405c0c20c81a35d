import { setTimeout as sleep } from "node:timers/promises";
import { channelId } from "./town.ts";
import type { Scene } from "./traffic.ts";

/** One user's bans as somebody sees them who looks at the network all the time; UNIX milliseconds. */
export interface BanSeen {
  /** As the network says, in seconds: more than one when the user was banned anew. */
  bannedAt: Set<number>;
  /** The first look that showed it. */
  seenAt: number;
  /** The first look that did not show the ban any more. */
  goneAt?: number;
}

const lookEvery = 200;

/** Looks who is banned, again and again. */
export function watchBans(scene: Scene) {
  const seen = new Map<number, BanSeen>();
  const stopping = new AbortController();
  const look = async () => {
    while (!stopping.signal.aborted) {
      const { result } = await scene.as().channelBans.list({ channelId, limit: 1000 });
      const now = Date.now();
      const banned = new Map(result.bannedUsers.map(({ fid, bannedAt }) => [fid, bannedAt]));
      for (const [fid, bannedAt] of banned) {
        const ban = seen.get(fid) ?? { bannedAt: new Set(), seenAt: now };
        seen.set(fid, ban);
        ban.bannedAt.add(bannedAt);
      }
      for (const [fid, ban] of seen) if (!banned.has(fid)) ban.goneAt ??= now;
      await sleep(lookEvery);
    }
  };
  const looking = look();
  return {
    seen: seen as ReadonlyMap<number, BanSeen>,
    async stop() {
      stopping.abort();
      await looking;
      return seen;
    },
  };
}
