import { once } from "node:events";
import { Events, RESTEvents, type RateLimitData } from "discord.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commands } from "../../commands/index.ts";
import { connectDiscord, type DiscordConnection } from "../../src/discord/connect.ts";
import { answer, text, type Command } from "../../src/discord/command.ts";
import { watchClock } from "../../src/clock.ts";
import type { AppError } from "../../src/errors.ts";
import { createTestClock, silentRooms } from "../support/world.ts";
import { createChat } from "../support/bot-in-discord.ts";
import { collectLog } from "../support/log.ts";
import { startTestDiscord, type TestDiscord, testToken } from "../support/discord.ts";
import { useEmptyWorld } from "../support/test-cases.ts";

let discord: TestDiscord;
let connection: DiscordConnection | undefined;
let refused: AppError[];

const bot = await useEmptyWorld();
beforeEach(async () => {
  discord = await startTestDiscord({ acknowledgeWithin: 1000 });
  refused = [];
});
afterEach(async () => {
  await connection?.close();
  connection = undefined;
  await discord.stop();
});

async function connect(list: readonly Command[] = commands, token = testToken, log = bot.log): Promise<void> {
  const settings = {
    token,
    api: discord.api,
    onRefused: (error: AppError) => void refused.push(error),
    pauses: [10, 10],
  };
  connection = await connectDiscord({ ...bot, log, rooms: silentRooms, commands: list }, settings);
}

test("a wrong token is said to be wrong, with what to do", async () => {
  await expect(connect(commands, "not.the.token")).rejects.toMatchObject({
    code: "invalid_configuration",
    message: expect.stringContaining("DISCORD_TOKEN"),
  });
});

test("what may pass is tried again, each time with a word about it", async () => {
  const { log, lines } = collectLog();
  discord.faults.refuse("GET", "/gateway/bot", { status: 502 }, 4);
  discord.faults.refuse("PUT", "/applications/:application/commands", { status: 500 }, 4);
  await connect(commands, testToken, log);
  expect(lines.map(({ msg }) => msg).filter((msg) => /again/.test(String(msg)))).toEqual([
    "Discord cannot be reached: it answers 502; trying again in 0.01 s (2 of 3)",
    "Discord cannot be reached: it answers 500; trying again in 0.01 s (2 of 3)",
  ]);
  expect(discord.context.world.commands.get("global")).toHaveLength(commands.length);
});

test("a process that is shutting down stops retrying", async () => {
  discord.faults.refuse("GET", "/gateway/bot", { status: 502 });
  const ending = new AbortController();
  const settings = { token: testToken, api: discord.api, onRefused: () => {}, signal: ending.signal };
  const connecting = connectDiscord(
    { ...bot, rooms: silentRooms, commands },
    { ...settings, pauses: [60_000] },
  );
  setTimeout(() => ending.abort(), 200);
  await expect(connecting).rejects.toThrow(/abort/i);
});

test("the answers to many people at once wait for no limit", async () => {
  await discord.stop();
  discord = await startTestDiscord({ acknowledgeWithin: 60_000 });
  const run = async () => ({ embeds: [{ description: "Done." }] });
  await connect([
    { name: "many", handler: answer({ description: "Answers", needs: "everyone", options: {}, run }) },
  ]);
  const waits: RateLimitData[] = [];
  connection?.client.rest.on(RESTEvents.RateLimited, (wait) => void waits.push(wait));
  const chat = createChat(discord);
  const seen = await Promise.all(Array.from({ length: 120 }, () => chat.run("moderator", "many")));
  expect(new Set(seen.map(({ message }) => message.embeds[0]?.description))).toEqual(new Set(["Done."]));
  expect(waits).toEqual([]);
});

test("a token that is refused later raises one alarm", async () => {
  await connect();
  discord.rotateToken("another");
  await expect(connection?.client.application.fetch()).rejects.toThrow("401");
  await expect(connection?.client.application.fetch()).rejects.toThrow("token");
  expect(refused).toMatchObject([{ code: "invalid_configuration" }]);
});

test.each([4004, 4010, 4011, 4012, 4013, 4014])(
  "a gateway that is closed for good with %i is an alarm that names the code",
  async (code) => {
    await connect();
    discord.closeAll(code);
    await expect
      .poll(() => refused.map(({ message }) => message))
      .toEqual([
        expect.stringMatching(
          new RegExp(`(DISCORD_TOKEN|[Ss]tart|Update|developer portal).*closed with ${code}`),
        ),
      ]);
  },
);

test("a gateway that reconnects raises no alarm, and the outage is logged", async () => {
  const { log, lines } = collectLog();
  await connect(commands, testToken, log);
  const absences: unknown[] = [];
  connection?.client.once(Events.ShardReconnecting, () => {
    bot.clock.advance(30);
    absences.push(connection?.downFor());
  });
  discord.closeAll(4000);
  await expect.poll(() => lines.map(({ msg }) => msg)).toContain("the gateway is away; reconnecting");
  expect(absences).toEqual([30_000]);
  await expect.poll(() => lines.map(({ msg }) => msg)).toContain("gateway resumed");
  await expect.poll(() => connection?.downFor()).toBe(0);
  expect(refused).toEqual([]);
});

