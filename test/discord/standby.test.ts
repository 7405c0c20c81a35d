import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { commands, menuCommands } from "../../commands/index.ts";
import { openBotProcesses, type BotProcesses } from "../../src/discord/bot-processes.ts";
import { connectDiscord, type DiscordConnection } from "../../src/discord/connect.ts";
import { createRooms } from "../../src/discord/rooms.ts";
import { AppError } from "../../src/errors.ts";
import { checkBotProcesses } from "../../src/start/doctor/check-bot-processes.ts";
import { createReadiness } from "../../src/start/health.ts";
import { testToken } from "../support/discord.ts";
import { collectLog } from "../support/log.ts";
import { resetBot, startBotInDiscord } from "../support/bot-in-discord.ts";

const scene = await startBotInDiscord();
const { bot, discord } = scene;
afterAll(() => scene.stop());
beforeEach(async () => {
  await scene.disconnect();
  await resetBot(scene);
});

const opened: BotProcesses[] = [];
const connections: DiscordConnection[] = [];
afterEach(async () => {
  await Promise.all(connections.splice(0).map((connection) => connection.close()));
  await scene.disconnect();
  await Promise.all(opened.splice(0).map((processes) => processes.leave()));
});

async function open(shardCount?: number): Promise<BotProcesses> {
  const processes = await openBotProcesses(bot);
  opened.push(processes);
  if (shardCount !== undefined) await processes.join(shardCount);
  return processes;
}

/** The first process of the installation, whose turn it is. */
async function connectFirst(changes: { isReady?: () => Promise<boolean>; sick?: boolean } = {}) {
  const logged = collectLog();
  const away = new AppError("database_unavailable", "The database does not answer.");
  const transaction = () => Promise.reject(away);
  const { isReady, sick } = changes;
  await scene.restart({
    processes: await openBotProcesses(bot),
    log: logged.log,
    ...(isReady && { isReady }),
    ...(sick && { database: { ...bot.database, transaction } }),
  });
  return logged;
}

/** Another process of the same installation. */
async function connectSecond({ isReady, list = commands }: SecondOptions = {}) {
  const logged = collectLog();
  const settings = { token: testToken, api: discord.api, onRefused: () => {} };
  const processes = await openBotProcesses(bot);
  const context = { ...bot, log: logged.log, rooms: createRooms(settings), processes };
  const connection = await connectDiscord(
    { ...context, commands: list, menuCommands, ...(isReady && { isReady }) },
    settings,
  );
  connections.push(connection);
  return { connection, processes, logged };
}
interface SecondOptions {
  isReady?: () => Promise<boolean>;
  list?: typeof commands;
}

/** First answers that Discord took, and those that it refused as not the first. */
function countAnswers() {
  const answers = { taken: 0, refused: 0 };
  discord.exchanged.listen(({ path, answer }) => {
    if (path.endsWith("/callback")) answers[answer.status < 300 ? "taken" : "refused"] += 1;
  });
  return answers;
}

type Logged = ReturnType<typeof collectLog>;
const losses = ({ lines }: Logged) =>
  lines.filter(({ msg }) => msg === "another process was first to answer").map(({ level }) => level);
const errors = ({ lines }: Logged) => lines.filter(({ level }) => Number(level) > 30);
const patiently = { timeout: 60_000 };

test("of two processes the older answers, and the standby is too late and says nothing of it", async () => {
  const first = await connectFirst();
  const second = await connectSecond();
  expect(second.processes.shards()).toEqual([]);
  const answers = countAnswers();
  for (let n = 0; n < 5; n += 1) await scene.run("owner", "help");
  await vi.waitFor(() => expect(answers).toEqual({ taken: 5, refused: 5 }), patiently);
  const lost = () => [losses(first), losses(second.logged)];
  await vi.waitFor(() => expect(lost().flat()).toEqual([20, 20, 20, 20, 20]), patiently);
  // Half a second is a long time, but on a machine that does other things not always long enough.
  expect(losses(second.logged).length).toBeGreaterThan(losses(first).length);
  expect([...errors(first), ...errors(second.logged)]).toEqual([]);
  expect((await scene.run("owner", "status")).text).toMatch(
    /Process `[0-9a-f]{8}` answers this server \(shard 0\); another can take over\./,
  );
});

test("one that is not ready leaves the answer to one that is, though it is its turn", async () => {
  const first = await connectFirst({ isReady: async () => false, sick: true });
  const second = await connectSecond();
  const answers = countAnswers();
  for (let n = 0; n < 3; n += 1) {
    const { text } = await scene.run("owner", "status");
    expect(text).not.toContain("does not respond");
  }
  await vi.waitFor(() => expect(answers).toEqual({ taken: 3, refused: 3 }), patiently);
  expect(losses(second.logged)).toEqual([]);
  await vi.waitFor(() => expect(losses(first)).toEqual([20, 20, 20]), patiently);
});

test("alone, one that is not ready answers all the same", async () => {
  await connectSecond({ isReady: async () => false });
  expect((await scene.run("owner", "help")).text).not.toBe("");
});

