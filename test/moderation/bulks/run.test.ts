import { describe, expect, test } from "vitest";
import type { Network } from "../../../src/contract/index.ts";
import { AppError } from "../../../src/errors.ts";
import { beginBulk, type BulkAction, type NewBulk } from "../../../src/moderation/bulks/begin.ts";
import { readBulk, type Bulk, stopBulk } from "../../../src/moderation/bulks/bulk.ts";
import { runBulk } from "../../../src/moderation/bulks/run.ts";
import { proposeCase } from "../../../src/moderation/cases/propose.ts";
import { people, seedChannel, troubleNetwork } from "../../support/world.ts";
import { addCasts } from "../../support/casts.ts";
import { useWorld } from "../../support/test-cases.ts";
import { hasOpenBulks, runOpenBulks, applyOpenCases } from "../../support/jobs.ts";

const bot = await useWorld();

function begin(actions: readonly BulkAction[], change: Partial<NewBulk> = {}): Promise<Bulk> {
  const asked = {
    guildId: "g1",
    channelId: "memes",
    kind: "hide" as const,
    selection: "casts",
    by: { userId: "100" },
  };
  return bot.database.transaction((tx) => beginBulk(bot, tx, { ...asked, ...change }, actions));
}

const hide = (targetCast: string): BulkAction => ({ kind: "hide", targetCast });

async function states(): Promise<string[]> {
  const rows = await bot.database.query.selectFrom("castellan.cases").select("state").orderBy("id").execute();
  return rows.map(({ state }) => state);
}

async function countHides(): Promise<number> {
  const { result } = await bot.network.moderatedCasts.list({ channelId: "memes", limit: 1000 });
  return result.moderationActions.length;
}

describe("a bulk", () => {
  test("does each target once, and ends", async () => {
    const casts = await addCasts(bot, 60, { fid: people.troll });
    const { id } = await begin(casts.map(hide));
    expect(await hasOpenBulks(bot)).toBe(true);
    await runOpenBulks(bot);
    expect(await countHides()).toBe(60);
    expect(new Set(await states())).toEqual(new Set(["applied"]));
    expect((await readBulk(bot.database.query, id)).endedAtMs).toBe(bot.clock.now());
    expect(await hasOpenBulks(bot)).toBe(false);
    await runOpenBulks(bot);
    expect(await countHides()).toBe(60);
  });

  test("reads what many of its casts share once for all of them", async () => {
    const casts = await addCasts(bot, 48, { fid: people.troll });
    let reads = 0;
    const counted = troubleNetwork(bot.network, "moderatedCasts", "list", () => void (reads += 1), "before");
    const { id } = await begin(casts.map(hide));
    await runBulk({ ...bot, network: counted }, id);
    expect(reads).toBe(2);
  });

  test("that several work on at once does each target once", async () => {
    const casts = await addCasts(bot, 60, { fid: people.troll });
    const { id } = await begin(casts.map(hide));
    await Promise.all([runBulk(bot, id), runBulk(bot, id), runBulk(bot, id)]);
    expect(await countHides()).toBe(60);
    expect((await readBulk(bot.database.query, id)).endedAtMs).not.toBeNull();
  });

  test("begins whole or not at all", async () => {
    const [cast = ""] = await addCasts(bot, 1, { fid: people.troll });
    const cut = bot.database.transaction(async (tx) => {
      const asked = {
        guildId: "g1",
        channelId: "memes",
        kind: "hide" as const,
        selection: "casts",
        by: { userId: "1" },
      };
      await beginBulk(bot, tx, asked, [hide(cast)]);
      throw new Error("cut");
    });
    await expect(cut).rejects.toThrow("cut");
    expect([await states(), await hasOpenBulks(bot)]).toEqual([[], false]);
  });

  test("leaves what single cases wait for to itself, and they leave its cases to it", async () => {
    const casts = await addCasts(bot, 3, { fid: people.troll });
    await begin(casts.map(hide));
    await bot.database.transaction((tx) =>
      proposeCase(tx, bot.clock, {
        guildId: "g1",
        channelId: "memes",
        kind: "ban",
        targetFid: 7,
        actor: { userId: "1" },
      }),
    );
    expect(await applyOpenCases(bot)).toBe(1);
    expect(await states()).toEqual(["requested", "requested", "requested", "applied"]);
  });

  test("of which people confirm parts at once does each target once", async () => {
    const [first, second] = [`0x${"a".repeat(40)}`, `0x${"b".repeat(40)}`];
    const confirm = (hashes: string[]) => begin(hashes.map(hide), { leavesOutRequested: true });
    const outcomes = await Promise.allSettled([confirm([first]), confirm([first]), confirm([first, second])]);
    // A server decides in which order; each target is somebody's, once.
    const begun = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(begun.reduce((sum, { targets }) => sum + targets, 0)).toBe(2);
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) {
      expect(reason).toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("done or under way by now") as string,
      });
    }
    expect(await states()).toEqual(["requested", "requested"]);
  });

  test("too many at once are refused, with the way out", async () => {
    for (let count = 0; count < 10; count += 1) await begin([hide(`0x${"a".repeat(40)}`)]);
    await expect(begin([hide(`0x${"b".repeat(40)}`)])).rejects.toThrow("10 bulks are under way");
    // Another server's are its own.
    await begin([hide(`0x${"c".repeat(40)}`)], { guildId: "g2" });
  });
});

