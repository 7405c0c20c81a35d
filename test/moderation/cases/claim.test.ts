import { beforeEach, describe, expect, test } from "vitest";
import type { NewChannelEvent } from "../../../src/observe/events.ts";
import { applyCase } from "../../../src/moderation/cases/apply.ts";
import type { Case, CaseRow } from "../../../src/moderation/cases/case.ts";
import { proposeCase, type Proposal } from "../../../src/moderation/cases/propose.ts";
import { resolveEchoes } from "../../../src/moderation/cases/resolve-echoes.ts";
import { linkGuild, people } from "../../support/world.ts";
import { useWorld } from "../../support/test-cases.ts";
import { proposeByRule } from "../../support/jobs.ts";

const { troll } = people;

const bot = await useWorld();
let cast: string;
let key = 0;

beforeEach(async () => {
  cast = await bot.net.seed.cast({ fid: troll, channelId: "memes" });
});

type Seen = Pick<NewChannelEvent, "kind" | "data"> & Partial<NewChannelEvent>;

/** Stores what a source saw, `late` seconds from now; what is not of records is in a listing that is read now. */
async function observe(...seen: Seen[]) {
  bot.clock.advance(0.001);
  const now = bot.clock.now();
  const events = seen.map((event) => {
    key += 1;
    const base = { sourceKey: `seen ${key}`, channelId: "memes", subjectFid: troll, caseId: null, depth: 0 };
    const read = event.kind.startsWith("record.") ? {} : { readAtMs: now };
    return { ...base, occurredAt: Math.floor(now / 1000), observedAt: now, ...read, ...event };
  });
  return bot.database.transaction((tx) => bot.appendEvents(tx, events));
}

const hidden = (late = 0, kind: "record.hidden" | "record.unhidden" = "record.hidden"): Seen => ({
  kind,
  data: { castHash: cast },
  occurredAt: Math.floor(bot.clock.now() / 1000) + late,
});

async function act(proposal: Pick<Proposal, "kind"> & Partial<Proposal>): Promise<Case> {
  const full = { guildId: "g1", channelId: "memes", actor: { userId: "100" }, ...proposal };
  const { id } = await bot.database.transaction((tx) => proposeCase(tx, bot.clock, full));
  return applyCase(bot, id);
}

function cases(guildId = "g1"): Promise<CaseRow[]> {
  return bot.database.query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("guild_id", "=", guildId)
    .orderBy("id")
    .execute();
}

/** What the target's changes are known as, oldest first. */
function changes() {
  return bot.database.query
    .selectFrom("castellan.events")
    .select(["kind", "case_id", "depth"])
    .where("kind", "in", ["user.banned", "user.unbanned", "record.hidden", "record.unhidden"])
    .orderBy("id")
    .execute();
}

function readRecords(late: number, behind = false): Promise<unknown> {
  return bot.database.query
    .insertInto("castellan.sources")
    .values({
      source: "records/memes",
      channel_id: "memes",
      succeeded_at_ms: bot.clock.now() + late * 1000,
      behind,
    })
    .execute();
}

