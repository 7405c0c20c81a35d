import * as fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { applyCase } from "../../../src/moderation/cases/apply.ts";
import { readCase, type Case } from "../../../src/moderation/cases/case.ts";
import { expireBans } from "../../../src/moderation/cases/expire.ts";
import { proposeCase } from "../../../src/moderation/cases/propose.ts";
import { createWorld, linkGuild, people, seedChannel, troubleNetwork } from "../../support/world.ts";
import { hasServer } from "../../support/services.ts";
import { meetAtLock } from "../../support/test-cases.ts";

const { troll, moderator } = people;

const bot = await createWorld();
afterAll(() => bot.database.close());
const reset = async () => {
  await bot.database.truncate();
  await seedChannel(bot, "memes", "g1");
  await linkGuild(bot, "memes", "g2");
};
beforeEach(reset);

async function act(kind: "ban" | "unban", forSeconds?: number, guildId = "g1"): Promise<Case> {
  const proposal = {
    guildId,
    channelId: "memes",
    kind,
    targetFid: troll,
    actor: { userId: "100" },
    forSeconds,
  };
  const { id } = await bot.database.transaction((tx) => proposeCase(tx, bot.clock, proposal));
  return applyCase(bot, id);
}

async function isBanned(): Promise<boolean> {
  const { result } = await bot.network.channelBans.list({ channelId: "memes", fid: troll });
  return result.bannedUsers.length > 0;
}

describe("a timed ban", () => {
  test("does not end while a longer one lasts, whichever server set it", async () => {
    await act("ban", 3600);
    await act("ban", 7200, "g2");
    bot.clock.advance(3601);
    expect(await expireBans(bot)).toBe(0);
    bot.clock.advance(3600);
    expect(await expireBans(bot)).toBe(1);
    expect(await isBanned()).toBe(false);
  });

  test("does not end when a permanent one came after it", async () => {
    await act("ban", 60);
    await act("ban");
    bot.clock.advance(61);
    expect(await expireBans(bot)).toBe(0);
    expect(await isBanned()).toBe(true);
  });

  test("that met a ban of somebody else never lifts it", async () => {
    await bot.net.as(moderator).channelBans.ban({ channelId: "memes", banFid: troll });
    expect(await act("ban", 60)).toMatchObject({ state: "already" });
    bot.clock.advance(61);
    expect(await expireBans(bot)).toBe(0);
    expect(await isBanned()).toBe(true);
  });

  test("that was lifted before its time is not ended again, nor is a new one with it", async () => {
    await act("ban", 60);
    await act("unban");
    await act("ban", 600);
    bot.clock.advance(61);
    expect(await expireBans(bot)).toBe(0);
    expect(await isBanned()).toBe(true);
  });

  test("ends also after an earlier permanent one that was lifted", async () => {
    await act("ban");
    await act("unban");
    await act("ban", 60);
    bot.clock.advance(61);
    expect(await expireBans(bot)).toBe(1);
    expect(await isBanned()).toBe(false);
  });

  test("ends also where others lifted an earlier permanent one unseen", async () => {
    const earlier = await act("ban");
    await bot.net.as(moderator).channelBans.unban({ channelId: "memes", unbanFid: troll });
    await act("ban", 60, "g2");
    expect(await readCase(bot, earlier.id)).toMatchObject({ state: "reverted" });
    bot.clock.advance(61);
    expect(await expireBans(bot)).toBe(1);
    expect(await isBanned()).toBe(false);
  });

  test("is not lifted over a permanent one that is asked for while it ends", async () => {
    await act("ban", 60);
    bot.clock.advance(61);
    // The moderator's ban is written after the ending was proposed, before it is applied.
    let asked: Promise<unknown> | undefined;
    const meanwhile = troubleNetwork(
      bot.network,
      "channelBans",
      "list",
      () => {
        asked ??= proposeBan();
        return undefined;
      },
      "after",
    );
    const proposeBan = () =>
      bot.database.transaction((tx) =>
        proposeCase(tx, bot.clock, {
          guildId: "g1",
          channelId: "memes",
          kind: "ban",
          targetFid: troll,
          actor: { userId: "101" },
        }),
      );
    const network = {
      ...meanwhile,
      channelBans: {
        ...meanwhile.channelBans,
        list: async (...input: Parameters<typeof bot.network.channelBans.list>) => {
          const listed = await meanwhile.channelBans.list(...input);
          await asked;
          return listed;
        },
      },
    };
    await expireBans({ ...bot, network });
    expect(await isBanned()).toBe(true);
    const ending = await bot.database.query
      .selectFrom("castellan.cases")
      .selectAll()
      .where("kind", "=", "unban")
      .executeTakeFirstOrThrow();
    expect(ending).toMatchObject({
      state: "failed",
      outcome: "banned_longer",
      outcome_detail: { caseNumber: 3 },
    });
  });

  test("is ended once by two workers at once", async () => {
    await act("ban", 60);
    bot.clock.advance(61);
    const end = () => expireBans(bot);
    await (hasServer ? meetAtLock(bot.database, "castellan.cases", [end, end]) : Promise.all([end(), end()]));
    const unbans = await bot.database.query
      .selectFrom("castellan.cases")
      .select("state")
      .where("kind", "=", "unban")
      .execute();
    expect(unbans).toEqual([{ state: "applied" }]);
  });
});

/** What a person would say: banned as long as the latest end of the bans since the last unban, for good if any is. */
interface Model {
  ends: number[];
}

const step = fc.oneof(
  fc.record({
    do: fc.constant("ban" as const),
    for: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
  }),
  fc.record({ do: fc.constant("unban" as const) }),
  fc.record({ do: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 60 }) }),
);

test("whatever is banned, unbanned and waited for: permanent beats timed, longer beats shorter", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      await reset();
      const model: Model = { ends: [] };
      for (const step of steps) {
        if (step.do === "wait") bot.clock.advance(step.seconds);
        if (step.do === "ban") {
          await act("ban", step.for);
          model.ends.push(step.for === undefined ? Infinity : bot.clock.now() + step.for * 1000);
        }
        if (step.do === "unban") {
          await act("unban");
          model.ends = [];
        }
        await expireBans(bot);
        if (model.ends.every((end) => end <= bot.clock.now())) model.ends = [];
        expect(await isBanned()).toBe(model.ends.length > 0);
      }
    }),
    { numRuns: 15 },
  );
});
