import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { applyCase } from "../../../src/moderation/cases/apply.ts";
import type { Case, CaseKind } from "../../../src/moderation/cases/case.ts";
import { proposeCase } from "../../../src/moderation/cases/propose.ts";
import { createProposeRuleAction } from "../../../src/moderation/cases/propose-rule-action.ts";
import { resolveEchoes } from "../../../src/moderation/cases/resolve-echoes.ts";
import type { NewChannelEvent } from "../../../src/observe/events.ts";
import { pollListings } from "../../../src/observe/listings/poll-listings.ts";
import { followLinks } from "../../../src/observe/sources.ts";
import { createWorld, people, seedChannel, type World } from "../../support/world.ts";
import { hasServer } from "../../support/services.ts";
import { meetAtLock } from "../../support/test-cases.ts";
import { storedCases } from "../../support/stored.ts";
import { byRule } from "../../support/jobs.ts";

const { troll } = people;
const counter = "castellan.counters";

/** Transactions that appended events: one more than the works means that a deadlock undid one. */
let appends: number;

const plain = await createWorld();
const bot: World = {
  ...plain,
  appendEvents: (tx, events) => {
    appends += 1;
    return plain.appendEvents(tx, events);
  },
};
afterAll(() => bot.database.close());
beforeEach(async () => {
  await bot.database.truncate();
  await seedChannel(bot, "memes", "g1");
});

async function propose(kind: CaseKind, about: { targetFid?: number; targetCast?: string }): Promise<Case> {
  const full = { guildId: "g1", channelId: "memes", actor: { userId: "100" }, kind, ...about };
  return bot.database.transaction((tx) => proposeCase(tx, bot.clock, full));
}

async function act(kind: CaseKind): Promise<Case> {
  return applyCase(bot, (await propose(kind, { targetFid: troll })).id);
}

function event(kind: "user.unbanned" | "record.hidden", castHash = "0x"): NewChannelEvent {
  const now = bot.clock.now();
  const occurredAt = Math.floor(now / 1000);
  const about = { sourceKey: "seen", channelId: "memes", subjectFid: troll, caseId: null, depth: 0 };
  const core = kind === "user.unbanned" ? { kind, data: {} } : { kind, data: { castHash } };
  return { ...about, ...core, occurredAt, observedAt: now };
}

const observe = (seen: NewChannelEvent) => bot.database.transaction((tx) => bot.appendEvents(tx, [seen]));

async function states(): Promise<string[]> {
  const cases = await storedCases(bot.database);
  return cases.map(({ kind, state }) => `${kind} ${state}`);
}

describe.runIf(hasServer)("transactions that meet never wait in a circle", () => {
  test("an unban that is settled, and the listing that shows it", async () => {
    const ban = await act("ban");
    const unban = await propose("unban", { targetFid: troll });
    await bot.database.query
      .updateTable("castellan.cases")
      .set({ sent_at_ms: bot.clock.now(), echo: "expected" })
      .where("id", "=", unban.id)
      .execute();
    appends = 0;
    await meetAtLock<unknown>(bot.database, `castellan.cases where id = ${ban.id}`, [
      () => observe(event("user.unbanned")),
      () => applyCase(bot, unban.id),
    ]);
    expect(appends).toBe(2);
    expect(await states()).toEqual(["ban reverted", "unban applied"]);
  });

  test.each(["settled", "read"])(
    "a ban that is settled and the reading that shows it, first %s",
    async (first) => {
      await followLinks(bot);
      await pollListings(bot, "memes");
      const ban = await propose("ban", { targetFid: troll });
      await bot.database.query
        .updateTable("castellan.cases")
        .set({ sent_at_ms: bot.clock.now(), state_before: "", echo: "expected" })
        .where("id", "=", ban.id)
        .execute();
      await bot.network.channelBans.ban({ channelId: "memes", banFid: troll });
      appends = 0;
      const works = [() => applyCase(bot, ban.id), () => pollListings(bot, "memes")];
      await meetAtLock<unknown>(
        bot.database,
        `castellan.cases where id = ${ban.id}`,
        first === "settled" ? works : works.toReversed(),
      );
      expect(appends).toBe(2);
      expect(await states()).toEqual(["ban applied"]);
      const told = await bot.database.query
        .selectFrom("castellan.events")
        .select("case_id")
        .where("kind", "=", "user.banned")
        .execute();
      expect(told).toEqual([{ case_id: ban.id }]);
    },
  );

  test("an unban from outside, and ours, of a ban from long ago", async () => {
    await act("ban");
    bot.clock.advance(24 * 3600);
    const unban = await propose("unban", { targetFid: troll });
    appends = 0;
    await meetAtLock<unknown>(bot.database, counter, [
      () => observe(event("user.unbanned")),
      () => applyCase(bot, unban.id),
    ]);
    expect(appends).toBe(2);
    expect(await states()).toEqual(["ban reverted", "unban applied", "unban outside"]);
  });

  test("the first case from outside, and the first of a rule", async () => {
    const cast = await bot.net.seed.cast({ fid: troll, channelId: "memes" });
    const proposeRule = createProposeRuleAction(bot.clock);
    const ban = { kind: "ban", fid: troll, reason: "spam", forSeconds: null } as const;
    const settleRule = () =>
      bot.database.transaction(async (tx) => {
        await proposeRule(tx, { ...byRule, action: ban });
        const data = { source: "hub", from: 0, until: 1 };
        await bot.appendEvents(tx, [
          { ...event("user.unbanned"), kind: "gap.found", sourceKey: "any", data },
        ]);
      });
    appends = 0;
    await meetAtLock<unknown>(bot.database, counter, [
      () => observe(event("record.hidden", cast)),
      settleRule,
    ]);
    expect(appends).toBe(2);
    expect((await states()).toSorted()).toEqual(["ban requested", "hide outside"]);
  });
});

test("what nobody claimed is marked once, by however many workers", async () => {
  const count = 6;
  for (let index = 0; index < count; index += 1) {
    const targetCast = await bot.net.seed.cast({ fid: troll, channelId: "memes" });
    await applyCase(bot, (await propose("hide", { targetCast })).id);
  }
  await bot.database.query
    .insertInto("castellan.sources")
    .values({ source: "records/memes", channel_id: "memes", succeeded_at_ms: bot.clock.now() + 60_000 })
    .execute();
  appends = 0;
  await Promise.all([1, 2, 3].map(() => resolveEchoes(bot)));
  expect(await states()).toEqual(Array.from({ length: count }, () => "hide already"));
  expect(appends).toBe(count);
});
