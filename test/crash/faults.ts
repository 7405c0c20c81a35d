import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { readWholeRoom, type ChatMessage } from "./chat.ts";
import type { Relay } from "../support/relay.ts";
import { feedRoom } from "./evidence.ts";
import type { Disturbance } from "./siege.ts";
import type { Scene } from "./traffic.ts";

/** How often each fault happens in one run. */
const rounds = 3;
const recoveryPatience = 180_000;

/** A fault that ends by itself: begun, and over when the promise settles. */
type Fault = () => Promise<void>;

/**
 * Lets a fault happen again and again, and says after how many seconds the feed's room gets messages again, and after how
 * many it tells what happened since: in between lies what happened before, at the pace that Discord allows.
 */
export function suffering(fault: Fault): Disturbance {
  return async (scene, tell) => {
    await sleep(5_000);
    for (let round = 1; round <= rounds; round += 1) {
      await fault();
      const over = Date.now();
      const passed = () => `${((Date.now() - over) / 1000).toFixed(1)} s`;
      // What happened in the same second counts as before.
      const second = Math.floor(over / 1000) * 1000 + 1000;
      await untilSeen(scene, ({ id }) => timeOf(id) > over);
      const posts = passed();
      await untilSeen(scene, ({ embeds }) =>
        embeds.some(({ timestamp }) => Date.parse(timestamp ?? "") >= second),
      );
      const restarts = scene.site.restarts();
      tell(
        `round ${round} of ${rounds}: posts again after ${posts}, has caught up after ${passed()}, restarts so far ${restarts}`,
      );
      await sleep(5_000);
    }
  };
}

/** When Discord made an id, in milliseconds. */
const timeOf = (id: string) => Number((BigInt(id) >> 22n) + 1_420_070_400_000n);

/** Throws when the feed's room has no such message in time. */
async function untilSeen({ site }: Scene, fits: (message: ChatMessage) => boolean): Promise<void> {
  const end = performance.now() + recoveryPatience;
  while (performance.now() < end) {
    const messages = await readWholeRoom(site, "ada", feedRoom).catch(() => []);
    if (messages.some(fits)) return;
    await sleep(200);
  }
  throw new Error("nothing was told any more");
}

/** Redis goes and comes back without anything that it held. */
export function emptiedRedis(url: string, relay: Relay): Fault {
  return async () => {
    relay.cut();
    const redis = new Redis(url);
    await redis.flushall();
    await sleep(3_000);
    relay.fix();
    redis.disconnect();
  };
}

/** For ten seconds nothing that is or gets connected hears anything, and hears no end; after that new ones are served. */
export function silentRoad(relay: Relay): Fault {
  return async () => {
    for (let turn = 0; turn < 100; turn += 1) {
      relay.silence();
      await sleep(100);
    }
  };
}

/** The disk fills up to some megabytes and is freed. `directory` is on a disk of its own. */
export function fullDisk(directory: string, leaves: number): Fault {
  const ballast = join(directory, "ballast");
  return async () => {
    const { bavail, bsize } = await statfs(directory);
    await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leaves)));
    await sleep(15_000);
    await rm(ballast);
  };
}
