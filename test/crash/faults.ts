import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { readWholeRoom } from "./chat.ts";
import type { Relay } from "../support/relay.ts";
import { feedRoom } from "./evidence.ts";
import type { Disturbance } from "./siege.ts";
import type { Scene } from "./traffic.ts";

/** How often each fault happens in one run. */
const rounds = 3;
const recoveryPatience = 180_000;

/** A fault that ends by itself: begun, and over when the promise settles. */
type Fault = () => Promise<void>;

/** Lets a fault happen again and again, and says after how many seconds what happened since is told in a room. */
export function suffering(fault: Fault): Disturbance {
  return async (scene, tell) => {
    await sleep(5_000);
    for (let round = 1; round <= rounds; round += 1) {
      await fault();
      const over = Date.now();
      const found = await untilTold(scene, over);
      const restarts = scene.site.restarts();
      const took = found ? `${((Date.now() - over) / 1000).toFixed(1)} s` : "never";
      tell(`round ${round} of ${rounds}: told again after ${took}, restarts so far ${restarts}`);
      if (!found) throw new Error("nothing was told any more");
      await sleep(5_000);
    }
  };
}

async function untilTold({ site }: Scene, since: number): Promise<boolean> {
  // What happened in the same second counts as before.
  const second = Math.floor(since / 1000) * 1000 + 1000;
  const end = performance.now() + recoveryPatience;
  while (performance.now() < end) {
    const messages = await readWholeRoom(site, "ada", feedRoom).catch(() => []);
    const times = messages.flatMap(({ embeds }) =>
      embeds.map(({ timestamp }) => Date.parse(timestamp ?? "")),
    );
    if (times.some((time) => time >= second)) return true;
    await sleep(200);
  }
  return false;
}

/** Redis goes and comes back without anything that it held. */
export function emptiedRedis(url: string, relay: Relay): Fault {
  return async () => {
    relay.cut();
    const redis = new Redis(url);
    await redis.flushall();
    await sleep(3_000);
    relay.mend();
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