describe("ours", () => {
  test("a record claims the case that caused it, and the case names the event", async () => {
    const hide = await act({ kind: "hide", targetCast: cast });
    const [event] = await observe(hidden());
    expect(event).toMatchObject({ caseId: hide.id, depth: 0 });
    expect(await cases()).toMatchObject([{ id: hide.id, event_id: event?.id }]);
  });

  test("records are a multiset: as many claims as cases, the oldest first, the rest is from outside", async () => {
    const first = await act({ kind: "hide", targetCast: cast });
    const shown = await act({ kind: "unhide", targetCast: cast });
    const second = await act({ kind: "hide", targetCast: cast });
    const events = await observe(
      hidden(),
      hidden(0, "record.unhidden"),
      hidden(1),
      hidden(1, "record.unhidden"),
      hidden(2),
    );
    expect(events.map(({ caseId }) => caseId)).toEqual([first.id, shown.id, second.id, null, null]);
    expect((await cases()).at(-1)).toMatchObject({ kind: "hide", state: "outside", number: 5 });
  });

  test("a record seen while the call is still under way is ours", async () => {
    const full = { guildId: "g1", channelId: "memes", actor: { userId: "100" } };
    const hide = await bot.database.transaction((tx) =>
      proposeCase(tx, bot.clock, { ...full, kind: "hide", targetCast: cast }),
    );
    const sent = { sent_at_ms: bot.clock.now(), echo: "expected" } as const;
    await bot.database.query.updateTable("castellan.cases").set(sent).execute();
    const [event] = await observe(hidden());
    expect(event?.caseId).toBe(hide.id);
    // What claimed its record happened, whatever the call answered.
    expect(await applyCase(bot, hide.id)).toMatchObject({ state: "applied" });
  });

  test("what follows from a rule's ban is one deeper than its event, for as long as it may be seen late", async () => {
    const ban = { kind: "ban", fid: people.member, reason: "spam", forSeconds: null } as const;
    const id = await proposeByRule(bot, ban, { depth: 2 });
    await applyCase(bot, id);
    bot.clock.advance(30);
    const about = { subjectFid: people.member };
    const stored = await observe(
      { kind: "user.banned", data: { at: 1 }, ...about, occurredAt: Math.floor(bot.clock.now() / 1000) - 30 },
      { kind: "member.left", data: {}, ...about },
      { kind: "member.left", data: {} },
    );
    // The ban is an event since it was answered.
    expect(stored).toMatchObject([
      { kind: "member.left", caseId: id, depth: 2 },
      { kind: "member.left", caseId: null, depth: 0 },
    ]);
    expect(await changes()).toMatchObject([{ kind: "user.banned", case_id: id, depth: 2 }]);
  });
});

describe("a change that is seen at once is ours, whatever time the network names", () => {
  test.each([-59, -30, -8, 8, 30, 7200, 86_400])("%i s from our own", async (late) => {
    const hide = await act({ kind: "hide", targetCast: cast });
    const ban = await act({ kind: "ban", targetFid: troll });
    const { occurredAt } = hidden(late);
    const events = await observe(hidden(late), {
      kind: "user.banned",
      data: { at: occurredAt ?? 0 },
      ...(occurredAt !== undefined && { occurredAt }),
    });
    expect(events.map(({ caseId }) => caseId)).toEqual([hide.id]);
    expect((await changes()).map(({ kind, case_id }) => [kind, case_id])).toEqual([
      ["user.banned", ban.id],
      ["record.hidden", hide.id],
    ]);
    expect((await cases()).map(({ state }) => state)).toEqual(["applied", "applied"]);
  });

  test("or, of several cases, the one that was under way: an earlier one may have changed nothing", async () => {
    await act({ kind: "unhide", targetCast: cast });
    bot.clock.advance(2);
    await act({ kind: "hide", targetCast: cast });
    bot.clock.advance(1);
    const effective = await act({ kind: "unhide", targetCast: cast });
    const [event] = await observe(hidden(0, "record.unhidden"));
    expect(event?.caseId).toBe(effective.id);
  });

  test("what follows from it too", async () => {
    const ban = await act({ kind: "ban", targetFid: troll });
    const occurredAt = Math.floor(bot.clock.now() / 1000) - 30;
    const [left] = await observe({ kind: "member.left", data: {}, occurredAt });
    expect(left?.caseId).toBe(ban.id);
  });
});

