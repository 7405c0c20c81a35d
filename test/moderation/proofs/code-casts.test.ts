import { beforeEach, describe, expect, test } from "vitest";
import { AppError } from "../../../src/errors.ts";
import type { RoomMessage } from "../../../src/feed/rooms.ts";
import { linkChannel, unlinkChannel } from "../../../src/moderation/link-channel.ts";
import { hasProofs, judgeCodeCasts } from "../../../src/moderation/proofs/judge-code-casts.ts";
import { giveCode, type LinkCode } from "../../../src/moderation/proofs/link-codes.ts";
import { listProofs } from "../../../src/moderation/proofs/staff-proofs.ts";
import { verifyLinks } from "../../../src/moderation/verify-links.ts";
import { codeCastText } from "../../../src/observe/hub/code-casts.ts";
import { pollHub } from "../../../src/observe/hub/poll-hub.ts";
import { hasOutbox } from "../../../src/outbox/send-outbox.ts";
import { sendNow } from "../../support/outbox.ts";
import { hasServer } from "../../support/services.ts";
import { meetAtLock, useWorld } from "../../support/test-cases.ts";
import { botFid, people, silentRooms, troubleNetwork } from "../../support/world.ts";
import { storedEvents } from "../../support/stored.ts";

const bot = await useWorld();
const actor = { userId: "100", guildId: "900", roomId: "77", roleIds: [], managesServer: true };
const told: { room: string; text: string; buttons: string[]; nonce: string }[] = [];
const rooms = {
  ...silentRooms,
  post: async (room: string, { embeds, buttons = [], nonce }: RoomMessage) => {
    const ids = buttons.flat().map(({ customId }) => customId);
    told.push({ room, text: embeds[0]?.description ?? "", buttons: ids, nonce });
    return "1";
  },
};

beforeEach(async () => {
  told.length = 0;
  bot.woken.length = 0;
  await bot.net.seed.channel("art", { owner: people.owner, moderators: [people.moderator] });
});

async function castIt(
  code: LinkCode,
  changes: { fid?: number; text?: string; quoting?: string } = {},
): Promise<string> {
  const { fid = people.owner, text = codeCastText(code), quoting } = changes;
  const embeds = quoting === undefined ? [] : [{ url: quoting }];
  return (await bot.net.api.operator.cast({ fid, text, embeds })).hash;
}

async function check(context = bot): Promise<void> {
  await pollHub(context);
  await judgeCodeCasts(context);
  await sendNow(context, rooms);
}

const proofs = () => listProofs(bot.database.query, "900", "art");
const link = () => linkChannel(bot, actor, "art");

