import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { commands } from "../../commands/index.ts";
import { openBotProcesses } from "../../src/discord/bot-processes.ts";
import { connectDiscord } from "../../src/discord/connect.ts";
import { createRooms } from "../../src/discord/rooms.ts";
import { createLog } from "../../src/log.ts";
import { deliverAll } from "../support/jobs.ts";
import { addFeed } from "../../src/feed/feeds.ts";
import { findForeignMessages, findSharedToken } from "../../src/feed/shared-token.ts";
import { checkToken, createHealth } from "../../src/start/health.ts";
import { createWorld, type World } from "../support/world.ts";
import { resetBot, startBotInDiscord } from "../support/bot-in-discord.ts";
import { testToken } from "../support/discord.ts";

const scene = await startBotInDiscord();
const { bot, discord } = scene;
/** The other Castellan: the same token, a database of its own. */
const other = await createWorld();
const settings = { token: testToken, api: discord.api, onRefused: () => {} };
afterAll(async () => {
  await other.database.close();
  await scene.stop();
});

let lines: string[] = [];
const log = createLog("error", {}, { write: (line: string) => void lines.push(line) });
const both = [bot, other];
beforeEach(async () => {
  lines = [];
  await resetBot(scene);
  await other.database.truncate();
  discord.context.world.messages.get(discord.rooms.feed)?.splice(0);
  for (const { database } of both) {
    const links = await bot.database.query.selectFrom("castellan.links").selectAll().execute();
    if (database === other.database)
      await database.query.insertInto("castellan.links").values(links).execute();
  }
  for (const one of both) {
    const all = { channelIds: null, namePattern: null, peopleOnly: false, createdBy: "1" };
    await addFeed(one, { ...all, guildId: discord.guildId, roomId: discord.rooms.feed, kinds: ["bans"] });
  }
});

let made = 0;
/** What both see on the network. */
async function happen(...seenBy: World[]): Promise<void> {
  made += 1;
  const event = { sourceKey: `ban:${made}`, kind: "user.banned" as const, channelId: "memes", subjectFid: 7 };
  for (const one of seenBy) {
    const seen = { occurredAt: 1, observedAt: one.clock.now(), depth: 0, caseId: null, data: { at: 0 } };
    await one.happen({ ...event, ...seen });
  }
}
/** One process: what it posts with is where it remembers what it has seen. */
function startProcess(of: World) {
  const context = { ...of, log };
  const rooms = createRooms(settings);
  return {
    deliver: () => deliverAll(context, rooms),
    look: () => findForeignMessages(context, rooms, AbortSignal.timeout(60_000)),
  };
}
const told = () => discord.context.world.messages.get(discord.rooms.feed)?.length ?? 0;
const connectOther = (to: World, rooms = createRooms(settings)) =>
  connectDiscord({ ...to, log, rooms, commands }, settings);
const processesOf = (of: World) => openBotProcesses({ ...of, log });
/** How many answers Discord has refused as not the first, from now on. */
function countTaken(): () => number {
  let taken = 0;
  discord.exchanged.listen(({ path, answer }) => {
    if (path.endsWith("/callback") && answer.status === 400) taken += 1;
  });
  return () => taken;
}
const signs = async () => (await Promise.all(both.map(({ database }) => readSigns(database.query)))).flat();
function readSigns(query: World["database"]["query"]) {
  return query.selectFrom("castellan.token_uses").selectAll().execute();
}

