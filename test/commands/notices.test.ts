import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createRooms } from "../../src/discord/rooms.ts";
import { applyConfig } from "../support/apply-config.ts";
import type { Seen } from "../support/bot-in-discord.ts";
import { testToken } from "../support/discord.ts";
import { sendNow } from "../support/outbox.ts";
import { castRow } from "../support/rules.ts";
import { startReviewsInDiscord } from "../support/rules-in-discord.ts";
import { linkGuild, people, verifyDiscord } from "../support/world.ts";

let before = 0;

const scene = await startReviewsInDiscord();
afterAll(() => scene.stop());
beforeEach(async () => {
  // Private messages of other tests are of another time.
  scene.bot.clock.advance(10);
  await scene.reset();
  const row = castRow(scene.castHash(), { fid: people.troll, text: "Free airdrop" });
  await scene.bot.database.query.insertInto("castellan.casts").values(row).execute();
  await verifyDiscord(scene.bot, people.troll, scene.users.stranger);
  before = told().length;
});

const template = "Hello {user}, you were moderated in {channel}: {reason}. It lasts {until}. Wrong? {appeal}";

async function turnOn(words = template): Promise<Seen> {
  return scene.click(
    "owner",
    await scene.run("owner", "setup message", { template: words }),
    "Send it from now on",
  );
}
async function ban(options: Record<string, string> = {}): Promise<void> {
  const asked = await scene.run("moderator", "ban", {
    user: "7",
    duration: "permanent",
    reason: "spam",
    ...options,
  });
  await scene.click("moderator", asked, "Ban");
}

/** Private messages to the stranger, of all tests so far. */
function told(): string[] {
  const { world } = scene.discord.context;
  const room = [...world.rooms.values()].find(({ recipientId }) => recipientId === scene.users.stranger);
  return (world.messages.get(room?.id ?? "") ?? []).flatMap(({ embeds }) =>
    embeds.map(({ title, description }) => `${title}: ${description}`),
  );
}
async function send(): Promise<string[]> {
  const rooms = createRooms({ token: testToken, api: scene.discord.api, onRefused: () => {} });
  await sendNow(scene.bot, rooms);
  return told().slice(before);
}
const states = async () =>
  (
    await scene.bot.database.query
      .selectFrom("castellan.outbox")
      .select("state")
      .where("kind", "=", "notice")
      .orderBy("id")
      .execute()
  ).map(({ state }) => state);

describe("/setup message", () => {
  test("names the operator, who imported a configuration, without mentioning anybody", async () => {
    const { guildId } = scene.discord;
    const memes = { channel: "memes", message: template, ignored_reporters: ["900000000000000021"] };
    const source = JSON.stringify({ version: 1, channels: [memes] });
    await applyConfig(scene.bot, { guildId, source });
    expect((await scene.run("owner", "setup message")).text).toContain("Set by the operator, in English:");
    expect((await scene.run("owner", "review ignore")).text).toContain(
      "<@900000000000000021> · by the operator",
    );
  });

  test("is off at first, shows what it would send, and is told to rooms and kept when it is turned on and off", async () => {
    await ban();
    expect(await states()).toEqual([]);
    expect((await scene.run("owner", "setup message")).text).toContain("No message is sent.");
    const asked = await scene.run("owner", "setup message", { template });
    expect(asked.text).toContain(
      "Hello \\@somebody, you were moderated in /memes: the reason in the case. It lasts permanently.",
    );
    await scene.click("owner", asked, "Send it from now on");
    expect((await scene.run("owner", "setup message")).text).toContain(template);
    expect((await scene.run("owner", "audit")).text).toContain("set the message to banned people");
    expect((await scene.run("owner", "setup message", { turn_off: true })).text).toContain(
      "No more messages",
    );
    expect((await scene.run("owner", "setup message", { turn_off: true })).text).toContain(
      "No messages were being sent",
    );
    expect((await scene.run("owner", "setup message")).text).toContain("No message is sent.");
  });

  test("goes with the link: whoever links the channel next has not written it", async () => {
    await turnOn();
    const asked = await scene.run("owner", "setup unlink", { channel: "memes" });
    await scene.click("owner", asked, Object.keys(asked.buttons)[0] ?? "");
    await linkGuild(scene.bot, "memes", scene.discord.guildId);
    expect((await scene.run("owner", "setup message")).text).toContain("No message is sent.");
  });

  test("names the person as they write their name", async () => {
    await turnOn();
    const name = { name: "alice-b.eth", fid: people.troll, owner: "0x1", since: 1 };
    await scene.bot.database.query.insertInto("castellan.names").values(name).execute();
    await ban();
    expect((await send()).join()).toContain(String.raw`Hello \@alice\-b\.eth \(fid 7\), you were`);
  });

  test("refuses what it could not fill in", async () => {
    const refused = await scene.run("owner", "setup message", { template: "Hello {name}" });
    expect(refused.text).toContain("Known are {user}, {channel}, {reason}, {until}, {appeal}.");
    const both = await scene.run("owner", "setup message", { template, turn_off: true });
    expect(both.text).toContain("not both");
  });
});