describe("not ours", () => {
  test("a record from before the call, which the call has seen", async () => {
    const outside = bot.net.as(people.owner);
    await outside.moderatedCasts.moderate({ castHash: cast, action: "hide" });
    bot.clock.advance(1);
    await outside.moderatedCasts.moderate({ castHash: cast, action: "unhide" });
    bot.clock.advance(1);
    const hide = await act({ kind: "hide", targetCast: cast });
    const events = await observe(hidden(-2), hidden(-1, "record.unhidden"), hidden());
    expect(events.map(({ caseId }) => caseId)).toEqual([null, null, hide.id]);
    expect((await cases()).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      "hide applied",
      "hide reverted",
      "unhide reverted",
    ]);
  });

  test("a record that comes when ours must have been seen", async () => {
    await act({ kind: "hide", targetCast: cast });
    await readRecords(11);
    await resolveEchoes(bot);
    bot.clock.advance(6);
    const [event] = await observe(hidden());
    expect(event?.caseId).toBeNull();
    expect((await cases())[1]).toMatchObject({ state: "outside", actor_kind: "outside", number: 2 });
  });

  test("a case that was never sent claims nothing", async () => {
    await act({ kind: "ban", targetFid: people.owner });
    const failed = await act({ kind: "hide", targetCast: cast });
    const already = await act({ kind: "hide", targetCast: cast });
    expect([failed.state, already.state]).toEqual(["applied", "already"]);
    const events = await observe(hidden(), hidden(1));
    expect(events.map(({ caseId }) => caseId)).toEqual([failed.id, null]);
  });

  test("every linked server gets its own case, numbered in its own row", async () => {
    await linkGuild(bot, "memes", "g2");
    await act({ kind: "ban", targetFid: troll });
    await observe({ kind: "user.banned", data: { at: 1 }, subjectFid: 99 });
    expect((await cases("g1")).map(({ number }) => number)).toEqual([1, 2]);
    expect(await cases("g2")).toMatchObject([{ number: 1, kind: "ban", state: "outside", target_fid: 99 }]);
  });

  test("an unban from outside ends the bans before it", async () => {
    const ban = await act({ kind: "ban", targetFid: troll });
    await observe({ kind: "user.banned", data: { at: 1 } });
    bot.clock.advance(60);
    await observe({ kind: "user.unbanned", data: {} });
    expect(await cases()).toMatchObject([
      { id: ban.id, state: "reverted" },
      { kind: "unban", state: "outside" },
    ]);
  });

  test("an unban that is seen after a newer ban is not the one before that ban", async () => {
    await act({ kind: "ban", targetFid: troll });
    await observe({ kind: "user.banned", data: { at: Math.floor(bot.clock.now() / 1000) } });
    bot.clock.advance(60);
    const unban = await act({ kind: "unban", targetFid: troll });
    const ban = await act({ kind: "ban", targetFid: troll });
    // All of it is known already.
    expect(await observe({ kind: "user.banned", data: { at: Math.floor(bot.clock.now() / 1000) } })).toEqual(
      [],
    );
    bot.clock.advance(30);
    const [lifted] = await observe({ kind: "user.unbanned", data: {} });
    expect(lifted?.caseId).toBeNull();
    expect(await cases()).toMatchObject([
      { kind: "ban", state: "reverted" },
      { id: unban.id, state: "applied" },
      { id: ban.id, state: "reverted" },
      { kind: "unban", state: "outside" },
    ]);
  });

  test("an invite from outside names who invited", async () => {
    await observe({ kind: "invite.created", data: { role: "member", inviterFid: people.moderator } });
    expect(await cases()).toMatchObject([{ kind: "invite", role: "member", actor_fid: people.moderator }]);
  });
});

test("a case that changed nothing says so also when another has ended it since, and causes nothing later", async () => {
  const idle = await act({ kind: "unhide", targetCast: cast });
  await act({ kind: "hide", targetCast: cast });
  await observe(hidden());
  await readRecords(11);
  await resolveEchoes(bot);
  expect(await cases()).toMatchObject([
    { state: "reverted", outcome: "already" },
    { state: "applied", outcome: "done" },
  ]);
  const settled = bot.database.query
    .selectFrom("castellan.events")
    .selectAll()
    .where("case_id", "=", idle.id);
  const news = await settled.where("kind", "=", "case.settled").orderBy("id").execute();
  expect(news.map(({ data }) => data)).toMatchObject([{ state: "applied" }, { state: "already" }]);
  const [event] = await observe(hidden(0, "record.unhidden"));
  expect(event?.caseId).toBeNull();
  await resolveEchoes(bot);
  expect(await settled.execute()).toHaveLength(2);
});
