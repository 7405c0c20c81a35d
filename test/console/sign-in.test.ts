import { afterAll, describe, expect, it, test } from "vitest";
import { sessionLife } from "../../src/console/sessions.ts";
import { newVisitor, openTestConsole, withSignIn, type Visitor } from "../support/console.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord(withSignIn);
const desk = openTestConsole(scene);
afterAll(() => desk.server.close());

const who = async (visitor?: Visitor) =>
  (await desk.get("/console/api/me", visitor)).json<{ user: { name: string } | null }>().user?.name ?? null;

describe("signing in", () => {
  it("makes one who Discord says, for hours, by a cookie that no script and no other site reads", async () => {
    const visitor = newVisitor();
    const page = await desk.setOut(visitor, `/console/${scene.discord.guildId}/cases?channel=memes`);
    const asked = new URL(page).searchParams;
    expect(asked.get("scope")).toBe("identify");
    expect(asked.get("code_challenge_method")).toBe("S256");
    const answer = await desk.get(await desk.agree(page, scene.users.moderator), visitor);
    expect(answer.statusCode).toBe(302);
    expect(answer.headers.location).toBe(`/console/${scene.discord.guildId}/cases?channel=memes`);
    const session = answer.cookies.find(({ name }) => name === "__Host-castellan-session");
    expect(session).toMatchObject({
      httpOnly: true,
      secure: true,
      sameSite: "Lax",
      path: "/",
      maxAge: sessionLife / 1000,
    });
    expect(session).not.toHaveProperty("domain");
    expect(await who(visitor)).toBe("Mona Moderator");
    const rows = await scene.bot.database.query
      .selectFrom("castellan.console_sessions")
      .selectAll()
      .execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(session?.value);
  });

  it("on this machine has cookies of its own port, and one address", async () => {
    const near = openTestConsole(scene, "http://127.0.0.1:4682");
    const other = await near.get("/console/sign-in", newVisitor(), { host: "localhost:4682" });
    expect(other.headers.location).toBe("http://127.0.0.1:4682/console/sign-in");
    const visitor = await near.signIn(scene.users.owner);
    expect([...visitor.cookies.keys()]).toEqual(["castellan-session-4682"]);
    await near.server.close();
  });

  it("gives a new token each time, and the one before is nobody's", async () => {
    const visitor = await desk.signIn(scene.users.owner);
    const before = { ...visitor, cookies: new Map(visitor.cookies) };
    await desk.signIn(scene.users.moderator, visitor);
    expect(await who(visitor)).toBe("Mona Moderator");
    expect(await who(before)).toBeNull();
  });

  it.each([
    ["with another's state", (path: string) => path.replace(/state=[^&]+/, "state=of-somebody-else")],
    ["without a state", (path: string) => path.replace(/&?state=[^&]+/, "")],
    ["without a code", (path: string) => path.replace(/code=[^&]+&?/, "")],
    ["with a code that is none", (path: string) => path.replace(/code=[^&]+/, "code=abc")],
  ])("does not happen %s", async (_, change) => {
    const visitor = newVisitor();
    const back = await desk.agree(await desk.setOut(visitor), scene.users.owner);
    const answer = await desk.get(change(back), visitor);
    expect(answer.headers.location).toBe("/console?problem=not_allowed");
    expect(await who(visitor)).toBeNull();
  });

  it("is refused in a browser that did not start it, so that a link cannot sign somebody in as its sender", async () => {
    const back = await desk.agree(await desk.setOut(newVisitor()), scene.users.owner);
    const victim = newVisitor();
    await desk.get(back, victim);
    expect(await who(victim)).toBeNull();
  });

  it("happens once for a code, and not with the verifier of another", async () => {
    const visitor = newVisitor();
    const back = await desk.agree(await desk.setOut(visitor), scene.users.owner);
    const onTheWay = new Map(visitor.cookies);
    await desk.get(back, visitor);
    expect(await who(visitor)).toBe("Olga Owner");
    const replayed = { ...newVisitor(), cookies: new Map(onTheWay) };
    await desk.get(back, replayed);
    expect(await who(replayed)).toBeNull();

    const other = newVisitor();
    const theirs = await desk.agree(await desk.setOut(other), scene.users.owner);
    const [name = "", value = ""] = [...other.cookies][0] ?? [];
    const [state = "", , to = ""] = value.split(".");
    other.cookies.set(name, `${state}.${"v".repeat(43)}.${to}`);
    await desk.get(theirs, other);
    expect(await who(other)).toBeNull();
  });

  it("leads nowhere but into the console", async () => {
    for (const to of [
      "//evil.example",
      "https://evil.example/console",
      "/console/../evil",
      "/other",
      "/console\\@evil",
    ]) {
      const visitor = newVisitor();
      const back = await desk.agree(await desk.setOut(visitor, to), scene.users.owner);
      expect((await desk.get(back, visitor)).headers.location).toBe("/console");
    }
  });

  it("reports that it was cancelled, and signs nobody in", async () => {
    const visitor = newVisitor();
    const back = await desk.agree(await desk.setOut(visitor), "");
    expect((await desk.get(back, visitor)).headers.location).toBe("/console?problem=refused");
    expect(await who(visitor)).toBeNull();
  });
});