describe("a code that the channel's owner casts", () => {
  test("proves who they are, once, and tells the room where it was asked for", async () => {
    await expect(link()).rejects.toMatchObject({ code: "not_proven" });
    const code = await giveCode(bot, actor, "art");
    const hash = await castIt(code);
    await pollHub(bot);
    expect(bot.woken).toContain("check-proofs");
    expect(await hasProofs(bot)).toBe(true);
    await check();
    await check();
    expect(told).toMatchObject([{ room: "77", buttons: ["setup:art:link"] }]);
    expect(told[0]?.text).toContain("<@100> is fid 1, who owns or moderates /art");
    expect(await proofs()).toMatchObject([
      { userId: "100", fid: 1, method: "cast", castHash: hash, provenAtMs: bot.clock.now() },
    ]);
    expect(await hasProofs(bot)).toBe(false);
    expect(await link()).toMatchObject({ renewed: false });
    await verifyLinks(bot);
    const { suspended_at_ms } = await linkOfArt();
    expect(suspended_at_ms).toBeNull();
  });

  test("is an event of the server, and so is its end by unlinking, after which it has to be proven anew", async () => {
    await castIt(await giveCode(bot, actor, "art"));
    await check();
    await link();
    await unlinkChannel(bot, { guildId: "900", userId: "1" }, "art");
    const events = await storedEvents(bot.database, "link.changed");
    expect(events).toMatchObject([
      { channel_id: "art", data: { guildId: "900", change: "staff_proven" } },
      { channel_id: "art", data: { guildId: "900", change: "staff_withdrawn" } },
    ]);
    expect(await proofs()).toEqual([]);
    await expect(link()).rejects.toMatchObject({ code: "not_proven" });
  });

  test("of a moderator proves theirs", async () => {
    await castIt(await giveCode(bot, actor, "art"), { fid: people.moderator });
    await check();
    expect(await proofs()).toMatchObject([{ fid: people.moderator }]);
  });

  test("counts when the hub merged it in time, however late it is read", async () => {
    const code = await giveCode(bot, actor, "art");
    bot.clock.advance(14 * 60);
    await castIt(code);
    bot.clock.advance(3600);
    await check();
    expect(await proofs()).toHaveLength(1);
  });

  test("may be taken back once it is proven", async () => {
    const hash = await castIt(await giveCode(bot, actor, "art"));
    await check();
    await bot.net.api.operator.removeCast({ hash });
    await check();
    expect(await proofs()).toHaveLength(1);
    expect(told).toHaveLength(1);
  });

  test("proves nothing any more for whoever lost the role since", async () => {
    await castIt(await giveCode(bot, actor, "art"), { fid: people.moderator });
    await check();
    await link();
    const owner = bot.net.as(people.owner);
    await owner.channelInvites.remove({ channelId: "art", removeFid: people.moderator, role: "moderator" });
    await verifyLinks(bot);
    expect((await linkOfArt()).suspended_reason).toContain("no longer owns or moderates");
  });

  test("proves nothing any more once the fid has another custody address", async () => {
    await castIt(await giveCode(bot, actor, "art"));
    await check();
    await link();
    await bot.database.query
      .updateTable("network.accounts")
      .set({ custody_address: `0x${"9".repeat(40)}` })
      .where("fid", "=", people.owner)
      .execute();
    await verifyLinks(bot);
    expect(await proofs()).toHaveLength(1);
    bot.clock.advance(24 * 3600);
    await verifyLinks(bot);
    expect(await proofs()).toEqual([]);
    expect((await linkOfArt()).suspended_at_ms).toBe(bot.clock.now());
  });
});

describe("a code proves nothing", () => {
  const refusals: [string, string, (code: LinkCode) => Promise<unknown>][] = [
    ["cast by somebody else", "does not own or moderate it", (code) => castIt(code, { fid: people.troll })],
    ["cast by Castellan itself", "does not own or moderate it", (code) => castIt(code, { fid: botFid })],
    [
      "cast too late",
      "too late",
      (code) => {
        bot.clock.advance(15 * 60 + 1);
        return castIt(code);
      },
    ],
    ["in a quote", "a quote", (code) => castIt(code, { quoting: "https://castle.test/x/0x12345678" })],
    [
      "among other words",
      "other words",
      (code) => castIt(code, { text: `Somebody sent me this: ${codeCastText(code)}` }),
    ],
    [
      "cast for another server",
      "other words",
      (code) => castIt(code, { text: codeCastText({ ...code, guildId: "901" }) }),
    ],
    [
      "deleted before it was judged",
      "deleted",
      async (code) => bot.net.api.operator.removeCast({ hash: await castIt(code) }),
    ],
  ];
  test.each(refusals)("%s, and the room is told what to do", async (_name, sentence, happens) => {
    await bot.net.seed.account(50);
    const code = await giveCode(bot, actor, "art");
    await happens(code);
    await check();
    await check();
    expect(await proofs()).toEqual([]);
    expect(told).toMatchObject([{ room: "77", buttons: [] }]);
    expect(told[0]?.text).toContain(sentence);
    expect(told[0]?.text).toContain("/setup link");
    // What was cast is public: the next one is another.
    expect((await giveCode(bot, actor, "art")).code).not.toBe(code.code);
  });

  test("to another user or in another server, whoever shows it", async () => {
    await castIt(await giveCode(bot, actor, "art"));
    await check();
    for (const other of [
      { ...actor, userId: "101" },
      { ...actor, guildId: "901" },
    ]) {
      await expect(linkChannel(bot, other, "art")).rejects.toMatchObject({ code: "not_proven" });
    }
  });

  test("a second time, nor to anybody but the first, and is told of no more than five times", async () => {
    const code = await giveCode(bot, actor, "art");
    await castIt(code, { fid: people.troll });
    bot.clock.advance(1);
    await castIt(code);
    await check();
    expect(await proofs()).toMatchObject([{ fid: people.owner }]);
    expect(told).toHaveLength(2);
    await castIt(code, { fid: people.moderator });
    await check();
    expect(told).toHaveLength(2);
    const other = await giveCode(bot, { ...actor, userId: "101" }, "art");
    for (let time = 0; time < 8; time += 1) {
      bot.clock.advance(1);
      await castIt(other, { fid: people.troll });
      await check();
    }
    expect(told).toHaveLength(2 + 5);
  });

  test("where nobody was given it", async () => {
    const code = await giveCode(bot, actor, "art");
    await castIt(code, { text: codeCastText({ ...code, code: "castellan-0000-0000-0000" }) });
    await check();
    expect([await proofs(), told, await hasProofs(bot)]).toEqual([[], [], false]);
  });
});