test("the standby answers when the other has ended, and what the other had begun is answered, too", async () => {
  await connectFirst();
  const second = await connectSecond();
  const asked = scene.run("owner", "help");
  await scene.disconnect();
  expect((await asked).text).not.toBe("");
  await vi.waitFor(() => expect(second.processes.shards()).toEqual([0]), patiently);
  expect((await scene.run("owner", "help")).text).not.toBe("");
  expect((await scene.run("owner", "status")).text).not.toContain("can take over");
});

test("the share of a process that died falls to others once its lease is over", async () => {
  await bot.database.query
    .insertInto("castellan.gateways")
    .values({
      process: "killed",
      shard_count: 1,
      seen_at_ms: Date.now(),
      leased_until_ms: Date.now() + 15_000,
    })
    .execute();
  const other = await open(1);
  expect((await checkBotProcesses(bot.database)).message).toMatch(/ answers shard 0; \S+:\d+ stands by$/);
  expect(other.hasCompany()).toBe(true);
  expect(other.shards()).toEqual([]);
  await vi.waitFor(() => expect(other.shards()).toEqual([0]), patiently);
});

test("a process that does not hear Discord leaves its share to others until it does", async () => {
  let hears = true;
  const one = await open();
  await one.join(1, () => hears);
  const two = await open(1);
  expect([one.shards(), two.shards()]).toEqual([[0], []]);
  hears = false;
  await vi.waitFor(() => expect([one.shards(), two.shards()]).toEqual([[], [0]]), patiently);
  hears = true;
  await vi.waitFor(() => expect([one.shards(), two.shards()]).toEqual([[0], []]), patiently);
});

test("shards are dealt out evenly, to the oldest first; a newcomer takes its share, and who ends leaves its own", async () => {
  const one = await open(5);
  expect(one.shards()).toEqual([0, 1, 2, 3, 4]);
  const two = await open(5);
  const three = await open(5);
  const renew = () => Promise.all([one, two, three].map((each) => each.join(5)));
  await renew();
  await renew();
  expect([one, two, three].map((each) => each.shards())).toEqual([[0, 3], [1, 4], [2]]);
  // Discord deals servers out by the time of their id.
  const server = (2n << 22n).toString();
  expect([one, two, three].map((each) => each.answers(server))).toEqual([false, false, true]);
  const firsts: string[] = [];
  two.onFirst(() => firsts.push("two"));
  three.onFirst(() => firsts.push("three"));
  await one.leave();
  await Promise.all([two.join(5), three.join(5)]);
  expect([two, three].map((each) => each.shards())).toEqual([
    [0, 2, 4],
    [1, 3],
  ]);
  expect(firsts).toEqual(["two"]);
  expect(await checkBotProcesses(bot.database)).toMatchObject({
    state: "ok",
    message: expect.stringMatching(/^\S+:\d+ answers shards 0, 2, 4; \S+:\d+ answers shards 1, 3$/),
  });
});

test("processes take turns to identify, five seconds apart in each bucket", async () => {
  const [one, two] = [await open(), await open()];
  const nextTurns = async () => {
    const turns = bot.database.query.selectFrom("castellan.identify_turns").selectAll();
    return new Map((await turns.execute()).map(({ bucket, next_at_ms }) => [bucket, next_at_ms]));
  };
  expect(await one.takeTurn(0)).toBe(0);
  const first = (await nextTurns()).get(0) ?? 0;
  await two.takeTurn(0);
  const second = (await nextTurns()).get(0) ?? 0;
  expect(second - first).toBeGreaterThanOrEqual(5_000);
  expect(await two.takeTurn(3)).toBe(0);
  expect((await nextTurns()).get(0)).toBe(second);
});

test("of two versions the one whose turn it is tells Discord its commands, also when the other compares", async () => {
  const names = () => (discord.context.world.commands.get("global") ?? []).map(({ name }) => name);
  await connectFirst();
  const before = names();
  const second = await connectSecond({ list: commands.slice(0, -1) });
  expect(names()).toEqual(before);
  await scene.disconnect();
  await vi.waitFor(() => expect(names()).toHaveLength(before.length - 1), patiently);
  expect(errors(second.logged)).toEqual([]);
});

test("a database that fails, or falls silent, makes a process not ready, until it answers again", async () => {
  let asked = 0;
  let answer: () => Promise<string | undefined> = async () => undefined;
  const isReady = createReadiness(() => {
    asked += 1;
    return answer();
  });
  expect(await isReady()).toBe(true);
  answer = () => Promise.reject(new Error("away"));
  expect(await isReady()).toBe(false);
  answer = async () => "takes no changes";
  expect(await isReady()).toBe(false);
  let release = () => {};
  answer = () => new Promise((resolve) => (release = () => resolve(undefined)));
  expect(await Promise.all([isReady(), isReady()])).toEqual([false, false]);
  expect(asked).toBe(4);
  answer = async () => undefined;
  release();
  await vi.waitFor(async () => expect(await isReady()).toBe(true), patiently);
});
