import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { commands } from "../../commands/index.ts";
import { openBotProcesses } from "../../src/discord/bot-processes.ts";
import { connectDiscord } from "../../src/discord/connect.ts";
import { createRooms } from "../../src/discord/rooms.ts";
import { createLog } from "../../src/log.ts";
import { findSharedToken, noteTokenSign } from "../../src/feed/shared-token.ts";
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
});

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

test("another process that answers is told of in the log, in /status and where a monitor asks, until it is over", async () => {
  const health = createHealth();
  health.add("Discord's bot", checkToken(bot), "readiness");
  await noteTokenSign({ ...bot, log }, "1");
  await noteTokenSign({ ...bot, log }, "1");
  expect(await findSharedToken(bot)).toBeUndefined();
  await noteTokenSign({ ...bot, log }, "2");
  expect(await health.findTrouble(true)).toEqual([
    expect.stringMatching(
      /^Discord's bot is also used by another process: .+ answers commands .+ just now\)/,
    ),
  ]);
  expect(await health.findTrouble(false)).toEqual([]);
  await noteTokenSign({ ...bot, log }, "3");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("Discord's bot is also used by another process");
  expect((await scene.run("owner", "status")).text).toContain("It is also used by another process");

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
