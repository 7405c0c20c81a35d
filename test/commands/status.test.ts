import { describe, expect, test } from "vitest";
import type { ClockStatus } from "../../src/bot-context.ts";
import { createCallBudget } from "../../src/observe/live/call-budget.ts";
import type { LiveReading } from "../../src/observe/live/call-budget.ts";
import { witnessesOf } from "../live/witnesses.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();

async function statusWith(status: ClockStatus): Promise<string> {
  await scene.restart({ clockStatus: () => status });
  return (await scene.run("owner", "status")).text;
}

describe("/status names a clock", () => {
  test.each([
    [8_000, "8 s ahead of"],
    [-30_000, "30 s behind"],
    [7_200_000, "2 h ahead of"],
    [-86_400_000 * 3, "3 days behind"],
  ])("that is %i ms from the network's", async (machineAhead, words) => {
    const text = await statusWith({ machineAhead, jump: undefined });
    expect(text).toContain(`machine is **${words}** the network's`);
  });

  test.each([
    [-3_600_000, "back by 60 min, <t:1700000000:R>"],
    [86_400_000, "forward by 24 h, <t:1700000000:R>"],
  ])("that jumped by %i ms", async (by, words) => {
    const text = await statusWith({ machineAhead: 0, jump: { at: 1_700_000_000_000, by } });
    expect(text.replaceAll("**", "")).toContain(`jumped ${words}`);
  });

  test("not while it is right, to a few seconds", async () => {
    for (const machineAhead of [0, 4_000, -4_000]) {
      expect(await statusWith({ machineAhead, jump: undefined })).not.toContain("machine");
    }
  });
});

test("/status and /help link to the console where there is one", async () => {
  const link = /\[open the console\]\(https:\/\/desk\.example\/console\/\d+\/queue\)/;
  const { settings } = scene.bot;
  const read = async (command: string) => (await scene.run("moderator", command)).text;
  for (const command of ["status", "help"]) expect(await read(command)).not.toContain("open the console");
  await scene.restart({ settings: { ...settings, consoleUrl: "https://desk.example/console" } });
  for (const command of ["status", "help"]) expect(await read(command)).toMatch(link);
  await scene.restart({ settings });
});

test.each([
  ["SendMessages", "**paused** ", "**Castellan lacks Send Messages**"],
  ["EmbedLinks", "**paused** ", "**Castellan lacks Embed Links**"],
  ["ReadMessageHistory", "0 waiting, 0 refused, ", "**Castellan lacks Read Message History**"],
] as const)(
  "/status says of a room of a feed that Castellan lacks %s there",
  async (denied, state, words) => {
    const { discord } = scene;
    await scene.run("owner", "feed add", {}, "feed");
    const line = async () =>
      (await scene.run("owner", "status")).text
        .split("\n")
        .find((one) => one.startsWith(`<#${discord.rooms.feed}>`));
    expect(await line()).toContain("0 waiting, 0 refused");
    discord.denyBot(discord.rooms.feed, [denied]);
    await expect.poll(line).toContain(state);
    expect(await line()).toContain(words);
    discord.denyBot(discord.rooms.feed, []);
    await expect.poll(line).toContain("0 waiting, 0 refused");
    expect(await line()).not.toContain("lacks");
  },
);

describe("/status begins with", () => {
  async function first(): Promise<string> {
    return (await scene.run("owner", "status")).message.embeds[0]?.description ?? "";
  }

  test("all is well, if nothing needs attention", async () => {
    await scene.bot.database.query.deleteFrom("castellan.sources").execute();
    expect(await first()).toBe("✅ All is well. Nothing needs your attention.");
  });

  test("events that may be missing, and a case that is not settled for long", async () => {
    const { query } = scene.bot.database;
    await query.deleteFrom("castellan.sources").execute();
    const gap = { source: "hub/1", from_at: 1, until_at: 2, found_at_ms: scene.bot.clock.now() };
    await query.insertInto("castellan.gaps").values(gap).execute();
    expect(await first()).toContain("⚠️ Needs attention: Watching · **Events may be missing**");
    await query.deleteFrom("castellan.gaps").execute();
    const { guildId } = scene.discord;
    const proposal = {
      guildId,
      channelId: "memes",
      kind: "ban" as const,
      targetFid: 7,
      actor: { userId: "5" },
    };
    await scene.bot.database.transaction((tx) => proposeCase(tx, scene.bot.clock, proposal));
    expect(await first()).toContain("All is well");
    scene.bot.clock.advance(660);
    expect(await first()).toContain("⚠️ Needs attention: Cases · **1 not settled**, the oldest from <t:");
  });

  test("what needs attention, and what to do", async () => {
    const { query } = scene.bot.database;
    await query.deleteFrom("castellan.sources").execute();
    await query
      .updateTable("castellan.links")
      .set({ suspended_at_ms: 1, suspended_reason: "Left." })
      .execute();
    expect(await first()).toMatch(
      /^⚠️ Needs attention: Channels · \/memes: \*\*suspended <t:0:R>\*\*: Left\. [^\n]* renews it/,
    );
    const succeeded_at_ms = scene.bot.clock.now() + 3_600_000;
    await query
      .insertInto("castellan.sources")
      .values({ source: "hub", channel_id: null, succeeded_at_ms })
      .execute();
    expect(await first()).toMatch(
      /^⚠️ 2 things need attention:\n- Channels · \/memes: [^\n]*\n- Watching · Casts and names: \*\*last read in the future/,
    );
  });
});

