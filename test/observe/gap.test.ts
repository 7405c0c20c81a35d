import { beforeEach, describe, expect, test } from "vitest";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { observeStatus } from "../../src/observe/observe-status.ts";
import { useObserver } from "../support/scenes.ts";

const observer = await useObserver();
beforeEach(async () => {
  await observer.network.seed.account(1);
  await observer.network.seed.channel("memes");
});

const cast = async (fid: number, place: { channelId: string }) =>
  (await observer.network.api.operator.cast({ fid, text: "gm", ...place })).hash;
const poll = () => pollHub(observer.context);
const hashes = async () =>
  (await observer.events("cast.created")).map(({ data }) => String("castHash" in data && data.castHash));
const prune = () => observer.context.database.query.deleteFrom("network.hub_events").execute();
const gaps = async () => (await observeStatus(observer.context)).gaps;

/** As if a hub of higher ids had been read before: a position that this one does not reach. Gives what it was. */
async function moveAhead(): Promise<number> {
  const { query } = observer.context.database;
  const { position } = await query
    .selectFrom("castellan.sources")
    .select("position")
    .where("source", "=", "hub/1")
    .executeTakeFirstOrThrow();
  await query
    .updateTable("castellan.sources")
    .set({ position: position * 1000 })
    .execute();
  return position;
}

describe("a gap", () => {
  test("is found when the last seen event is gone, told once, and has the listings read anew", async () => {
    await observer.link("memes");
    await cast(1, { channelId: "memes" });
    await poll();
    observer.context.clock.advance(60);
    await prune();
    await poll();
    await poll();
    expect(await observer.events("gap.found")).toHaveLength(1);
    expect(await gaps()).toMatchObject([{ source: "hub/1", healed: false }]);
    const after = await cast(1, { channelId: "memes" });
    await poll();
    expect(await observer.events("gap.found")).toHaveLength(1);
    expect((await hashes()).at(-1)).toBe(after);
  });

  test("is found after a silence that is longer than what the hub keeps", async () => {
    await cast(1, { channelId: "memes" });
    await poll();
    observer.context.clock.advance(4 * 24 * 3600);
    await poll();
    expect(await gaps()).toHaveLength(1);
  });

  test("is none when the last seen event grew old while nothing else happened", async () => {
    await cast(1, { channelId: "memes" });
    for (let day = 0; day < 3; day += 1) {
      await poll();
      observer.context.clock.advance(24 * 3600);
    }
    await prune();
    await poll();
    await poll();
    expect(await gaps()).toEqual([]);
  });

  test("to a hub whose ids begin anew is followed from there, and nothing is told twice", async () => {
    await observer.link("memes");
    const before = await cast(1, { channelId: "memes" });
    await poll();
    await moveAhead();
    observer.context.clock.advance(1);
    const after = await cast(1, { channelId: "memes" });
    for (let look = 0; look < 3; look += 1) await poll();
    expect(await hashes()).toEqual([before, after]);
    expect(await gaps()).toHaveLength(1);
  });

  test("to a hub that has nothing yet is followed when it has", async () => {
    await observer.link("memes");
    await cast(1, { channelId: "memes" });
    await poll();
    await prune();
    await moveAhead();
    await poll();
    observer.context.clock.advance(1);
    const after = await cast(1, { channelId: "memes" });
    await poll();
    expect((await hashes()).at(-1)).toBe(after);
    expect(await gaps()).toHaveLength(1);
  });

  test("is none while the hub lags behind what another one behind its address has shown", async () => {
    await observer.link("memes");
    const before = await cast(1, { channelId: "memes" });
    await poll();
    const position = await moveAhead();
    await poll();
    await poll();
    expect([await gaps(), await hashes()]).toEqual([[], [before]]);
    expect(await moveAhead()).toBe(position * 1000);
  });
});
