import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sendRaw, startTestDiscord, type TestDiscord } from "../../support/discord.ts";

let discord: TestDiscord;
let path: string;

beforeAll(async () => {
  discord = await startTestDiscord();
  path = `/channels/${discord.rooms.feed}/messages`;
});

beforeEach(() => discord.faults.clear());
afterAll(() => discord.stop());

const post = (content: string) => sendRaw(discord, "POST", path, { content });
const posted = () => [...discord.context.world.messages.values()].flat().map(({ content }) => content);

test("a route is refused with any status and code, so often or until it is lifted", async () => {
  const { faults } = discord;
  faults.refuse("POST", "/channels/:room/messages", { status: 400, code: 160005 }, 1);
  expect(await post("a")).toMatchObject({ status: 400, body: { code: 160005 } });
  expect((await post("b")).status).toBe(200);
  const lift = faults.refuse("GET", "/gateway/bot", { status: 500 });
  for (const _ of [1, 2]) expect((await sendRaw(discord, "GET", "/gateway/bot")).status).toBe(500);
  lift();
  expect((await sendRaw(discord, "GET", "/gateway/bot")).status).toBe(200);
});

test("a fault that declines leaves the next one to decide", async () => {
  discord.faults.add("POST", "/channels/:room/messages", () => undefined);
  discord.faults.refuse("POST", "/channels/:room/messages", { status: 403, code: 50013 }, 1);
  expect((await post("c")).body.code).toBe(50013);
});

test("a connection is cut before anything is done, or when only the answer is missing", async () => {
  const { faults } = discord;
  faults.refuse("POST", "/channels/:room/messages", "drop", 1);
  await expect(post("cut")).rejects.toThrow("fetch failed");
  expect(posted()).not.toContain("cut");
  faults.refuse("POST", "/channels/:room/messages", "lose", 1);
  await expect(post("lost")).rejects.toThrow("fetch failed");
  expect(posted()).toContain("lost");
});

test("a request hangs until its sender gives up", async () => {
  discord.faults.refuse("POST", "/channels/:room/messages", "hang", 1);
  const asked = fetch(`${discord.api}/v10${path}`, { method: "POST", signal: AbortSignal.timeout(200) });
  await expect(asked).rejects.toThrow(/timeout/);
});
