import { describe, expect, test } from "vitest";
import type { Network } from "../../../src/contract/index.ts";
import { AppError } from "../../../src/errors.ts";
import { applyCase, applyOpenCases } from "../../../src/moderation/cases/apply.ts";
import { readCase } from "../../../src/moderation/cases/case.ts";
import { expireBans, expireBansOf, hasBansToEnd } from "../../../src/moderation/cases/expire.ts";
import { proposeCase } from "../../../src/moderation/cases/propose.ts";
import { useWorld } from "../../support/test-cases.ts";
import { people, seedChannel } from "../../support/world.ts";

const { troll } = people;

const bot = await useWorld();

describe("expired bans that cannot be lifted", () => {
  const refused = new AppError("network_refused", "not a moderator");
  const failing = (error: Error, channelId = "memes"): Network => ({
    ...bot.network,
    channelBans: {
      ...bot.network.channelBans,
      unban: async (input, options) => {
        if (input.channelId === channelId) throw error;
        return bot.network.channelBans.unban(input, options);
      },
    },
  });
  const readUnbans = () =>
    bot.database.query
      .selectFrom("castellan.cases")
      .selectAll()
      .where("kind", "=", "unban")
      .orderBy("id")
      .execute();

  async function ban(targetFid: number, channelId = "memes"): Promise<number> {
    const proposal = { guildId: "g1", channelId, kind: "ban" as const, targetFid, forSeconds: 60 };
    const { id } = await bot.database.transaction((tx) =>
      proposeCase(tx, bot.clock, { ...proposal, actor: { userId: "100" } }),
    );
    await applyCase(bot, id);
    return id;
  }

  async function banMany(count: number): Promise<void> {
    for (let fid = 1000; fid < 1000 + count; fid += 1) {
      await bot.net.seed.account(fid);
      await ban(fid);
    }
  }

  test("do not keep those of another channel from being lifted", async () => {
    await seedChannel(bot, "zebras", "g1");
    await banMany(100);
    bot.clock.advance(1);
    const id = await ban(troll, "zebras");
    bot.clock.advance(61);
    const context = { ...bot, network: failing(refused) };
    await expireBans(context);
    bot.clock.advance(5);
    await expireBans(context);
    expect(await readCase(bot, id)).toMatchObject({ state: "reverted", hasExpired: true });
  });

  test("are tried less and less often", async () => {
    await ban(troll);
    bot.clock.advance(61);
    const context = { ...bot, network: failing(refused) };
    for (let quarter = 0; quarter < 4 * 24; quarter += 1) {
      await expireBans(context);
      bot.clock.advance(15 * 60);
    }
    const minutes = (await readUnbans()).map(({ settled_at_ms: at }) => Number(at) / 60_000);
    expect(minutes.slice(1).map((at, index) => at - (minutes[index] ?? 0))).toEqual([
      15, 30, 60, 120, 240, 480,
    ]);
    expect(await hasBansToEnd(bot)).toBe(false);
    bot.clock.advance(24 * 3600);
    expect(await expireBans(bot)).toBe(1);
    expect((await readUnbans()).at(-1)).toMatchObject({ state: "applied" });
  });

  test("wait while the bot is known not to moderate the channel", async () => {
    await ban(troll);
    bot.clock.advance(61);
    const setRole = (lostAtMs: number | null) =>
      bot.database.query.updateTable("castellan.links").set({ bot_role_lost_at_ms: lostAtMs }).execute();
    await setRole(bot.clock.now());
    expect(await expireBans({ ...bot, network: failing(refused) })).toBe(0);
    expect(await readUnbans()).toEqual([]);
    await setRole(null);
    expect(await expireBans(bot)).toBe(1);
  });

  test("wait for a limit as background work, and continue without another case", async () => {
    await banMany(3);
    bot.clock.advance(61);
    const limited = new AppError("rate_limited", "too many calls", { status: 429, retryAfter: 10 });
    let network = failing(limited);
    const purposes: string[] = [];
    const background = (purpose: string) => {
      purposes.push(purpose);
      return network;
    };
    const live = { background } as unknown as NonNullable<typeof bot.live>;
    const asPerson = async () => {
      throw new Error("a call as a person's");
    };
    const channelBans = { ...bot.network.channelBans, list: asPerson, unban: asPerson };
    const context = { ...bot, network: { ...bot.network, channelBans }, live };
    await expireBans(context);
    expect(new Set(purposes)).toEqual(new Set(["acts"]));
    const waiting = await readUnbans();
    expect(waiting.map(({ state }) => state)).toEqual(["requested", "requested", "requested"]);
    expect(waiting.filter(({ waiting_reason: why }) => why === "limit")).toHaveLength(1);
    await expireBans(context);
    bot.clock.advance(11);
    network = bot.network;
    await applyOpenCases(context, "memes");
    expect((await readUnbans()).map(({ state }) => state)).toEqual(["applied", "applied", "applied"]);
  });

  test("are lifted at once for a person who waits, even if the background's limit is reached", async () => {
    const id = await ban(troll);
    bot.clock.advance(61);
    const limited = new AppError("rate_limited", "too many calls", { status: 429, retryAfter: 10 });
    const live = { background: () => failing(limited) } as unknown as NonNullable<typeof bot.live>;
    const { target } = await readCase(bot, id);
    expect(await expireBansOf({ ...bot, live }, target)).toMatchObject({ state: "applied" });
  });
});
