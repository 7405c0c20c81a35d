import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "../../../src/log.ts";
import { createSandboxPage } from "../../../src/sandbox/page-server.ts";
import { startTestDiscord, type TestDiscord } from "../../support/discord.ts";

let discord: TestDiscord;
let owner: string;

beforeAll(async () => {
  discord = await startTestDiscord({
    page: (local) => createSandboxPage(local, silentLog),
  });
  owner = [...discord.context.world.users.values()].find(({ username }) => username === "owner")?.id ?? "";
});

afterAll(() => discord.stop());

const read = (path: string) => fetch(`${discord.origin}${path}`);

function send(path: string, body: unknown, contentType = "application/json"): Promise<Response> {
  const headers = { "content-type": contentType };
  return fetch(`${discord.origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

test("every module that the page imports is served, and allowed by a policy without anything inline", async () => {
  const start = await read("/");
  const policy = start.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  const source = await start.text();
  expect(source).not.toMatch(/<script(?![^>]* src=)|<style| style=| on[a-z]+=/);
  const seen = new Set<string>();
  const wanted = [...source.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? "");
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const answer = await read(path);
    expect([path, answer.status]).toEqual([path, 200]);
    if (!path.endsWith(".js")) continue;
    for (const [, name = ""] of (await answer.text()).matchAll(/\bfrom\s*"([^"]+)"/g)) {
      wanted.push(new URL(name, `http://page${path}`).pathname);
    }
  }
  expect(seen.size).toBeGreaterThan(25);
});

test.each([
  "/page/../page-server.ts",
  "/page/%2e%2e/page-server.ts",
  "/page/..%2f..%2f..%2fpackage.json",
  "/page/",
  "/package.json",
  "/modules/ws.js",
])("%s is not given", async (path) => {
  expect((await read(path)).status).toBe(404);
});

test("a person sees rooms, people and what only they may read", async () => {
  const room = discord.rooms.general;
  discord.people.say({ user: "member", room: "general", content: "hello" });
  const view: unknown = await (await read(`/chat/view?user=${owner}`)).json();
  expect(view).toMatchObject({ guilds: [{ name: "Test Guild", rooms: [{ name: "general" }, {}, {}] }] });
  const messages: unknown = await (await read(`/chat/messages?user=${owner}&room=${room}`)).json();
  expect(messages).toMatchObject([{ content: "hello", author: { username: "member" } }]);
});

test("what people do is told to everyone whose page is open", async () => {
  const stop = new AbortController();
  const events = await fetch(`${discord.origin}/chat/events?user=${owner}`, { signal: stop.signal });
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
  await send("/chat/say", { user: "member", room: "general", content: "live" });
  let heard = "";
  while (!heard.includes("live")) heard += (await reader?.read())?.value ?? "";
  expect(heard).toContain("event: message");
  stop.abort();
});

test("mistakes come back in words, and a form of another page cannot be sent", async () => {
  const wrong = await send("/chat/slash", {
    user: "owner",
    room: "general",
    command: "nothing",
    options: {},
  });
  expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: { code: "invalid_input" } }]);
  const missing = await send("/chat/say", { user: "owner" });
  expect([missing.status, await missing.json()]).toMatchObject([400, { error: { code: "invalid_input" } }]);
  const form = await send("/chat/say", { user: "owner", room: "general", content: "x" }, "text/plain");
  expect(form.status).toBe(400);
});
