import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { findToken } from "../../src/moderation/api-tokens.ts";
import { giveCapabilities, takeCapabilities } from "../../src/moderation/capabilities.ts";
import { apiOf } from "../support/api.ts";
import { recordStatements } from "../support/database.ts";
import { openTestConsole, useConsole } from "../support/console.ts";

const setup = useConsole();
const { ask, get, post, createToken } = apiOf(setup);

const setupChanges = () =>
  setup.scene.bot.database.query
    .selectFrom("castellan.setup_changes")
    .select(["kind", "what"])
    .where("kind", "=", "tokens")
    .orderBy("id")
    .execute();

describe("tokens", () => {
  it("are shown once, stored as hashes, listed and revoked in Discord, and stand in the audit", async () => {
    const token = await createToken("view, hide", { expires: "30d" });
    const [row] = await setup.scene.bot.database.query
      .selectFrom("castellan.api_tokens")
      .selectAll()
      .execute();
    expect(JSON.stringify(row)).not.toContain(token.slice(-43));
    expect(row).toMatchObject({ name: "ci-bot", capabilities: ["view", "hide"], used_at_ms: null });
    expect((await get(token, "/channels")).channels).toEqual([
      { channel: "memes", name: expect.any(String), may: ["view", "hide"] },
    ]);
    const listed = await setup.scene.run("moderator", "setup tokens");
    expect(listed.text).toContain("last used");
    expect(listed.text).not.toContain(token);
    await setup.scene.run("moderator", "setup tokens", { revoke: "ci-bot" });
    const refused = await get(token, "/channels");
    expect([refused.status, refused.code, refused.headers["www-authenticate"]]).toEqual([
      401,
      "invalid_auth_token",
      "Bearer",
    ]);
    expect(refused.detail).toContain("was revoked");
    expect(await setupChanges()).toEqual([
      { kind: "tokens", what: "created the API token ci-bot (view, hide) for 30 days" },
      { kind: "tokens", what: "revoked the API token ci-bot" },
    ]);
    expect((await createToken("view")) === token).toBe(false);
  });

  it("are replaced in one step, and stay if the new one is refused", async () => {
    const token = await createToken("view");
    const replace = (options: Record<string, string>) =>
      setup.scene.run("moderator", "setup tokens", {
        revoke: "ci-bot",
        add: "ci-bot",
        may: "view",
        ...options,
      });
    expect((await replace({ expires: "400d" })).text).toContain("366 days");
    expect((await replace({ revoke: "other", add: "another" })).text).toContain("no such API token");
    expect((await get(token, "/channels")).status).toBe(200);
    expect((await replace({})).text).toMatch(/Revoked[^]*Created/);
    expect((await get(token, "/channels")).status).toBe(401);
    expect((await setupChanges()).map(({ what }) => what.split(" ")[0])).toEqual([
      "created",
      "revoked",
      "created",
    ]);
  });

  it("end in time, and leave their name to a new one", async () => {
    const token = await createToken("view", { expires: "1h" });
    setup.scene.bot.clock.advance(3601);
    expect((await get(token, "/channels")).detail).toContain("has expired");
    await createToken("view");
  });

  it("are refused without the complete secret, even with the right number", async () => {
    const token = await createToken("view");
    const [, number] = token.split("_");
    for (const wrong of [
      "",
      "x",
      `castellan_${number}_${"A".repeat(43)}`,
      `castellan_999_${token.slice(-43)}`,
      token.slice(0, -1),
      `${token}A`,
    ]) {
      const refused = await get(wrong, "/channels");
      expect([wrong, refused.status]).toEqual([wrong, 401]);
      expect(refused.detail).toContain("This needs a token");
      expect(refused.headers["content-type"]).toContain("application/problem+json");
    }
  });

  it("are compared by their hashes in constant time, with the same work for unknown ones", async () => {
    const compare = vi.spyOn(crypto, "timingSafeEqual");
    syncBuiltinESMExports();
    onTestFinished(() => {
      compare.mockRestore();
      syncBuiltinESMExports();
    });
    const token = await createToken("view");
    const [, number, secret = ""] = /^castellan_(\d+)_(.+)$/.exec(token) ?? [];
    const other = (letter = "") => (letter === "A" ? "B" : "A");
    const hash = (text: string) => crypto.createHash("sha256").update(text).digest("hex");
    const { bot } = setup.scene;
    const found = new Map<string, unknown>();
    for (const [what, brought] of [
      ["right", token],
      ["wrong at its start", `castellan_${number}_${other(secret[0])}${secret.slice(1)}`],
      ["wrong at its end", `castellan_${number}_${secret.slice(0, -1)}${other(secret.at(-1))}`],
      ["an unknown number", `castellan_999_${secret}`],
    ] as const) {
      compare.mockClear();
      let answer: unknown;
      const statements = await recordStatements(async () => (answer = await findToken(bot, brought)));
      found.set(what, typeof answer === "string" ? answer : "found");
      expect(statements.map(({ text }) => text)).toEqual([expect.stringContaining('"api_tokens"')]);
      const compared = compare.mock.calls.map((both) => both.map((one) => Buffer.from(one as Buffer)));
      expect([what, compared.map((both) => both.map(({ length }) => length))]).toEqual([what, [[32, 32]]]);
      expect(compared[0]?.[0]?.toString("hex")).toBe(hash(brought.slice(-43)));
    }
    expect([...found.values()]).toEqual(["found", "unknown", "unknown", "unknown"]);
  });

  it("may be created by who may change the settings, with no more than they have themselves", async () => {
    const { database } = setup.scene.bot;
    const { guildId } = setup.scene.discord;
    const grant = { guildId, channelId: "memes", roleId: guildId };
    await expect(createToken("view", {}, "stranger")).rejects.toThrow(/You may not change the link/);
    await database.transaction((tx) => giveCapabilities(tx, { ...grant, capabilities: ["link", "view"] }));
    await expect(createToken("view, ban", {}, "stranger")).rejects.toThrow(
      /in any channel of this server: ban/,
    );
    await createToken("view", {}, "stranger");
    await expect(createToken("view")).rejects.toThrow(/There is an API token ci-bot already/);
    await expect(createToken("everything", { add: "other" })).rejects.toThrow(/A token may: view/);
    await expect(createToken("view", { add: "other", expires: "400d" })).rejects.toThrow(/366 days/);
    await expect(createToken("view", { add: "Other one" })).rejects.toThrow(/name has 1 to 32/);
  });

  it("fall with their creator's rights, at the next request", async () => {
    const { database } = setup.scene.bot;
    const { guildId } = setup.scene.discord;
    const grant = { guildId, channelId: "memes", roleId: guildId };
    await database.transaction((tx) => giveCapabilities(tx, { ...grant, capabilities: ["link", "view"] }));
    const token = await createToken("view", {}, "stranger");
    expect((await get(token, "/reviews")).status).toBe(200);
    await database.transaction((tx) => takeCapabilities(tx, { ...grant, capabilities: ["view"] }));
    expect((await get(token, "/reviews")).status).toBe(403);
    expect((await get(token, "/channels")).channels).toEqual([]);
  });

  it("of one server show and do nothing in another", async () => {
    const token = await createToken("view, hide, ban, undo");
    await setup.scene.hold();
    const { query } = setup.scene.bot.database;
    await query.updateTable("castellan.review_items").set({ guild_id: "999" }).execute();
    expect((await get(token, "/reviews")).reviews).toEqual([]);
    expect((await get(token, "/reviews/R-1")).status).toBe(404);
    expect((await post(token, "/reviews/R-1/decision", { decision: "hide" })).status).toBe(404);
    await query.updateTable("castellan.api_tokens").set({ guild_id: "999" }).execute();
    const refused = await get(token, "/channels");
    expect([refused.status, refused.detail]).toEqual([401, expect.stringContaining("Castellan is not")]);
  });
});

test("a token that asks too often waits, and others do not", async () => {
  // Its counters have counted nothing yet.
  const desk = openTestConsole(setup.scene);
  onTestFinished(() => desk.server.close());
  const flooding = await createToken("view", {}, "owner");
  const other = await createToken("view", { add: "other" }, "owner");
  const list = (token: string) => ask(token, "GET", "/channels", { desk });
  const first = await list(flooding);
  expect(first.headers["ratelimit-policy"]).toBe('"token";q=120;w=60, "server";q=300;w=60');
  expect(first.headers["ratelimit"]).toMatch(/^"token";r=119;t=\d+, "server";r=299;t=\d+$/);
  const answers = await Promise.all(Array.from({ length: 130 }, () => list(flooding)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(({ headers }) => Number(headers["retry-after"]) > 0)).toBe(true);
  expect((await list(other)).status).toBe(200);
});