describe("when something fails", () => {
  test("a channel that cannot be read holds up no other's proof, and its own is found as soon as it can", async () => {
    await bot.net.seed.channel("far", { owner: people.owner });
    const far = await giveCode(bot, actor, "far");
    await castIt(far);
    bot.clock.advance(1);
    await castIt(await giveCode(bot, actor, "art"));
    const gone = new AppError("network_unreachable", "The network did not answer.");
    const get = bot.network.channels.get;
    const channels: typeof bot.network.channels = {
      ...bot.network.channels,
      get: async (input) => {
        if (input.channelId === "far") throw gone;
        return get(input);
      },
    };
    const troubled = { ...bot, network: { ...bot.network, channels } };
    await pollHub(troubled);
    await expect(judgeCodeCasts(troubled)).rejects.toBe(gone);
    expect(await proofs()).toHaveLength(1);
    bot.clock.advance(3600);
    await check();
    expect(await listProofs(bot.database.query, "900", "far")).toHaveLength(1);
  });

  test("an unreadable custody address refuses no proof, and is asked for again", async () => {
    const gone = () => new AppError("network_unreachable", "The hub did not answer.");
    const network = troubleNetwork(bot.network, "hub", "onChainEventsByFid", gone, "before");
    await castIt(await giveCode(bot, actor, "art"));
    await check({ ...bot, network });
    expect(await proofs()).toMatchObject([{ custodyAddress: null }]);
    await link();
    await verifyLinks(bot);
    expect(await proofs()).toMatchObject([{ custodyAddress: `0x${"1".padStart(40, "0")}` }]);
  });

  test("a room that does not answer is told later, by the same message, and one that is gone is let go", async () => {
    await castIt(await giveCode(bot, actor, "art"));
    await pollHub(bot);
    await judgeCodeCasts(bot);
    const away = { ...rooms, post: () => Promise.reject(new Error("Discord is away")) };
    await sendNow(bot, away);
    bot.clock.advance(6);
    await sendNow(bot, rooms);
    expect(told).toHaveLength(1);
    expect(told[0]?.nonce).toHaveLength(25);
    await castIt(await giveCode(bot, { ...actor, userId: "102" }, "art"));
    await pollHub(bot);
    await judgeCodeCasts(bot);
    const closed = new AppError("room_unavailable", "The room is gone.");
    await sendNow(bot, { ...rooms, post: () => Promise.reject(closed) });
    expect(await hasProofs(bot)).toBe(false);
    bot.clock.advance(60);
    expect(await hasOutbox(bot)).toBe(false);
  });

  test.runIf(hasServer)("two workers that judge at once record one proof and one event", async () => {
    await castIt(await giveCode(bot, actor, "art"));
    await pollHub(bot);
    const judge = () => judgeCodeCasts(bot);
    await meetAtLock(bot.database, "castellan.code_casts", [judge, judge]);
    const events = await bot.database.query.selectFrom("castellan.events").select("data").execute();
    expect(events.filter(({ data }) => "change" in data)).toHaveLength(1);
  });
});

function linkOfArt() {
  return bot.database.query
    .selectFrom("castellan.links")
    .selectAll()
    .where("channel_id", "=", "art")
    .executeTakeFirstOrThrow();
}