describe("whoever is banned, or whose cast is hidden", () => {
  test("reads it once, with what was done and until when; strangers' words are made harmless", async () => {
    await turnOn();
    await ban({ reason: "**spam** [x](https://evil.example)", duration: "7d" });
    const [message, ...others] = await send();
    expect(others).toEqual([]);
    expect(message).toMatch(
      /^You were banned from \/memes: Hello fid 7, you were moderated in \/memes: \\\*\\\*spam\\\*\\\* .*It lasts <t:\d+:f>\. Wrong\? \/appeal$/,
    );
    expect(message).not.toContain("[x](https");
    expect(await states()).toEqual(["sent"]);
  });

  test("is told of a hidden cast, too", async () => {
    await turnOn();
    const asked = await scene.run("moderator", "hide", { cast: scene.castHash() });
    await scene.click("moderator", asked, "Hide");
    expect(await send()).toEqual([expect.stringContaining("A cast of yours was hidden in /memes: Hello")]);
  });

  test("is not told of what does not hold any more, or what was turned off meanwhile", async () => {
    await turnOn();
    await ban();
    const lift = await scene.run("moderator", "undo", { what: "fid 7" });
    await scene.click("moderator", lift, "Lift the ban");
    expect(await send()).toEqual([]);
    await ban();
    await scene.run("owner", "setup message", { turn_off: true });
    expect(await send()).toEqual([]);
    expect(await states()).toEqual(["dropped", "dropped"]);
  });

  test("gets three messages an hour at most", async () => {
    await turnOn();
    for (let time = 0; time < 4; time += 1) {
      await ban();
      await send();
      const lift = await scene.run("moderator", "undo", { what: "fid 7" });
      await scene.click("moderator", lift, "Lift the ban");
    }
    expect(await states()).toEqual(["sent", "sent", "sent", "dropped"]);
    expect(await send()).toHaveLength(3);
  });

  test("is not told where they take no messages, nor where nobody knows who they are in Discord", async () => {
    await turnOn();
    const refusal = { status: 403, code: 50007, message: "Cannot send messages to this user" };
    const lift = scene.discord.faults.refuse("POST", "/channels/:room/messages", refusal);
    await ban();
    expect(await send()).toEqual([]);
    expect(await states()).toEqual(["failed"]);
    lift();
    await scene.bot.database.query.deleteFrom("network.verifications").where("fid", "=", 7).execute();
    await scene.bot.database.query.updateTable("castellan.outbox").set({ state: "waiting" }).execute();
    expect(await send()).toEqual([]);
    expect(await states()).toEqual(["failed"]);
  });

  test("is told later where Discord or the network does not answer", async () => {
    await turnOn();
    await ban();
    const fail = () => Promise.reject(new Error("down"));
    const network = {
      ...scene.bot.network,
      accountVerifications: { ...scene.bot.network.accountVerifications, list: fail },
    };
    const rooms = createRooms({ token: testToken, api: scene.discord.api, onRefused: () => {} });
    // The network's own shape, with one call that fails.
    await sendNow({ ...scene.bot, network }, rooms);
    expect(await states()).toEqual(["waiting"]);
    expect(await send()).toEqual([]);
    scene.bot.clock.advance(61);
    expect(await send()).toHaveLength(1);
  });
});