describe("a session", () => {
  it("ends with its hours", async () => {
    const visitor = await desk.signIn(scene.users.owner);
    scene.bot.clock.advance(sessionLife / 1000 - 1);
    expect(await who(visitor)).toBe("Olga Owner");
    scene.bot.clock.advance(2);
    expect(await who(visitor)).toBeNull();
    const answer = await desk.get(`/console/api/servers/${scene.discord.guildId}/queue`, visitor);
    expect(answer.statusCode).toBe(401);
  });

  it("ends when one signs out, and what was copied of it ends too", async () => {
    const visitor = await desk.signIn(scene.users.owner);
    const copy = { ...visitor, cookies: new Map(visitor.cookies) };
    expect((await desk.post("/console/api/sign-out", {}, visitor)).statusCode).toBe(200);
    expect(visitor.cookies.size).toBe(0);
    expect(await who(copy)).toBeNull();
  });
});

describe("a request that changes something", () => {
  const out = "/console/api/sign-out";

  test.each([
    ["from a page of another origin", { origin: "https://evil.example" }],
    ["from a page that hides its origin", { origin: "null" }],
    ["from another site", { "sec-fetch-site": "cross-site" }],
    ["from another port of the host", { "sec-fetch-site": "same-site" }],
    ["without the token of the page", { "x-csrf-token": "" }],
    ["with another's token", { "x-csrf-token": "A".repeat(43) }],
  ])("is refused %s", async (_, headers) => {
    const visitor = await desk.signIn(scene.users.owner);
    const answer = await desk.post(out, {}, visitor, headers);
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { error: { code: "not_allowed" } }]);
    expect(await who(visitor)).toBe("Olga Owner");
  });

  it("is refused as a form, and to who is not signed in", async () => {
    const visitor = await desk.signIn(scene.users.owner);
    const form = { "content-type": "text/plain" };
    expect((await desk.post(out, {}, visitor, form)).statusCode).toBe(415);
    expect((await desk.post(out, {})).statusCode).toBe(401);
    expect(await who(visitor)).toBe("Olga Owner");
  });

  it("is not answered to another site's page, even where it only reads", async () => {
    const visitor = await desk.signIn(scene.users.owner);
    const answer = await desk.get("/console/api/me", visitor, { "sec-fetch-site": "cross-site" });
    expect(answer.statusCode).toBe(403);
  });

  it("is refused also at an address that is written in another way", async () => {
    const visitor = await desk.signIn(scene.users.owner);
    for (const path of ["/console/%61pi/me", "/%63onsole/api/me"]) {
      const answer = await desk.get(path, visitor, { "sec-fetch-site": "cross-site" });
      expect([path, answer.statusCode]).toEqual([path, 403]);
    }
    const out = await desk.post("/console/%61pi/sign-out", {}, visitor, { "x-csrf-token": "" });
    expect(out.statusCode).toBe(403);
    expect(await who(visitor)).toBe("Olga Owner");
  });
});

test("every answer forbids what is inline, frames and other origins", async () => {
  for (const path of ["/console", "/console/api/me", "/console/nothing", "/console/page/console.js"]) {
    const { headers } = await desk.get(path);
    expect(headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'");
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers["content-security-policy"]).not.toMatch(/unsafe|\*/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["strict-transport-security"]).toBeDefined();
  }
});
