import { beforeEach, describe, expect, test } from "vitest";
import { applyCase } from "../../../src/moderation/cases/apply.ts";
import type { Case, Target } from "../../../src/moderation/cases/case.ts";
import { proposeCase } from "../../../src/moderation/cases/propose.ts";
import { channelEventPrefix, newEvent, type EventContent } from "../../../src/observe/events.ts";
import { pollListings } from "../../../src/observe/listings/poll-listings.ts";
import { followLinks } from "../../../src/observe/sources.ts";
import { useWorld } from "../../support/test-cases.ts";
import { people } from "../../support/world.ts";
import { storedCases } from "../../support/stored.ts";

const [channelId, fid] = ["memes", people.troll];
const aboutTroll = { targetFid: fid };

const bot = await useWorld();
let cast: string;
let seen = 0;
let outside: ReturnType<typeof bot.net.as>;

beforeEach(async () => {
  cast = await bot.net.seed.cast({ fid, channelId });
  outside = bot.net.as(people.owner);
  await followLinks(bot);
  await look();
});

const look = () => pollListings(bot, channelId);

/** We do this, `after` seconds from now. */
async function act(after: number, target: Omit<Target, "channelId">): Promise<Case> {
  bot.clock.advance(after);
  return applyCase(bot, await ask(target));
}

/** We are asked to do this. */
async function ask(target: Omit<Target, "channelId">): Promise<number> {
  const proposal = { guildId: "g1", channelId, actor: { userId: "100" }, role: "member", ...target } as const;
  const { id } = await bot.database.transaction((tx) => proposeCase(tx, bot.clock, proposal));
  return id;
}

/** What is told of at `observedAt` (UNIX milliseconds), as having happened then or at `occurredAt` (UNIX seconds). */
async function tell(observedAt: number, occurredAt: number, ...contents: EventContent[]) {
  const events = contents.map((content, index) => {
    const sourceKey = `${channelEventPrefix}${(seen += 1)}`;
    const about = { channelId, subjectFid: fid, sourceKey, occurredAt: occurredAt + index };
    return newEvent(observedAt, { ...content, ...about });
  });
  const stored = await bot.database.transaction((tx) => bot.appendEvents(tx, events));
  return stored.map(({ caseId }) => caseId);
}

function changes() {
  return bot.database.query
    .selectFrom("castellan.events")
    .select(["kind", "case_id"])
    .where("kind", "<>", "case.settled")
    .orderBy("id")
    .execute();
}

async function cases(): Promise<string[]> {
  const rows = await storedCases(bot.database);
  return rows.map(({ kind, state, actor_kind }) => `${kind} ${state} ${actor_kind}`);
}

describe("what we did and took back between two readings, and others do then, is theirs", () => {
  test("a ban, and then its lifting", async () => {
    await act(0, { kind: "ban", ...aboutTroll });
    await act(2, { kind: "unban", ...aboutTroll });
    await look();
    bot.clock.advance(11);
    await outside.channelBans.ban({ channelId, banFid: fid });
    await look();
    const ours = ["ban reverted person", "unban applied person"];
    expect(await cases()).toEqual([...ours, "ban outside outside"]);
    bot.clock.advance(1);
    await outside.channelBans.unban({ channelId, unbanFid: fid });
    await look();
    expect(await cases()).toEqual([...ours, "ban reverted outside", "unban outside outside"]);
  });

  test("an invite", async () => {
    bot.clock.advance(60);
    const target = { targetFid: 40 };
    await bot.net.seed.account(40);
    await bot.net.as(40).channelFollows.follow({ channelId });
    await act(0, { kind: "invite", ...target });
    await act(2, { kind: "revoke_invite", ...target });
    await look();
    bot.clock.advance(11);
    await outside.channelInvites.invite({ channelId, inviteFid: 40, role: "member" });
    await look();
    expect(await cases()).toEqual([
      "invite reverted person",
      "revoke_invite applied person",
      "invite outside outside",
    ]);
  });

  test("a pin", async () => {
    await act(0, { kind: "pin", targetCast: cast });
    await act(2, { kind: "unpin", targetCast: cast });
    await look();
    bot.clock.advance(11);
    await outside.pinnedCasts.pin({ castHash: cast });
    await look();
    expect(await cases()).toEqual(["pin reverted person", "unpin reverted person", "pin outside outside"]);
  });
});

