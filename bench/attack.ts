import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectDirectory } from "../src/database/connect.ts";
import { giveCapabilities } from "../src/moderation/capabilities.ts";
import { systemClock } from "../src/clock.ts";
import { authorizePath } from "../src/sandbox/discord/oauth/grants.ts";
import { startLiveProcess } from "../test/live/live-process.ts";
import { createChat } from "../test/support/bot-in-discord.ts";
import { clientSecret, withSignIn } from "../test/support/console.ts";
import { startTestDiscord, testWorld } from "../test/support/discord.ts";
import { makeFilledDirectory, runProgram } from "../test/support/program.ts";
import { findPort } from "../test/support/services.ts";
import { secretOf } from "../test/support/signing.ts";
import { linkGuild } from "../test/support/world.ts";
import { judge, percentile, write } from "./figures.ts";

/**
 * People without rights act against those who moderate, as in a reported attack: the live network as a separate process
 * with its usual limits, a bot in 51 linked servers with a console, and the local Discord.
 *
 * 1. A member sends 22 `/appeal` within two seconds and 30 requests to the console, while a moderator bans.
 * 2. A member requests their own rights from the console 58 times, while somebody types `/help`.
 */
const servers = 51;
const goals = { moderatorMs: 2000, helpMs: 300 };
const botFid = 9001;
const owner = 1;
const [appeals, requests, bans, asksOfMe, helps] = [22, 30, 15, 58, 60];
/** Milliseconds between a hurried moderator's bans; requests beyond a server's rate wait anyway. */
const banEvery = 2000;
/** Milliseconds: at the start it reads each channel, which is not part of the attack. */
const startMs = 60_000;
const token = "the.token.of.a.bot.under.attack";

const port = await findPort();
const origin = `http://127.0.0.1:${port}`;
const [guild] = testWorld.guilds;
if (!guild) throw new Error("the test world has a server");
const guilds = Array.from({ length: servers }, (_, index) =>
  index === 0 ? guild : { ...guild, name: `Server ${index}`, rooms: [{ name: `lobby-${index}` }] },
);
const [live, discord, storage] = await Promise.all([
  startLiveProcess(),
  startTestDiscord({ ...withSignIn, ...testWorld, guilds, token }),
  makeFilledDirectory(),
]);
const { controls } = live;
discord.context.grants.redirectUris.add(`${origin}/console/callback`);
const guildIds = [...discord.context.world.guilds.keys()];
const [guildId = ""] = guildIds;
const roleId = discord.context.world.guilds.get(guildId)?.roles.find(({ name }) => name === "Moderator")?.id;

await controls.addPerson(botFid, { name: "castellan" });
await controls.addPerson(owner, { name: "olga" });
for (let index = 0; index < servers; index += 1) {
  await controls.addChannel({ id: `channel-${index}`, name: `Channel ${index}`, owner });
}
for (let fid = 5000; fid < 5000 + bans; fid += 1) await controls.addPerson(fid, { name: `troll-${fid}` });
await seedLinks();
await inviteBot();

const bot = runProgram(["start"], {
  NETWORK: "live",
  BOT_FID: String(botFid),
  BOT_APP_KEY: secretOf(botFid).toString("hex"),
  CLIENT_API_URL: live.urls.client,
  REGISTRY_URL: live.urls.registry,
  HUB_URL: live.urls.hub,
  DISCORD_TOKEN: token,
  DISCORD_API: discord.api,
  DISCORD_CLIENT_SECRET: clientSecret,
  CONSOLE_URL: origin,
  CONSOLE_PORT: String(port),
  DATA_DIR: storage.directory,
});
const chat = createChat(discord);
let met = true;

/** Each server's own channel, and a role with all capabilities in the first. */
async function seedLinks(): Promise<void> {
  const database = await connectDirectory(join(storage.directory, "database"));
  for (const [index, id] of guildIds.entries()) {
    await linkGuild({ database, clock: systemClock }, `channel-${index}`, id);
  }
  await database.transaction((tx) =>
    giveCapabilities(tx, {
      guildId,
      channelId: "channel-0",
      roleId: roleId ?? "",
      capabilities: ["view", "ban"],
    }),
  );
  await database.close();
}