test("/status does not call up to date what was read in a future", async () => {
  const succeeded_at_ms = scene.bot.clock.now() + 3_600_000;
  await scene.bot.database.query
    .insertInto("castellan.sources")
    .values({ source: "hub", channel_id: null, succeeded_at_ms })
    .execute();
  const { text } = await scene.run("owner", "status");
  expect(text).toContain("Casts and names: **last read in the future**");
});

describe("/status tells of a network that is elsewhere", () => {
  const limits = { usual: { burst: 18, hour: 450 }, routes: new Map() };
  async function statusOfCalls(prepare: (live: LiveReading) => Promise<unknown>): Promise<string> {
    const { database, clock } = scene.bot;
    const budget = createCallBudget({ database, clock, limits });
    const background = () => {
      throw new Error("a command reads nothing in the background");
    };
    const live: LiveReading = { background, budget, witnesses: witnessesOf() };
    await prepare(live);
    await scene.restart({ live });
    return (await scene.run("owner", "status")).text;
  }

  test("what the calls of the last hour were for, and how late news may be", async () => {
    const text = await statusOfCalls(async ({ budget }) => {
      for (let count = 0; count < 3; count += 1) await budget.take("/fc/channel-bans", "changes", undefined);
      await budget.take("/fc/channel-bans", undefined, undefined);
      await budget.take("/v1/channel", "channels", undefined);
    });
    expect(text).toContain("/fc/channel-bans 4 of 450 · /v1/channel 1 of 450");
    expect(text).toContain("For: news of all channels 3 · people 1 · channels by turns 1");
    expect(text).toContain(
      "The network does not offer channel events. Bans, invites and hidden casts show within 17 s",
    );
  });

  test("that the events of all channels are read, how old each mirror is, and what is late", async () => {
    const now = scene.bot.clock.now();
    const text = await statusOfCalls(async () => {
      const { query } = scene.bot.database;
      await query.deleteFrom("castellan.sources").execute();
      const watched = { channel_id: "memes", url: "u", since_ms: now };
      await query
        .insertInto("castellan.watched_channels")
        .values(watched)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const source = { channel_id: null, has_baseline: true, all_listings_at_ms: null };
      await query
        .insertInto("castellan.sources")
        .values([
          { ...source, source: "channel-events", succeeded_at_ms: now - 3_000 },
          {
            source: "listings/memes",
            channel_id: "memes",
            succeeded_at_ms: now - 20_000,
            all_listings_at_ms: now - 700_000,
          },
          { source: "records/memes", channel_id: "memes", succeeded_at_ms: now - 900_000 },
        ])
        .execute();
    });
    expect(text).toContain("channel-events: read 3 s ago");
    expect(text).toContain("/memes, members, bans and invites: read 20 s ago, whole 12 min ago");
    expect(text).toContain("/memes, hidden casts: **silent for 900 s**");
    expect(text).toContain("One call reads news of all channels within");
  });

  test("that another bot account is due, from as many channels on as one cannot read within six hours", async () => {
    const statusOf = (channels: number) =>
      statusOfCalls(async () => {
        const rows = Array.from({ length: channels }, (_, index) => ({
          channel_id: index === 0 ? "memes" : `channel-${index}`,
          url: `u${index}`,
          since_ms: scene.bot.clock.now() - 7_200_000,
        }));
        const { query } = scene.bot.database;
        await query.deleteFrom("castellan.watched_channels").execute();
        await query.insertInto("castellan.watched_channels").values(rows).execute();
      });
    expect(await statusOf(100)).not.toContain("Another bot account");
    expect(await statusOf(300)).toContain(
      "Another bot account is due: this one reads each of its 300 channels in full only every 14 h",
    );
  });

  test("which services are left alone, and which calls the network wants no more of", async () => {
    const now = scene.bot.clock.now();
    const text = await statusOfCalls(async ({ budget }) => {
      await budget.noteRefusal("/fc/channel-bans", 600);
      await scene.bot.database.query
        .insertInto("castellan.upstream_backoffs")
        .values([
          { upstream: "client", since_ms: now - 60_000, announced_at_ms: now, reason: "No answer." },
          {
            upstream: "registry",
            since_ms: now - 9e6,
            announced_at_ms: now - 9e6,
            reason: "Of a former process.",
          },
        ])
        .execute();
    });
    expect(text).toContain("**The client API is paused**, because it has failed repeatedly since");
    expect(text).toContain("No answer");
    expect(text).not.toContain("The name registry");
    expect(text).toContain("**/fc/channel-bans is paused**. The network accepts calls again");
  });
});
