import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { AppError } from "../../src/errors.ts";
import { checkBotKey, hasKeyToCheck } from "../../src/observe/live/check-bot-key.ts";
import { createKeyRecord, readKeyRow, type KeyStanding } from "../../src/observe/live/bot-key.ts";
import { createCallBudget } from "../../src/observe/live/call-budget.ts";
import { usualLimits } from "../../src/observe/live/call-limits.ts";
import { checkBotKey as checkReadiness } from "../../src/start/health.ts";
import { startLiveNetwork } from "../live/live-network.ts";
import { witnessesOf } from "../live/witnesses.ts";
import { collectLog } from "../support/log.ts";
import { createObserver, guild } from "../support/observer.ts";
import { secretOf } from "../support/signing.ts";
import type { World } from "../support/world.ts";

const botFid = 9001;
const name = `0x${"ab".repeat(32)}`;
const hour = 3600_000;

let standing: KeyStanding;
let context: World;
let asked: number;
/** Milliseconds by which it is later than the world's clock says. */
let ahead: number;
let logged: ReturnType<typeof collectLog>;

const [observer, live] = await Promise.all([createObserver(), startLiveNetwork()]);
afterAll(() => Promise.all([observer.context.database.close(), live.close()]));
beforeEach(async () => {
  await observer.context.database.truncate();
  await observer.network.seed.channel("memes");
  await observer.link("memes");
  [standing, asked, ahead, logged] = [{ state: "active", message: "active at hub" }, 0, 0, collectLog()];
  const { database, clock: worldClock, network } = observer.context;
  const clock = { ...worldClock, now: () => worldClock.now() + ahead };
  const key = { name, check: async () => ((asked += 1), standing) };
  const budget = createCallBudget({ database, clock, limits: usualLimits });
  context = {
    ...observer.context,
    clock,
    log: logged.log,
    live: { background: () => network as never, budget, key, witnesses: witnessesOf() },
  };
});

const record = () => createKeyRecord(context, name);
const row = () => readKeyRow(context, name);
const refusal = new AppError("invalid_auth_token", "Unknown app key", { status: 401 });
const posts = async () => (await observer.events("key.trouble")).map(({ data }) => data);
const run = async () => {
  if (await hasKeyToCheck(context)) await checkBotKey(context, new AbortController().signal);
};
const errors = () => logged.lines.filter(({ level }) => level === 50);

describe("a call that the network refuses for its key", () => {
  it("is stored with its sentence, logged once, and posted once to each server that is linked", async () => {
    await observer.link("memes", "100000000000000002");
    const [one, other] = [record(), record()];
    one(refusal);
    one(refusal);
    other(refusal);
    await expect.poll(row).toMatchObject({ refusal: "Unknown app key" });
    await run();
    await run();
    expect((await posts()).map((data) => data)).toEqual(
      [guild, "100000000000000002"].map((guildId) => ({
        guildId,
        trouble: "refused",
        message: "Unknown app key",
      })),
    );
    expect(errors().map(({ msg }) => msg)).toEqual([
      expect.stringMatching(/^the network refuses the bot's key/),
    ]);
  });

  it("makes the process not ready until one succeeds", async () => {
    const check = checkReadiness(context);
    const calls = record();
    expect(await check()).toBeUndefined();
    calls(refusal);
    await expect.poll(check).toMatch(/^has been refused by the network since .*: Unknown app key/);
    calls(undefined);
    await expect.poll(check).toBeUndefined();
    expect((await row())?.accepted_at_ms).not.toBeNull();
  });

  it("is not posted again when calls succeed in between, until a day has passed", async () => {
    const calls = record();
    for (const outcome of [refusal, undefined, refusal]) {
      calls(outcome);
      await expect.poll(async () => (await row())?.refusal ?? undefined).toBe(outcome?.message);
      await run();
    }
    expect(await posts()).toHaveLength(1);
    calls(undefined);
    await expect.poll(async () => (await row())?.refused_at_ms).toBeNull();
    ahead = 25 * hour;
    calls(refusal);
    await expect.poll(async () => (await row())?.refused_at_ms).not.toBeNull();
    await run();
    expect(await posts()).toHaveLength(2);
  });
});

describe("the hubs", () => {
  const later = (ms: number) =>
    context.database.query
      .updateTable("castellan.bot_keys")
      .set((eb) => ({ checked_at_ms: eb("checked_at_ms", "-", ms) }))
      .execute();

  it("are asked for the key once a day, and sooner where none of them said anything", async () => {
    await run();
    await run();
    expect(asked).toBe(1);
    await later(25 * hour);
    standing = { state: "unknown", message: "No hub says." };
    await run();
    expect(asked).toBe(2);
    await later(2 * hour);
    await run();
    expect(asked).toBe(3);
    expect(await posts()).toEqual([]);
    expect(errors()).toEqual([]);
  });

  it("say that the key is about to end, and has ended: each is posted once", async () => {
    await run();
    standing = { state: "ends_soon", message: "ends 2027-01-02 03:04 UTC." };
    for (const _ of [1, 2]) {
      await later(25 * hour);
      await run();
    }
    standing = { state: "ended", message: "expired 2027-01-02 03:04 UTC." };
    await later(25 * hour);
    await run();
    expect(await posts()).toEqual([
      { guildId: guild, trouble: "ends_soon", message: "ends 2027-01-02 03:04 UTC." },
      { guildId: guild, trouble: "ended", message: "expired 2027-01-02 03:04 UTC." },
    ]);
    // Each day, for who runs it.
    expect(errors()).toHaveLength(3);
  });

  it("are asked for nothing where the network is in this process", async () => {
    context.live = undefined;
    expect(await hasKeyToCheck(context)).toBe(false);
  });
});

describe("the client", () => {
  it("says of each call that takes the key whether it was refused, and of no other", async () => {
    live.join(botFid);
    live.client.channels.add("memes", 1);
    const heard: (string | undefined)[] = [];
    const network = createClient({
      clientUrl: live.client.url,
      registryUrl: live.registry.url,
      hubUrl: live.hub.url,
      signer: { fid: botFid, privateKey: secretOf(botFid) },
      hearKey: (refused) => heard.push(refused?.message),
    });
    await network.channels.get({ channelId: "memes" });
    expect(heard).toEqual([]);
    await network.channelFollows.follow({ channelId: "memes" });
    expect(heard).toEqual([undefined]);
    live.keys.all.clear();
    await expect(network.channelFollows.follow({ channelId: "memes" })).rejects.toThrow("Unknown app key");
    live.keys.powerless.clear();
    expect(heard).toEqual([undefined, "Unknown app key"]);
  });
});