test("one server that is out of order does not keep the others waiting", async () => {
  const { connections } = discord.context.gateway;
  const add = connections.add.bind(connections);
  // Discord lists a server in READY whose GUILD_CREATE comes when its outage is over.
  connections.add = (connection) => {
    const { send } = connection;
    connection.send = (payload) => {
      if (!(payload instanceof Object && "t" in payload && payload.t === "GUILD_CREATE")) send(payload);
    };
    return add(connection);
  };
  await connect();
  // Without a limit of ours discord.js queues every command for 15 s.
  expect(connection?.client.options.waitGuildTimeout).toBe(1000);
});

test("as many shards are started as Discord asks for", async () => {
  discord.faults.add(
    "GET",
    "/gateway/bot",
    () => ({
      status: 200,
      body: {
        url: discord.origin.replace("http", "ws"),
        shards: 2,
        session_start_limit: { total: 1000, remaining: 999, reset_after: 1000, max_concurrency: 2 },
      },
    }),
    9,
  );
  await connect();
  expect([...discord.context.gateway.sessions.values()].map(({ shard }) => shard)).toEqual([
    [0, 2],
    [1, 2],
  ]);
});

test("a slow command is acknowledged in time, and a second person is not kept waiting by it", async () => {
  const held = new AbortController();
  const slow: Command = {
    name: "slow",
    description: "Takes long",
    handler: answer({
      description: "Takes long",
      needs: "everyone",
      options: { word: text({ description: "Said back" }) },
      run: async (_, { word }) => {
        if (word === undefined) await once(held.signal, "abort");
        return { content: `done ${word ?? ""}` };
      },
    }),
  };
  await connect([slow]);
  const seen: string[] = [];
  discord.context.happened.listen((event) => {
    if (event.kind === "message" && event.message.content) seen.push(event.message.content);
  });
  const first = discord.people.slash({ user: "member", room: "general", command: "slow" });
  expect((await first.outcome).kind).toBe("message");
  discord.people.slash({ user: "owner", room: "general", command: "slow", options: { word: "quick" } });
  await expect.poll(() => seen).toEqual(["done quick"]);
  held.abort();
  await expect.poll(() => seen).toEqual(["done quick", "done"]);
});

test("suggestions for one person are looked up one at a time, and what was typed over is not looked up", async () => {
  await discord.stop();
  discord = await startTestDiscord({ acknowledgeWithin: 20_000 });
  const held = new AbortController();
  const looked: string[] = [];
  const at = { once: 0, most: 0 };
  const typing: Command = {
    name: "typing",
    description: "Is typed fast",
    handler: answer({
      description: "Is typed fast",
      needs: "everyone",
      options: {
        word: text({
          description: "Which",
          async suggest(typed) {
            looked.push(typed);
            at.once += 1;
            at.most = Math.max(at.most, at.once);
            if (typed !== "other" && !held.signal.aborted) await once(held.signal, "abort");
            at.once -= 1;
            return [{ name: typed, value: typed }];
          },
        }),
      },
      run: async () => ({ content: "done" }),
    }),
  };
  await connect([typing]);
  const type = async (word: string, user = "member") =>
    discord.people.autocomplete({
      user,
      room: "general",
      command: "typing",
      options: { word },
      focused: "word",
    });
  const [first, , , last] = ["a", "ab", "abc", "abcd"].map((word) => type(word));
  await expect.poll(() => looked).toContain("a");
  expect(await type("other", "owner")).toHaveLength(1);
  expect(at.most).toBe(2);
  held.abort();
  expect(await first).toMatchObject([{ value: "a" }]);
  expect(await last).toMatchObject([{ value: "abcd" }]);
  expect(looked).toEqual(["a", "other", "abcd"]);
  expect(await type("abcde")).toHaveLength(1);
});

test("suggestions that fail are an empty list", async () => {
  const broken: Command = {
    name: "broken",
    description: "Has no suggestions",
    handler: answer({
      description: "Has no suggestions",
      needs: "everyone",
      options: { word: text({ description: "Which", suggest: () => Promise.reject(new Error("no")) }) },
      run: async () => ({ content: "done" }),
    }),
  };
  await connect([broken]);
  const typed = {
    user: "member",
    room: "general",
    command: "broken",
    options: { word: "a" },
    focused: "word",
  };
  expect(await discord.people.autocomplete(typed)).toEqual([]);
});

test("a clock that is set back keeps no call to Discord waiting until it is there again", async () => {
  const clock = createTestClock();
  const clockWatch = watchClock(clock, bot.log);
  connection = await connectDiscord(
    { ...bot, rooms: silentRooms, commands: [] },
    { token: testToken, api: discord.api, onRefused: () => {}, clockWatch },
  );
  const { rest } = connection.client;
  // What discord.js has noted by a clock that was an hour ahead when it had sent as much as it may in a second.
  rest.globalRemaining = 0;
  rest.globalReset = Date.now() + 3_600_000;
  clock.jump(-3600);
  clockWatch.look();
  await clockWatch.close();
  expect(await connection.client.application.commands.fetch()).toHaveProperty("size", 0);
});
