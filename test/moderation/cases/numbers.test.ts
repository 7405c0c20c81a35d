import { beforeEach, describe, expect, test } from "vitest";
import { proposeCase, proposeCases } from "../../../src/moderation/cases/propose.ts";
import { newEvent } from "../../../src/observe/events.ts";
import { hasServer } from "../../support/services.ts";
import { meetAtLock, useWorld } from "../../support/test-cases.ts";
import { linkGuild, people, seedChannel } from "../../support/world.ts";

const bot = await useWorld();
/** Transactions that appended events: one more than the works means that a deadlock undid one. */
let appends = 0;

beforeEach(async () => {
  await seedChannel(bot, "art", "g2");
  await linkGuild(bot, "art", "g1");
  await linkGuild(bot, "memes", "g2");
});

const ban = (guildId: string, channelId: string, targetFid: number = people.troll) =>
  ({ guildId, channelId, targetFid, actor: { userId: "100" }, kind: "ban" }) as const;

async function propose(guildId: string, channelId: string): Promise<number> {
  const { number } = await bot.database.transaction((tx) =>
    proposeCase(tx, bot.clock, ban(guildId, channelId)),
  );
  return number;
}

/** A moderator of the channel hides this cast on the network. */
async function observe(channelId: string, castHash: string): Promise<void> {
  const event = newEvent(bot.clock.now(), {
    sourceKey: `record ${castHash}`,
    kind: "record.hidden",
    channelId,
    data: { castHash },
  });
  await bot.database.transaction(async (tx) => {
    appends += 1;
    await bot.appendEvents(tx, [event]);
  });
}

async function numbersOf(guildId: string): Promise<number[]> {
  const rows = await bot.database.query
    .selectFrom("castellan.cases")
    .select("number")
    .where("guild_id", "=", guildId)
    .orderBy("number")
    .execute();
  return rows.map(({ number }) => number);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test("the channels of a server share one series, and each server has its own", async () => {
  expect(await propose("g1", "memes")).toBe(1);
  expect(await propose("g1", "art")).toBe(2);
  expect(await propose("g2", "art")).toBe(1);
  const fids = [11, 12];
  const bans = fids.flatMap((fid) => [ban("g1", "memes", fid), ban("g1", "art", fid)]);
  await bot.database.transaction((tx) => proposeCases(tx, bot.clock, bans));
  await observe("art", "0x1");
  expect(await numbersOf("g1")).toEqual(upTo(7));
  expect(await numbersOf("g2")).toEqual(upTo(2));
});

test("numbers from when channels counted separately are not used again", async () => {
  const before = { memes: 3, art: 12 };
  const rows = Object.entries(before).map(([channel_id, last_number]) => {
    return { guild_id: "g1", channel_id, last_number };
  });
  await bot.database.query.insertInto("castellan.case_numbers").values(rows).execute();
  expect(await propose("g1", "memes")).toBe(13);
  expect(await propose("g1", "art")).toBe(14);
  expect(await propose("g1", "memes")).toBe(15);
});

test("cases requested and seen at the same time in two channels of two servers have different numbers", async () => {
  const count = 8;
  appends = 0;
  await Promise.all(
    upTo(count).flatMap((index): Promise<unknown>[] => [
      propose("g1", "memes"),
      propose("g1", "art"),
      observe(index % 2 === 0 ? "art" : "memes", `0x${index}`),
    ]),
  );
  expect(appends).toBe(count);
  expect(await numbersOf("g1")).toEqual(upTo(3 * count));
  expect(await numbersOf("g2")).toEqual(upTo(count));
});

describe.runIf(hasServer)("transactions that meet never wait in a circle", () => {
  test("two cases requested in two channels of one server", async () => {
    await propose("g1", "memes");
    const works = [() => propose("g1", "memes"), () => propose("g1", "art")];
    const memes = "castellan.case_numbers where guild_id = 'g1' and channel_id = 'memes'";
    expect(await meetAtLock(bot.database, memes, works)).toEqual([2, 3]);
  });

  test.each(["memes", "art"])("changes in two channels of two servers, first in %s", async (first) => {
    appends = 0;
    const works = [() => observe("memes", "0x1"), () => observe("art", "0x2")];
    await meetAtLock<void>(
      bot.database,
      "castellan.counters",
      first === "memes" ? works : works.toReversed(),
    );
    expect(appends).toBe(2);
    expect(await numbersOf("g1")).toEqual([1, 2]);
    expect(await numbersOf("g2")).toEqual([1, 2]);
  });
});