/** Makes Castellan a moderator of the first channel, as its owner would. */
async function inviteBot(): Promise<void> {
  const channelId = "channel-0";
  const asBot = live.as(botFid);
  await asBot.channelFollows.follow({ channelId });
  for (const role of ["member", "moderator"] as const) {
    await live.as(owner).channelInvites.invite({ channelId, inviteFid: botFid, role });
    await asBot.channelInvites.answer({ channelId, role, accept: true });
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const begun = performance.now();
  const result = await work();
  return { ms: performance.now() - begun, result };
}

/** Returns the final message to the moderator, and how long each step took. */
async function ban(fid: number): Promise<{ text: string; waits: number[] }> {
  const options = { channel: "channel-0", user: String(fid), reason: "a raid", duration: "permanent" };
  const preview = await timed(() => chat.run("moderator", "ban", options));
  if (preview.result.buttons["Ban"] === undefined) return { text: preview.result.text, waits: [preview.ms] };
  const done = await timed(() => chat.click("moderator", preview.result, "Ban"));
  return { text: done.result.text, waits: [preview.ms, done.ms] };
}

/** Signs in to the console like a browser; returns the cookie. */
async function signIn(username: string): Promise<string> {
  const userId = [...discord.context.world.users.values()].find((one) => one.username === username)?.id ?? "";
  const out = await fetch(`${origin}/console/sign-in`, { redirect: "manual" });
  const onTheWay = cookieOf(out);
  const page = new URL(out.headers.get("location") ?? "");
  const body = new URLSearchParams({ user: userId });
  const agreed = await fetch(`${discord.origin}${authorizePath}${page.search}`, {
    method: "POST",
    body,
    redirect: "manual",
  });
  const back = await fetch(agreed.headers.get("location") ?? "", {
    headers: { cookie: onTheWay },
    redirect: "manual",
  });
  const session = cookieOf(back);
  if (!session.includes("session")) throw new Error(`${username} is not signed in: ${back.status}`);
  return session;
}

const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0] ?? "")
    .filter((pair) => !pair.endsWith("="))
    .join("; ");

async function asksConsole(cookie: string, path: string): Promise<number> {
  const answer = await fetch(`${origin}/console/api${path}`, { headers: { cookie } });
  await answer.arrayBuffer();
  return answer.status;
}

/** The responses with their numbers. */
function tally(answers: readonly (string | number)[]): string {
  const counts = new Map<string | number, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts].map(([answer, count]) => `${count} × ${answer}`).join(", ");
}

async function attackByAppeals(): Promise<void> {
  const cookie = await signIn("member");
  const before = (await controls.refusals()).length;
  const attack = Promise.all([
    ...Array.from({ length: appeals }, async (_, index) => {
      await sleep((index * 2000) / appeals);
      const { text } = await chat.run("member", "appeal", { user: String(7000 + index) });
      return text.replaceAll(/\d+/g, "N");
    }),
    ...Array.from({ length: requests }, (_, index) =>
      asksConsole(cookie, `/servers/${guildId}/cases?user=${index}`),
    ),
  ]);
  const waits: number[] = [];
  const answers: string[] = [];
  for (let index = 0; index < bans; index += 1) {
    const [done] = await Promise.all([ban(5000 + index), sleep(banEvery)]);
    waits.push(...done.waits);
    answers.push(/^C-\d+ · (.*)/.exec(done.text)?.[1] ?? done.text);
  }
  write(`the member was answered: ${tally(await attack)}`);
  write(`the moderator was answered: ${tally(answers)}`);
  write(`the network refused: ${tally((await controls.refusals()).slice(before)) || "nothing"}`);
  const refused = answers.filter((answer) => answer !== "Ban · done").length;
  met = judge("bans of the moderator that were refused", refused, { most: 0 }) && met;
  met = judge("a moderator's step, p99 (ms)", percentile(waits, 99), { most: goals.moderatorMs }) && met;
}

async function attackByConsole(): Promise<void> {
  const cookie = await signIn("stranger");
  const attack = Promise.all(Array.from({ length: asksOfMe }, () => asksConsole(cookie, "/me")));
  const waits: number[] = [];
  for (let index = 0; index < helps; index += 1) {
    waits.push((await timed(() => chat.run("owner", "help"))).ms);
    await sleep(50);
  }
  write(`the stranger was answered: ${tally(await attack)}`);
  met =
    judge("/help beside 58 /me over 51 servers, p99 (ms)", percentile(waits, 99), { most: goals.helpMs }) &&
    met;
}

try {
  await bot.ready;
  await sleep(startMs);
  await attackByAppeals();
  await attackByConsole();
} catch (error) {
  write(bot.output());
  throw error;
} finally {
  bot.child.kill("SIGTERM");
  await once(bot.child, "close");
  await Promise.all([discord.stop(), live.stop()]);
  await storage.remove();
}
process.exit(met ? 0 : 1);