describe("when the network has a limit", () => {
  const limitAfter = (calls: number): Network =>
    troubleNetwork(
      bot.network,
      "moderatedCasts",
      "moderate",
      (call) => (call > calls ? new AppError("rate_limited", "Too many.", { retryAfter: 600 }) : undefined),
      "before",
    );

  test("a bulk rests as long as the network says, and then goes on, however often", async () => {
    const casts = await addCasts(bot, 60, { fid: people.troll });
    const { id } = await begin(casts.map(hide));
    for (let round = 0; round < 12; round += 1) {
      await runBulk({ ...bot, network: limitAfter(5) }, id);
      expect(await countHides()).toBe(Math.min(60, (round + 1) * 5));
      expect(round < 11 && (await hasOpenBulks(bot))).toBe(false);
      bot.clock.advance(601);
    }
    await runBulk(bot, id);
    expect(new Set(await states())).toEqual(new Set(["applied"]));
    expect((await readBulk(bot.database.query, id)).endedAtMs).not.toBeNull();
  });

  test.each(["while its calls are refused", "while it rests"])("and it is stopped %s", async (when) => {
    const casts = await addCasts(bot, 30, { fid: people.troll });
    const { id } = await begin(casts.map(hide));
    const stop = () => stopBulk(bot, id, "5");
    const network = limitAfter(5);
    await runBulk(
      { ...bot, network },
      id,
      when === "while it rests" ? {} : { onProgress: async () => void (await stop()) },
    );
    if (when === "while it rests") {
      await stop();
      await runOpenBulks(bot);
    }
    expect(await countHides()).toBe(5);
    expect((await readBulk(bot.database.query, id)).endedAtMs).toBe(bot.clock.now());
    expect((await states()).filter((state) => state === "failed")).toHaveLength(25);
  });
});

