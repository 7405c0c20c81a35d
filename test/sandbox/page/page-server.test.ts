import { afterAll, expect, test } from "vitest";
import { silentLog } from "../../../src/log.ts";
import { createSandboxPage } from "../../../src/sandbox/page-server.ts";
import { startTestDiscord } from "../../support/discord.ts";

const discord = await startTestDiscord({
  page: (local) => createSandboxPage(local, silentLog),
});
const owner =
  [...discord.context.world.users.values()].find(({ username }) => username === "owner")?.id ?? "";

afterAll(() => discord.stop());

const read = (path: string) => fetch(`${discord.origin}${path}`);

function send(path: string, body: unknown, contentType = "application/json"): Promise<Response> {
  const headers = { "content-type": contentType };
  return fetch(`${discord.origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

test("every file of the page is served, with its source map, and allowed by a policy without anything inline", async () => {
  const start = await read("/");
  const policy = start.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  const source = await start.text();
  expect(source).not.toMatch(/<script(?![^>]* src=)|<style| style=| on[a-z]+=/);
  const files = [...source.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
  expect(files.toSorted()).toEqual(["/page/castle.svg", "/page/sandbox.css", "/page/sandbox.js"]);
  const maps: string[] = [];
  for (const path of files) {
    const file = await read(path);
    expect([path, file.status]).toEqual([path, 200]);
    const [, map] = /sourceMappingURL=(\S+)/.exec(await file.text()) ?? [];
    if (map !== undefined) maps.push(new URL(map, `http://page${path}`).pathname);
  }
  expect(maps.toSorted()).toEqual(["/page/sandbox.css.map", "/page/sandbox.js.map"]);
  for (const path of maps) expect([path, (await read(path)).status]).toEqual([path, 200]);
});

test.each([
  "/page/../page-server.ts",
  "/page/%2e%2e/page-server.ts",
  "/page/..%2f..%2f..%2fpackage.json",
  "/page/",
  "/page/console.js",
  "/package.json",
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
