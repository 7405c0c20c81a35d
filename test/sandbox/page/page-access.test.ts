import { afterEach, describe, expect, test } from "vitest";
import { silentLog } from "../../../src/log.ts";
import { createSandboxPage } from "../../../src/sandbox/page-server.ts";
import { startTestDiscord, type TestDiscord } from "../../support/discord.ts";
import { openPage } from "../../support/page-client.ts";

const secret = "the-secret-of-this-page";
let discord: TestDiscord;

afterEach(() => discord.stop());

async function start(inAddress: boolean): Promise<void> {
  discord = await startTestDiscord({
    page: (local) => createSandboxPage(local, silentLog, { access: { secret, inAddress } }),
  });
}

const asks = ["/chat/people", "/chat/events?user=1", "/panes"];

async function statusOf(path: string, cookie = ""): Promise<number> {
  const stop = new AbortController();
  const { status } = await fetch(`${discord.origin}${path}`, { headers: { cookie }, signal: stop.signal });
  // The events go on for ever.
  stop.abort();
  return status;
}

describe("a page that has a secret", () => {
  test("rejects requests without the cookie", async () => {
    await start(false);
    for (const path of asks) expect([path, await statusOf(path)]).toEqual([path, 403]);
    const say = await fetch(`${discord.origin}/chat/say`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ user: "owner", room: "general", content: "not me" }),
    });
    expect(say.status).toBe(403);
    expect(discord.context.world.messages.size).toBe(0);
    const wrong = (await openPage(discord.origin)).replace(secret, "another-secret");
    for (const path of asks) expect([path, await statusOf(path, wrong)]).toEqual([path, 403]);
  });

  test("recognizes a browser that has the secret", async () => {
    await start(false);
    const answer = await fetch(discord.origin);
    expect(answer.headers.get("set-cookie")).toMatch(/; HttpOnly; SameSite=Strict$/);
    const cookie = await openPage(discord.origin);
    for (const path of asks) expect([path, await statusOf(path, `other=1; ${cookie}`)]).toEqual([path, 200]);
  });

  test("asks for it in its address where others reach it", async () => {
    await start(true);
    expect(await openPage(discord.origin)).toBe("");
    expect(await statusOf("/")).toBe(403);
    expect(await statusOf("/?key=wrong")).toBe(403);
    const cookie = await openPage(`${discord.origin}/?key=${secret}`);
    for (const path of ["/", ...asks]) expect([path, await statusOf(path, cookie)]).toEqual([path, 200]);
  });
});
