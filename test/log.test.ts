import { Writable } from "node:stream";
import { DiscordAPIError } from "discord.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLog, hideInLog } from "../src/log.ts";
import { resetBot, startBotInDiscord, type BotInDiscord } from "./support/bot-in-discord.ts";
import { testToken } from "./support/discord.ts";

/** A log at trace, and everything that it wrote. */
function open(fields: Record<string, string> = {}) {
  let written = "";
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString();
      done();
    },
  });
  return { log: createLog("trace", fields, stream), written: () => written };
}

describe("a log line", () => {
  const interactionToken = "aW50ZXJhY3Rpb246MTIz.abc-DEF_123";

  it("of an error of Discord's says what was refused, and neither the token nor what was sent", () => {
    const { log, written } = open();
    const url = `https://discord.com/api/v10/webhooks/123/${interactionToken}/messages/@original`;
    const body = { json: { content: "a private note" }, files: undefined };
    const error = new DiscordAPIError(
      { code: 50035, message: "Invalid Form Body" },
      50035,
      400,
      "PATCH",
      url,
      body,
    );
    log.error({ err: error }, "one");
    log.error({ error, cause: new Error("around", { cause: error }) }, "two");
    log.warn(error);
    expect(written()).not.toContain("private note");
    expect(written()).not.toContain(interactionToken);
    const [first] = written().split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject({
      err: {
        code: 50035,
        status: 400,
        method: "PATCH",
        message: expect.stringContaining("Invalid Form Body"),
      },
    });
  });

  it("has the fields that all lines of a process have, also from a child", () => {
    const { log, written } = open({ role: "worker", version: "1.2.3" });
    log.child({ job: 7 }).info("done");
    expect(JSON.parse(written())).toMatchObject({
      role: "worker",
      version: "1.2.3",
      job: 7,
      pid: process.pid,
      msg: "done",
    });
  });

  it("of a database's error has not the row that was refused", () => {
    const { log, written } = open();
    const detail = "Failing row contains (1, a private note).";
    log.error({
      err: Object.assign(new Error("violates not-null"), { code: "23502", table: "cases", detail }),
    });
    expect(written()).toContain('"table":"cases"');
    expect(written()).not.toContain("private note");
  });

  it.each([
    ["https://discord.com/api/v10/interactions/12/SECRET-token.x/callback"],
    ["postgres://castellan:SECRET-pass@db.example/castellan"],
    ["redis://:SECRET-pass@redis:6379"],
    ["https://hub.example/v1/events?api_key=SECRET&page_size=1"],
    ["http://127.0.0.1/signed-key-request?token=SECRET"],
    ["Authorization: Bearer SECRET.abc.def-123"],
    ["Bot SECRET.abc.def-123"],
  ])("strikes out what has the shape of a secret: %s", (text) => {
    const { log, written } = open();
    log.trace({ text, deep: { text } }, text);
    expect(written()).not.toContain("SECRET");
  });

  it("strikes out the secrets of this installation, in children too", () => {
    const { log, written } = open();
    const child = log.child({ worker: "one" });
    hideInLog(log, ["0xa1b2c3d4e5f6a7b8", 'with "quotes" inside', "short"]);
    child.info({ said: ["a1b2c3d4e5f6a7b8", 'with "quotes" inside'] }, "key 0xa1b2c3d4e5f6a7b8, short");
    expect(written()).not.toMatch(/a1b2c3d4|quotes/);
    expect(written()).toContain("short");
    expect(JSON.parse(written())).toMatchObject({ worker: "one" });
  });
});

describe("the bot's log at trace", () => {
  let scene: BotInDiscord;
  beforeAll(async () => {
    scene = await startBotInDiscord();
    await resetBot(scene);
  });
  afterAll(() => scene.stop());

  it("has no reason, token or answer in it, also where Discord refuses, hangs up or the database fails", async () => {
    const { log, written } = open();
    await scene.restart({ log });
    const { faults } = scene.discord;
    const tokens: string[] = [];
    faults.add(
      "PATCH",
      /^\/webhooks\/\d+\/[^/]+\/messages\/@original$/,
      ({ path }) => {
        tokens.push(/^\/webhooks\/\d+\/([^/]+)/.exec(path)?.[1] ?? "");
        return { status: 400, body: { code: 50035, message: "Invalid Form Body" } };
      },
      1,
    );
    const options = { user: "3", duration: "permanent", reason: "SECRET reason of a moderator" };
    await scene.run("owner", "ban", options).catch(() => {});
    faults.clear();
    const preview = await scene.run("owner", "ban", options);
    await scene.bot.database.pool.query(
      "alter table castellan.cases add constraint no check (public_reason is null)",
    );
    await scene.click("owner", preview, "Ban");
    await scene.bot.database.pool.query("alter table castellan.cases drop constraint no");
    expect(written()).toContain("Invalid Form Body");
    expect(written()).toContain("23514");
    expect(tokens.length).toBeGreaterThan(0);
    for (const secret of ["SECRET", testToken, ...tokens]) expect(written()).not.toContain(secret);
  });
});
