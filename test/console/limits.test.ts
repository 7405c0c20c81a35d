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

it("an address that is none, and characters that no text has, are refused like anything else", async () => {
  const owner = await desk.signIn(scene.users.owner);
  const api = `/console/api/servers/${scene.discord.guildId}`;
  const refused = async (path: string) => {
    const { statusCode, headers, body } = await desk.get(path, owner);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(body).toContain("invalid_input");
    return statusCode;
  };
  expect(await refused("/console/%zz")).toBe(400);
  expect(await refused(`${api}/cases/me%00mes/C-1`)).toBe(400);
  expect(await refused(`${api}/read/%00`)).toBe(400);
  const sent = async (path: string, body: object) => {
    const { statusCode, body: answer } = await desk.post(`${api}${path}`, body, owner);
    return [statusCode, (JSON.parse(answer) as { error: { message: string } }).error.message];
  };
  const [status, words] = await sent("/press", { customId: "review:a\0b:hide" });
  expect([status, words]).toEqual([400, expect.stringContaining("holds a character that no text has")]);
  expect((await sent("/run", { path: "case\0 list", options: {} }))[0]).toBe(400);
  expect(await sent("/run", { path: "who", options: { user: "7".repeat(40_000) } })).toEqual([
    413,
    "That is longer than the console takes.",
  ]);
});