test("two Castellans tell each event twice: each notices, says it in the log, in /status and where a monitor asks; and stops when it is over", async () => {
  const [mine, theirs] = [startProcess(bot), startProcess(other)];
  const health = createHealth();
  health.add("Discord's bot", checkToken(bot), "readiness");
  await happen(...both);
  await mine.deliver();
  await mine.look();
  expect(await findSharedToken(bot)).toBeUndefined();
  await theirs.deliver();
  expect(told()).toBe(2);
  await mine.look();
  expect(await findSharedToken(bot)).toMatchObject({ messages: 1, answers: 0 });
  expect(await health.findTrouble(true)).toEqual([
    expect.stringMatching(/^Discord's bot is also used by another process: .+, posts in rooms .+ just now\)/),
  ]);
  expect(await health.findTrouble(false)).toEqual([]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("Discord's bot is also used by another process");
  expect((await scene.run("owner", "status")).text).toContain("It is also used by another process");
  await happen(other);
  await theirs.deliver();
  await mine.look();
  expect(lines).toHaveLength(1);

  bot.clock.advance(16 * 60);
  expect(await findSharedToken(bot)).toBeUndefined();
  expect(await health.findTrouble(true)).toEqual([]);
  expect((await scene.run("owner", "status")).text).not.toContain("another process");
});

test("two Castellans answer commands: of three, one of them has lost two, and says so; one loss alone is no proof", async () => {
  const connection = await connectOther(other);
  const taken = countTaken();
  for (let n = 0; n < 3; n += 1) await scene.run("owner", "help");
  await vi.waitFor(async () => expect(await signs()).toHaveLength(3), { timeout: 60_000 });
  expect(taken()).toBe(3);
  const found = await Promise.all(both.map(findSharedToken));
  for (const [index, { database }] of both.entries()) {
    const lost = (await readSigns(database.query)).length;
    expect(found[index]?.answers).toBe(lost < 2 ? undefined : lost);
  }
  expect(found.some(Boolean)).toBe(true);
  await connection.close();
});

test("an old and a new process of one installation that answer at once are no strangers to each other", async () => {
  await scene.restart({ processes: await processesOf(bot) });
  const connection = await connectDiscord(
    { ...bot, log, rooms: createRooms(settings), commands, processes: await processesOf(bot) },
    settings,
  );
  const taken = countTaken();
  for (let n = 0; n < 3; n += 1) await scene.run("owner", "help");
  await vi.waitFor(() => expect(taken()).toBe(3), { timeout: 60_000 });
  await connection.close();
  await scene.run("owner", "help");
  expect(await signs()).toEqual([]);
});

test("an answer that was sent again, and an event that came twice, prove nothing", async () => {
  const taken = countTaken();
  for (let n = 0; n < 3; n += 1) {
    // It takes the answer and says that it could not: discord.js sends it again.
    discord.faults.add("POST", "/interactions/:id/:token/callback", ({ path }) => {
      const [, , id = "", token = ""] = path.split("/");
      discord.context.interactions.claim(id, token).acknowledged = true;
      return { status: 502 };
    });
    discord.people.slash({ user: "owner", room: "general", command: "help", options: {} });
    await vi.waitFor(() => expect(taken()).toBe(n + 1), 60_000);
  }
  const { gateway } = discord.context;
  const once = gateway.dispatch;
  gateway.dispatch = (...event) => (once(...event), once(...event));
  for (let n = 0; n < 3; n += 1) await scene.run("owner", "help");
  gateway.dispatch = once;
  await vi.waitFor(() => expect(taken()).toBe(6), 60_000);
  await scene.restart();
  expect(await signs()).toEqual([]);
});

test("what we posted is ours: on its way, after a crash, by another process, and of a database from a backup", async () => {
  const [mine, peer] = [startProcess(bot), startProcess(bot)];
  await happen(bot);
  await mine.deliver();
  await mine.look();
  await peer.look();
  discord.faults.refuse("POST", "/channels/:room/messages", "lose", 10);
  await happen(bot);
  await mine.deliver();
  expect(told()).toBe(2);
  await mine.look();
  await peer.look();
  discord.faults.clear();
  bot.clock.advance(120);
  await peer.deliver();
  await mine.look();
  await peer.look();
  expect(told()).toBe(2);

  await happen(bot);
  await peer.deliver();
  await bot.database.query.deleteFrom("castellan.feed_rows").execute();
  await bot.database.query.deleteFrom("castellan.feed_messages").execute();
  const restored = startProcess(bot);
  await restored.look();
  await happen(bot);
  await restored.deliver();
  await restored.look();
  expect(await signs()).toEqual([]);
});
