import { beforeEach, describe, expect, test } from "vitest";
import { giveCode } from "../../src/moderation/proofs/link-codes.ts";
import { workers, type WorkerContext } from "../../workers/index.ts";
import { silentLog } from "../../src/log.ts";
import { useLiveHub } from "../live/live-scene.ts";
import { openTestDatabase } from "../support/database.ts";
import { silentRooms } from "../support/world.ts";

const scene = useLiveHub();
const poll = workers.find(({ name }) => name === "poll-hub");
const actor = { userId: "100", guildId: "900", roomId: "77", roleIds: [], managesServer: true };

/** The worker's context with a time that goes by without the network's. */
let monotonic = 0;
const context = (): WorkerContext => {
  const { clock, settings } = scene.context;
  const own = { now: () => clock.now(), monotonic: () => monotonic };
  return {
    ...scene.context,
    clock: { ...clock, ...own },
    rooms: silentRooms,
    settings: { ...settings, hubSeconds: 5 },
  };
};
const isDue = async () => (poll?.hasNews?.(context()) ?? false) || (await poll?.isDue?.(context())) || false;
const run = async () => {
  const job = { key: undefined, attempt: 1, signal: new AbortController().signal, log: silentLog };
  await poll?.run(context(), job);
};
const pass = (seconds: number) => (monotonic += seconds * 1000);

beforeEach(() => {
  for (const shard of [1, 2]) scene.chain.confirm(shard, scene.now());
});

describe("a hub that is elsewhere is asked", () => {
  test("as often as HUB_SECONDS says", () => {
    const { every } = poll ?? {};
    expect(typeof every === "function" && every(context())).toBe(5_000);
    const within = { ...context(), live: undefined };
    expect(typeof every === "function" && every(within)).toBe(1_000);
  });

  test("at each interval while it has news, and at every other one while it has none", async () => {
    await scene.observer.link("memes");
    await run();
    pass(5);
    expect(await isDue()).toBe(true);
    await run();
    pass(5);
    expect(await isDue()).toBe(false);
    pass(5);
    expect(await isDue()).toBe(true);
    scene.chain.confirm(1, scene.now(), [scene.castIn("news").merged]);
    await run();
    expect(await scene.texts()).toEqual(["news"]);
    pass(5);
    expect(await isDue()).toBe(true);
  });

  test("only where somebody waits for what it tells: a link, or a code that may be cast", async () => {
    await run();
    pass(50);
    expect(await isDue()).toBe(false);
    const { woken } = scene.observer.context;
    woken.length = 0;
    await giveCode(scene.context, actor, "memes");
    expect(woken).toContain("poll-hub");
    await run();
    pass(10);
    expect(await isDue()).toBe(true);
    scene.observer.context.clock.advance(3600);
    await run();
    pass(50);
    expect(await isDue()).toBe(false);
    await scene.observer.link("memes");
    await run();
    pass(10);
    expect(await isDue()).toBe(true);
  });

  test("and misses nothing that came while it rested", async () => {
    await run();
    const { merged } = scene.castIn("before the link");
    scene.chain.confirm(1, scene.now(), [merged, scene.chain.proof("zoe", 4, scene.now())]);
    scene.observer.context.clock.advance(60);
    await scene.observer.link("memes");
    scene.chain.confirm(1, scene.now(), [scene.castIn("after the link").merged]);
    await run();
    expect(await scene.gaps()).toEqual([]);
    expect(await scene.texts()).toEqual(["after the link"]);
    const { query } = scene.observer.context.database;
    expect(await query.selectFrom("castellan.names").select("name").execute()).toEqual([{ name: "zoe" }]);
  });

  test("by a process that does not know of it yet, whatever others found", async () => {
    await run();
    const database = await openTestDatabase();
    expect(poll?.hasNews?.({ ...context(), database })).toBe(true);
    await database.close();
  });
});