describe("what was not done", () => {
  test("fails with its reason while the rest is done", async () => {
    const casts = await addCasts(bot, 3, { fid: people.troll });
    const { id } = await begin([...casts, `0x${"f".repeat(40)}`].map(hide));
    await runBulk(bot, id);
    expect(await states()).toEqual(["applied", "applied", "applied", "failed"]);
  });

  test("half-way, with answers lost on the way down, is done once when the network is back", async () => {
    const casts = await addCasts(bot, 60, { fid: people.troll });
    const { id } = await begin(casts.map(hide));
    const silent = () => new AppError("network_unreachable", "Nothing.", { mayHaveHappened: true });
    // The first twenty are done; of the next ten only the answers are lost; the rest does not get there.
    const lost = troubleNetwork(
      bot.network,
      "moderatedCasts",
      "moderate",
      (call) => (call > 20 ? silent() : undefined),
      "after",
    );
    const down = troubleNetwork(
      lost,
      "moderatedCasts",
      "moderate",
      (call) => (call > 30 ? silent() : undefined),
      "before",
    );
    await runBulk({ ...bot, network: down }, id);
    expect(await countHides()).toBe(30);
    expect((await states()).filter((state) => state === "failed")).toEqual([]);
    expect((await readBulk(bot.database.query, id)).endedAtMs).toBeNull();
    bot.clock.advance(120);
    await runBulk(bot, id);
    expect(await countHides()).toBe(60);
    expect(new Set(await states())).toEqual(new Set(["applied"]));
    expect((await readBulk(bot.database.query, id)).endedAtMs).not.toBeNull();
  });

  test("is left alone once somebody stops it", async () => {
    const casts = await addCasts(bot, 60, { fid: people.troll });
    const { id } = await begin(casts.map(hide));
    let told = 0;
    await runBulk(bot, id, {
      onProgress: async () => void ((told += 1) === 1 && (await stopBulk(bot, id, "5"))),
    });
    expect(await countHides()).toBe(24);
    expect((await states()).filter((state) => state === "failed")).toHaveLength(36);
    const { endedAtMs, stoppedBy } = await readBulk(bot.database.query, id);
    expect([endedAtMs, stoppedBy]).toEqual([bot.clock.now(), "5"]);
    expect(await stopBulk(bot, id, "5")).toBe(false);
  });

  test.each([
    ["unlinked", "link_removed", () => bot.database.query.deleteFrom("castellan.links").execute()],
    [
      "suspended",
      "link_suspended",
      () => bot.database.query.updateTable("castellan.links").set({ suspended_at_ms: 1 }).execute(),
    ],
  ])("is left alone once the channel is %s", async (_, outcome, end) => {
    const casts = await addCasts(bot, 2, { fid: people.troll });
    const { id } = await begin(casts.map(hide));
    await end();
    await runBulk(bot, id);
    expect(await countHides()).toBe(0);
    const rows = await bot.database.query.selectFrom("castellan.cases").select("outcome").execute();
    expect(rows).toEqual([{ outcome }, { outcome }]);
    expect((await readBulk(bot.database.query, id)).endedAtMs).not.toBeNull();
  });

  test("is left alone only in the channel that is unlinked", async () => {
    await seedChannel(bot, "art", "g1");
    const ban = { kind: "ban" as const, targetFid: people.troll };
    const { id, channelId, otherChannelIds } = await begin([ban, { ...ban, channelId: "art" }]);
    expect([channelId, otherChannelIds]).toEqual(["art", ["memes"]]);
    await bot.database.query.deleteFrom("castellan.links").where("channel_id", "=", "memes").execute();
    await runBulk(bot, id);
    const rows = await bot.database.query
      .selectFrom("castellan.cases")
      .select(["channel_id", "number", "outcome"])
      .orderBy("channel_id")
      .execute();
    expect(rows).toEqual([
      { channel_id: "art", number: 2, outcome: "done" },
      { channel_id: "memes", number: 1, outcome: "link_removed" },
    ]);
    expect((await readBulk(bot.database.query, id)).endedAtMs).not.toBeNull();
  });

  test("for silence is tried again, not asked for at once again and again", async () => {
    const casts = await addCasts(bot, 2, { fid: people.troll });
    const { id } = await begin(casts.map(hide));
    const silent = () => new AppError("network_unreachable", "Nothing.", { mayHaveHappened: true });
    let calls = 0;
    const network = troubleNetwork(
      bot.network,
      "moderatedCasts",
      "moderate",
      () => ((calls += 1), silent()),
      "before",
    );
    await runBulk({ ...bot, network }, id);
    expect(calls).toBe(2);
    expect(await hasOpenBulks(bot)).toBe(false);
    bot.clock.advance(60);
    await runBulk(bot, id);
    expect(await states()).toEqual(["applied", "applied"]);
    expect(await countHides()).toBe(2);
  });
});
