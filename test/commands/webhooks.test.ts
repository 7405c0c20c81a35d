import { sql } from "kysely";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { signWebhook } from "../../src/integrations/post-webhook.ts";
import { createRooms } from "../../src/discord/rooms.ts";
import { useConsole } from "../support/console.ts";
import { searchPath } from "../support/program.ts";
import { testToken } from "../support/discord.ts";
import { callWebhooks, startReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { linkGuild, people } from "../support/world.ts";

const setup = useConsole();
let receiver: WebhookReceiver;

beforeEach(async () => {
  setup.scene.bot.settings.webhookHosts = ["127.0.0.1"];
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const run = (options: Record<string, string | number> = {}, by = "owner") =>
  setup.scene.run(by, "setup webhooks", options);
const usual = () => ({ add: "log", url: receiver.url, events: "case.opened, case.settled" });

/** Gives the secret, as it is shown. */
async function create(options: Record<string, string> = {}, by = "owner"): Promise<string> {
  const seen = await run({ ...usual(), ...options }, by);
  const secret = /whsec_[\w+/=]{44}/.exec(seen.text)?.[0];
  if (secret === undefined) throw new Error(seen.text);
  return secret;
}

async function ban(): Promise<void> {
  const { scene } = setup;
  const asked = await scene.run("moderator", "ban", { user: "7", duration: "7d", reason: "spam" });
  await scene.click("moderator", asked, "Ban");
}

async function call(): Promise<void> {
  const { bot, discord } = setup.scene;
  const rooms = createRooms({ token: testToken, api: discord.api, onRefused: () => {} });
  await callWebhooks(bot, rooms);
}

describe("/setup webhooks", () => {
  it("adds one, whose secret is shown once, and which hears of a ban", async () => {
    const secret = await create();
    await call();
    expect(receiver.types()).toEqual(["ping"]);
    const listed = await run();
    expect(listed.text).toContain("case.opened, case.settled · /memes · last called");
    expect(listed.text).not.toContain(secret);
    expect(listed.text).not.toContain("/hooks");
    await ban();
    await call();
    expect(receiver.types()).toEqual(["ping", "case.opened", "case.settled"]);
    const { headers, body } = receiver.calls[2] ?? { headers: {}, body: "" };
    const message = {
      id: String(headers["webhook-id"]),
      timestamp: Number(headers["webhook-timestamp"]),
      body,
    };
    expect(headers["webhook-signature"]).toBe(signWebhook(secret, message));
    expect(JSON.parse(body)).toMatchObject({
      data: { case: { number: "C-1", action: "ban", state: "applied", fid: people.troll, reason: "spam" } },
    });
    const changes = await setup.scene.run("owner", "audit", { kind: "webhooks" });
    expect(changes.text).toContain("created the webhook log for case.opened, case.settled of /memes");
  });

  it("hears of rules that hit", async () => {
    await create({ events: "review.opened, rule.hit" });
    await setup.scene.judge({ mode: "shadow" });
    await call();
    expect(receiver.types()).toEqual(["ping", "rule.hit"]);
    expect(JSON.parse(receiver.calls[1]?.body ?? "")).toMatchObject({
      data: {
        server: setup.scene.discord.guildId,
        channel: "memes",
        rule: "scam",
        mode: "shadow",
        fid: people.troll,
        castHash: setup.scene.castHash(),
        actions: ["hide the cast", "give 2 strike points"],
      },
    });
  });

  it("hears of reviews, and only of its own channels in them", async () => {
    await create({ events: "review.opened", channel: "memes" });
    await setup.scene.hold();
    const { query } = setup.scene.bot.database;
    await sql`
      insert into castellan.review_items
        (guild_id, channel_id, queue, event_id, rule_id, rule_version, depth, fid, queued_at_ms, actions, head_id)
      select guild_id, 'art', queue, event_id, rule_id, rule_version, depth, fid, queued_at_ms, actions, id
      from castellan.review_items
    `.execute(query);
    await call();
    expect(receiver.types()).toEqual(["ping", "review.opened"]);
    const { troll: fid } = people;
    expect(JSON.parse(receiver.calls[1]?.body ?? "")).toMatchObject({
      data: {
        review: { number: "R-1", rule: "scam", fid, text: "Free airdrop", channels: [{ channel: "memes" }] },
      },
    });
    await linkGuild(setup.scene.bot, "art", setup.scene.discord.guildId);
    await query
      .updateTable("castellan.webhooks")
      .set({ channel_ids: ["memes", "art"] })
      .execute();
    const number = Number(/(\d+) · review\.opened/.exec((await run({ show: "log" })).text)?.[1]);
    await run({ show: "log", again: number });
    await call();
    expect(receiver.calls.at(-1)?.body).toContain('"channel":"art"');
  });

  it("shows the latest calls and makes one again, with the same id", async () => {
    await create();
    receiver.answer = { status: 500 };
    await call();
    const failing = await run({ show: "log" });
    expect(failing.text).toMatch(/fails since .*The address answered 500\. · next attempt/);
    expect(failing.text).toContain("ping · not delivered yet");
    receiver.answer = { status: 204 };
    setup.scene.bot.clock.advance(6);
    await call();
    const number = Number(/^- (\d+) · ping · delivered/m.exec((await run({ show: "log" })).text)?.[1]);
    expect((await run({ show: "log", again: number })).text).toContain(
      `Castellan makes call ${number} again.`,
    );
    await call();
    expect(new Set(receiver.calls.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(receiver.calls).toHaveLength(3);
    receiver.answer = { status: 500 };
    await run({ show: "log", again: number });
    await call();
    receiver.answer = { status: 204 };
    await run({ show: "log", again: number });
    await call();
    expect(receiver.calls).toHaveLength(5);
    expect((await run({ show: "log", again: 999 })).text).toContain("no such call");
    expect((await run({ again: number })).text).toContain("Name the webhook too");
  });

  it("replaces one in one step, and keeps it if the new one is refused", async () => {
    const secret = await create();
    const replace = (url: string) => run({ ...usual(), remove: "log", url });
    expect((await replace("https://elsewhere.example.org/")).text).toContain("cannot call this address");
    expect((await run()).text).toContain("`log`");
    const { text } = await replace(receiver.url);
    expect(text).toMatch(/Removed[^]*Created/);
    expect(text).not.toContain(secret);
  });

  it("removes one", async () => {
    await create();
    expect((await run({ remove: "log" })).text).toContain("Removed");
    await call();
    expect(receiver.calls).toEqual([]);
    expect((await run({ remove: "log" })).text).toContain("There is no such webhook");
  });

  it("is for people with link, in every channel that the webhook covers", async () => {
    for (const by of ["member", "stranger"] as const)
      expect((await run(usual(), by)).text).not.toContain("whsec_");
    expect((await run()).text).toContain("No webhook yet.");
    const { bot, discord } = setup.scene;
    await bot.net.seed.channel("art", { owner: people.member, moderators: [bot.botFid], members: [] });
    await linkGuild(bot, "art", discord.guildId);
    await expect(create({ add: "every" })).rejects.toThrow(/art/);
    await expect(create({ add: "typo", channel: "nowhere" })).rejects.toThrow(/nowhere/);
    await create({ add: "one", channel: "memes" });
    await bot.database.query
      .updateTable("castellan.webhooks")
      .set({ channel_ids: ["memes", "art"] })
      .execute();
    for (const options of [{ show: "one" }, { remove: "one" }, { show: "one", again: 1 }])
      expect((await run(options, "moderator")).text).toMatch(/art/);
    expect((await run({ remove: "one" }, "owner")).text).toContain("Removed");
  });

  it("says what is wrong with what was typed", async () => {
    await create();
    for (const [options, why] of [
      [{ ...usual(), add: "Log!" }, "1 to 32 of a-z, 0-9 and -"],
      [usual(), "There is a webhook log already"],
      [{ add: "other", url: receiver.url }, "with `events` what it is called for"],
      [{ add: "other", events: "health" }, "Give its address with `url`"],
      [{ ...usual(), add: "other", events: "bans" }, "A webhook is called for: case.opened"],
      [
        { ...usual(), add: "other", url: "https://elsewhere.example/" },
        "the operator allows other hosts only",
      ],
      [{ url: receiver.url }, "fill in `add` too"],
    ] as const)
      expect((await run(options)).text).toContain(why);
    for (const name of ["b", "c", "d", "e"]) await create({ add: name });
    expect((await run({ ...usual(), add: "f" })).text).toContain("at most 5 webhooks");
  });
});

it("the example in Python receives calls, and refuses those that Castellan did not just make", async () => {
  const { bot } = setup.scene;
  bot.clock.advance(Math.ceil((Date.now() - bot.clock.now()) / 1000));
  const secret = await create({ events: "case.settled" });
  const example = fileURLToPath(new URL("../../docs/examples/receive.py", import.meta.url));
  const child = spawn("python3", [example, "0"], { env: { PATH: searchPath, SECRET: secret } });
  onTestFinished(() => void child.kill());
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += text.toString()));
  await vi.waitFor(() => expect(output).toContain("listening on"), { timeout: 20_000 });
  const url = `http://127.0.0.1:${/listening on (\d+)/.exec(output)?.[1]}/`;
  await bot.database.query.updateTable("castellan.webhooks").set({ url }).execute();
  await ban();
  await call();
  await vi.waitFor(() => expect(output).toContain("ping\ncase.settled C-1 in memes: ban applied\n"));

  const post = async (id: string, timestamp: number, body: string, signature?: string) => {
    const message = { id, timestamp, body };
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signature ?? signWebhook(secret, message),
    };
    return (await fetch(url, { method: "POST", headers, body })).status;
  };
  const now = Math.floor(Date.now() / 1000);
  const ping = JSON.stringify({ type: "ping", data: {} });
  const printed = output;
  // Somebody recorded calls and sends them again: late, or as if they were new.
  const recorded = { id: "msg_9", timestamp: now - 600, body: ping };
  const signature = signWebhook(secret, recorded);
  expect(await post("msg_9", now - 600, ping, signature)).toBe(401);
  expect(await post("msg_9", now, ping, signature)).toBe(401);
  const fresh = signWebhook(secret, { ...recorded, timestamp: now });
  expect(await post("msg_9", now, ping.replace("ping", "pong"), fresh)).toBe(401);
  expect(await post("msg_9", now + 600, ping)).toBe(401);
  expect(await post("msg_9", now, ping, "v1,AAAA")).toBe(401);
  expect(
    await post("msg_9", now, ping, signWebhook(secret, { id: "msg_8", timestamp: now, body: ping })),
  ).toBe(401);
  expect(output).toBe(printed);
  expect([await post("msg_9", now, ping), await post("msg_9", now, ping)]).toEqual([204, 204]);
  await vi.waitFor(() => expect(output).toBe(`${printed}ping\n`));
});
