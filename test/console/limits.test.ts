import { beforeEach, expect, it } from "vitest";
import { linkGuild } from "../support/world.ts";
import { newVisitor, openTestConsole, withSignIn, type TestConsole } from "../support/console.ts";
import { useBotInDiscord } from "../support/scenes.ts";

let desk: TestConsole;
const scene = await useBotInDiscord(withSignIn);
beforeEach(async () => {
  desk = openTestConsole(scene);
  return () => desk.server.close();
});

it("whoever comes back with invented codes reaches Discord no more after a while: it would shut out the bot", async () => {
  const problems: string[] = [];
  for (let tries = 0; tries < 65; tries += 1) {
    const visitor = newVisitor();
    const state = new URL(await desk.setOut(visitor)).searchParams.get("state") ?? "";
    const answer = await desk.get(`/console/callback?code=no&state=${state}`, visitor);
    problems.push(String(answer.headers.location));
  }
  expect(problems[0]).toBe("/console?problem=not_allowed");
  expect(problems.slice(60)).toEqual(Array(5).fill("/console?problem=rate_limited"));
});

it.each([
  ["invented", "v."],
  ["signed by nobody of ours", `v..9999999999.${"A".repeat(43)}`],
])("a way back that was %s keeps nobody from signing in, however often it comes", async (_, value) => {
  for (let tries = 0; tries < 70; tries += 1) {
    // Another one each time: the same one would count once, signed or not.
    const cookie = `__Host-castellan-sign-in=s${tries}.${value}`;
    const answer = await desk.get(`/console/callback?code=no&state=s${tries}`, newVisitor(), { cookie });
    expect(answer.headers.location).toBe("/console?problem=not_allowed");
  }
  const owner = await desk.signIn(scene.users.owner);
  expect((await desk.get("/console/api/me", owner)).json<{ user: object | null }>().user).not.toBeNull();
});

it("a way back counts once, however often it is tried", async () => {
  const visitor = newVisitor();
  const state = new URL(await desk.setOut(visitor)).searchParams.get("state") ?? "";
  const cookies = new Map(visitor.cookies);
  for (let tries = 0; tries < 70; tries += 1) {
    const again = { ...visitor, cookies: new Map(cookies) };
    const answer = await desk.get(`/console/callback?code=no&state=${state}`, again);
    expect(answer.headers.location).toBe("/console?problem=not_allowed");
  }
  expect((await desk.signIn(scene.users.owner)).cookies.size).toBeGreaterThan(0);
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

it("where one may do what is asked of Discord once a minute, however often the page asks", async () => {
  const member = /^\/guilds\/\d+\/members\/\d+$/;
  let asked = 0;
  // What the tests before asked is forgotten.
  scene.bot.clock.advance(120);
  const lift = scene.discord.faults.add("GET", member, () => void (asked += 1), Infinity);
  for (const name of ["owner", "stranger"] as const) {
    asked = 0;
    const visitor = await desk.signIn(scene.users[name]);
    for (let times = 0; times < 58; times += 1) await desk.get("/console/api/me", visitor);
    expect([name, asked]).toEqual([name, 1]);
  }
  lift();
});

it("asks Discord only about servers in which something is known about the visitor", async () => {
  const { guildId } = scene.discord;
  const ids = Array.from({ length: 50 }, (_, index) => `${200_000_000_000_000_000n + BigInt(index)}`);
  for (const id of ids) await linkGuild(scene.bot, `channel-${id.slice(-2)}`, id);
  const looked: string[] = [];
  const members = {
    ...scene.members(),
    servers: () => [guildId, ...ids].map((id) => ({ id, name: id })),
    look: async (id: string) => void looked.push(id),
    wasSeen: () => false,
  };
  const own = openTestConsole({ ...scene, members: () => members });
  for (const name of ["stranger", "owner"] as const) {
    const visitor = await own.signIn(scene.users[name]);
    const { more } = (await own.get("/console/api/me", visitor)).json<{ more: boolean }>();
    expect(more).toBe(true);
  }
  // Who linked it.
  expect([...new Set(looked)]).toEqual([guildId]);
  await own.server.close();
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
  expect([status, words]).toEqual([400, expect.stringContaining("contains an invalid character")]);
  expect((await sent("/run", { path: "case\0 list", options: {} }))[0]).toBe(400);
  expect(await sent("/run", { path: "who", options: { user: "7".repeat(40_000) } })).toEqual([
    413,
    "That is too long for the console.",
  ]);
});
