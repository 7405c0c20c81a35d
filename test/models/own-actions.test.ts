import { afterAll, describe, expect, test } from "vitest";
import { createWorld } from "../support/world.ts";
import { aspects, interleaveAll, live, type Interleaving } from "./own-actions.ts";
import type { Aspect, Doing } from "./own-actions-world.ts";

const [runs, seed] = [20, 38];

describe("whatever we and others do to the same, in whichever order it is done, answered and read", () => {
  test.each(aspects)(
    "%s: each change has one event and one case, and cases in force are what stands",
    async (aspect) => {
      expect(await interleaveAll(aspect, runs, seed)).toBe(runs);
    },
    600_000,
  );
});

describe("what a listing shows and channel events tell later", async () => {
  const bot = await createWorld();
  afterAll(() => bot.database.close());
  let number = 0;

  const others = (doing: Doing) => ({ do: "others" as const, doing });
  const act = (doing: Doing) => ({ do: "act" as const, doing, fate: "done" as const, before: [], after: [] });
  const read = { do: "read" as const };
  const lost = { ...act("begin"), fate: "dies before" as const };
  const begin = { do: "begin reading" as const, isStale: false };

  test.each<[string, Aspect, Interleaving["steps"]]>([
    [
      "a ban that we lifted is not our ban after it",
      "ban",
      [others("begin"), begin, act("end"), act("begin")],
    ],
    [
      "an invite that we revoked is not our invite after it",
      "invite",
      [others("begin"), begin, act("end"), act("begin")],
    ],
    [
      "a ban that others lifted does not end theirs after it",
      "ban",
      [others("begin"), others("end"), others("begin"), read],
    ],
    [
      "a ban that others lifted does not end ours after it",
      "ban",
      [act("begin"), others("end"), act("begin"), read],
    ],
    ["a ban that we lifted is over when it is told", "ban", [others("begin"), act("end"), read]],
    [
      "an invite that we take for ours after a crash is not told again",
      "invite",
      [lost, others("begin"), act("begin"), read],
    ],
    [
      "a pin that failed takes no change of the next pin of the same cast",
      "pin",
      [{ ...lost, doing: "other" }, others("begin"), act("other")],
    ],
    ["a pin that we removed is over when it is told", "pin", [others("begin"), act("end"), act("end"), read]],
  ])("%s", async (_, aspect, steps) => {
    number += 1;
    await live(bot, aspect, number, { from: { by: "both", ahead: 0 }, steps });
    expect(await bot.database.query.selectFrom("castellan.events").selectAll().execute()).not.toEqual([]);
  });
});
