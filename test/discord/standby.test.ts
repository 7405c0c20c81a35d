import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { commands, menuCommands } from "../../commands/index.ts";
import { connectDiscord } from "../../src/discord/connect.ts";
import { createRooms } from "../../src/discord/rooms.ts";
import { AppError } from "../../src/errors.ts";
import { watchReadiness } from "../../src/start/health.ts";
import { testToken } from "../support/discord.ts";
import { collectLog } from "../support/log.ts";
import { resetBot, startBotInDiscord } from "../support/bot-in-discord.ts";

const scene = await startBotInDiscord();
const { bot, discord } = scene;
afterAll(() => scene.stop());
beforeEach(async () => {
  await resetBot(scene);
  // It says anew that it is there.
  await scene.restart();
});

/** A second process of the same installation. */
async function connectSecond(changes: { isReady?: () => boolean; sick?: boolean } = {}) {
  const logged = collectLog();
  const settings = { token: testToken, api: discord.api, onRefused: () => {} };
  const away = new AppError("database_unavailable", "The database does not respond.");
  const transaction = () => Promise.reject(away);
  const database = changes.sick ? { ...bot.database, transaction } : bot.database;
  const context = { ...bot, database, log: logged.log, rooms: createRooms(settings) };
  const { isReady } = changes;
  const connection = await connectDiscord(
    { ...context, commands, menuCommands, ...(isReady && { isReady }) },
    settings,
  );
  return { connection, errors: () => logged.lines.filter(({ level }) => Number(level) > 30), logged };
}

/** First answers that Discord took, and those that it refused as not the first. */
function countAnswers() {
  const answers = { taken: 0, refused: 0 };
  discord.context.exchanged.listen(({ path, answer }) => {
    if (path.endsWith("/callback")) answers[answer.status < 300 ? "taken" : "refused"] += 1;
  });
  return answers;
}

test("of two processes of one installation each command has one answer, and the slower says nothing of it", async () => {
  const own = collectLog();
  await scene.restart({ log: own.log });
  const second = await connectSecond();
  const answers = countAnswers();
  for (let n = 0; n < 10; n += 1) await scene.run("owner", "help");
  await vi.waitFor(() => expect(answers).toEqual({ taken: 10, refused: 10 }), { timeout: 60_000 });
  const losses = () =>
    [...own.lines, ...second.logged.lines].filter(({ msg }) => msg === "another process was first to answer");
  await vi.waitFor(() => expect(losses()).toHaveLength(10), { timeout: 60_000 });
  expect(new Set(losses().map(({ level }) => level))).toEqual(new Set([20]));
  expect([...own.lines.filter(({ level }) => Number(level) > 30), ...second.errors()]).toEqual([]);
  await second.connection.close();
  await scene.restart();
});

test("one that is not ready leaves the answer to one that is", async () => {
  const second = await connectSecond({ isReady: () => false, sick: true });
  // Discord tells the one that is not ready first.
  await scene.restart();
  const answers = countAnswers();
  for (let n = 0; n < 10; n += 1) {
    const { text } = await scene.run("owner", "status");
    expect(text).not.toContain("does not respond");
  }
  await vi.waitFor(() => expect(answers).toEqual({ taken: 10, refused: 10 }), { timeout: 60_000 });
  expect(second.errors()).toEqual([]);
  await second.connection.close();
});

test("alone, one that is not ready answers all the same", async () => {
  const second = await connectSecond({ isReady: () => false });
  await scene.disconnect();
  expect((await scene.run("owner", "help")).text).not.toBe("");
  await second.connection.close();
  await scene.restart();
});

test("a database that fails, or falls silent, makes a process not ready, until it answers again", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "performance"] });
  let answer: () => Promise<string | undefined> = async () => undefined;
  const watch = watchReadiness([() => answer()]);
  const pass = () => vi.advanceTimersByTimeAsync(1_000);
  await pass();
  expect(watch.isReady()).toBe(true);
  answer = () => Promise.reject(new Error("away"));
  await pass();
  expect(watch.isReady()).toBe(false);
  let release = () => {};
  answer = () => new Promise((resolve) => (release = () => resolve(undefined)));
  await pass();
  await pass();
  expect(watch.isReady()).toBe(false);
  answer = async () => undefined;
  release();
  await pass();
  expect(watch.isReady()).toBe(true);
  await watch.close();
  vi.useRealTimers();
});
