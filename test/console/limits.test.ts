import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { resetBot, startBotInDiscord, type BotInDiscord } from "../support/bot-in-discord.ts";
import { newVisitor, openTestConsole, withSignIn, type TestConsole } from "../support/console.ts";

let scene: BotInDiscord;
let desk: TestConsole;
beforeAll(async () => {
  scene = await startBotInDiscord(withSignIn);
});
afterAll(() => scene.stop());
beforeEach(async () => {
  await resetBot(scene);
  desk = openTestConsole(scene);
  return () => desk.server.close();
});

it("whoever comes back with invented codes reaches Discord no more after a while: it would shut out the bot", async () => {
  const problems: string[] = [];
  for (let tries = 0; tries < 65; tries += 1) {
    const cookie = "__Host-castellan-sign-in=s.v.";
    const answer = await desk.get("/console/callback?code=no&state=s", newVisitor(), { cookie });
    problems.push(String(answer.headers.location));
  }
  expect(problems[0]).toBe("/console?problem=not_allowed");
  expect(problems.slice(60)).toEqual(Array(5).fill("/console?problem=rate_limited"));
});

it("one person asks as often as a page does, and others are not kept waiting by who asks more", async () => {
  const owner = await desk.signIn(scene.users.owner);
  const moderator = await desk.signIn(scene.users.moderator);
  const ask = async (visitor = owner) => (await desk.get("/console/api/me", visitor)).statusCode;
  const asked = [];
  for (let times = 0; times < 62; times += 1) asked.push(await ask());
  expect(asked.slice(0, 50)).toEqual(Array(50).fill(200));
  expect(asked.at(-1)).toBe(429);
  expect(await ask(moderator)).toBe(200);
});

it("a way back that says something twice is refused, and is no fault of ours", async () => {
  const visitor = newVisitor();
  const back = await desk.agree(await desk.setOut(visitor), scene.users.owner);
  const answer = await desk.get(`${back}&state=another`, visitor);
  expect(answer.headers.location).toMatch(/^\/console(\?problem=not_allowed)?$/);
});