describe("what is told of late is ours as it was", () => {
  test("a ban and its lifting, told of after both", async () => {
    const at = Math.floor(bot.clock.now() / 1000);
    const ban = await act(0, { kind: "ban", ...aboutTroll });
    const unban = await act(1, { kind: "unban", ...aboutTroll });
    bot.clock.advance(30);
    const told = await tell(
      bot.clock.now(),
      at,
      { kind: "user.banned", data: { at } },
      { kind: "user.unbanned", data: {} },
    );
    expect(told).toEqual([]);
    expect(await changes()).toEqual([
      { kind: "user.banned", case_id: ban.id },
      { kind: "user.unbanned", case_id: unban.id },
    ]);
  });

  test("a pin, shown minutes after it was answered", async () => {
    await act(0, { kind: "pin", targetCast: cast });
    bot.clock.advance(280);
    await look();
    expect(await cases()).toEqual(["pin applied person"]);
  });

  test.each(["pin", "unpin"] as const)(
    "the %s of a channel event that comes after the network was away",
    async (kind) => {
      await act(0, { kind: "pin", targetCast: cast });
      if (kind === "unpin") {
        await look();
        await act(1, { kind, targetCast: cast });
      }
      const at = Math.floor(bot.clock.now() / 1000);
      const [ours] = (await cases()).slice(-1);
      bot.clock.advance(1800);
      const [castHash, previousHash] = kind === "pin" ? [cast, null] : [null, cast];
      await tell(bot.clock.now(), at, { kind: "pin.changed", data: { castHash, previousHash } });
      expect((await cases()).slice(-1)).toEqual([ours]);
    },
  );

  test("a ban that was seen before its lifting, by a network whose clock goes ahead", async () => {
    const ban = await act(0, { kind: "ban", ...aboutTroll });
    const seenAt = bot.clock.now();
    await act(1, { kind: "unban", ...aboutTroll });
    const at = Math.floor(seenAt / 1000) + 7200;
    expect(await tell(seenAt, at, { kind: "user.banned", data: { at } })).toEqual([]);
    expect((await changes())[0]).toEqual({ kind: "user.banned", case_id: ban.id });
  });
});

describe("what we are asked for, and can do only after others changed the same, is ours", () => {
  test("a pin", async () => {
    const other = await bot.net.seed.cast({ fid, channelId });
    const pin = await ask({ kind: "pin", targetCast: cast });
    await outside.pinnedCasts.pin({ castHash: other });
    await look();
    bot.clock.advance(60);
    await applyCase(bot, pin);
    await look();
    expect(await cases()).toEqual(["pin applied person", "pin reverted outside"]);
  });

  test("a ban that went out without an answer, while others banned and lifted that", async () => {
    const ban = await ask({ kind: "ban", ...aboutTroll });
    await bot.database.query
      .updateTable("castellan.cases")
      .set({ sent_at_ms: bot.clock.now(), state_before: "", echo: "expected" })
      .where("id", "=", ban)
      .execute();
    bot.clock.advance(30);
    await outside.channelBans.ban({ channelId, banFid: fid });
    await tell(bot.clock.now(), Math.floor(bot.clock.now() / 1000), { kind: "user.unbanned", data: {} });
    await outside.channelBans.unban({ channelId, unbanFid: fid });
    bot.clock.advance(60);
    await applyCase(bot, ban);
    await look();
    expect(await cases()).toEqual(["ban applied person", "unban outside outside"]);
  });

  test("an unban: what others banned meanwhile stands no more", async () => {
    await act(0, { kind: "ban", ...aboutTroll });
    await look();
    const unban = await ask({ kind: "unban", ...aboutTroll });
    bot.clock.advance(10);
    await outside.channelBans.unban({ channelId, unbanFid: fid });
    await look();
    bot.clock.advance(10);
    await outside.channelBans.ban({ channelId, banFid: fid });
    await look();
    bot.clock.advance(10);
    await applyCase(bot, unban);
    expect(await cases()).toEqual([
      "ban reverted person",
      "unban applied person",
      "unban outside outside",
      "ban reverted outside",
    ]);
  });
});
