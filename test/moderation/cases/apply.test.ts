import { beforeEach, describe, expect, test } from "vitest";
import { AppError } from "../../../src/errors.ts";
import type { Network } from "../../../src/contract/index.ts";
import { planUndo } from "../../../src/moderation/bulks/plan-undo.ts";
import { applyCase } from "../../../src/moderation/cases/apply.ts";
import { readCase, type Case, type CaseKind } from "../../../src/moderation/cases/case.ts";
import { describeOutcome } from "../../../src/moderation/cases/outcome.ts";
import { proposeCase, type Proposal } from "../../../src/moderation/cases/propose.ts";
import { botFid, people, troubleNetwork } from "../../support/world.ts";
import { useWorld } from "../../support/test-cases.ts";
import { applyOpenCases } from "../../support/jobs.ts";
import { storedEvents } from "../../support/stored.ts";

const { troll, member, moderator, owner } = people;
const unreachable = (mayHaveHappened: boolean) =>
  new AppError("network_unreachable", "The network did not answer.", { mayHaveHappened });
const failsOnce = (call: number) => (call === 1 ? unreachable(true) : undefined);
const usedUp = () => new AppError("rate_limited", "Too many.", { retryAfter: 1200 });

const bot = await useWorld();
let cast: string;

beforeEach(async () => {
  cast = await bot.net.seed.cast({ fid: troll, channelId: "memes" });
});

function propose(proposal: Pick<Proposal, "kind"> & Partial<Proposal>): Promise<Case> {
  const full = { guildId: "g1", channelId: "memes", actor: { userId: "100" }, ...proposal };
  return bot.database.transaction((tx) => proposeCase(tx, bot.clock, full));
}

async function act(proposal: Pick<Proposal, "kind"> & Partial<Proposal>, network?: Network): Promise<Case> {
  const { id } = await propose(proposal);
  return applyCase(network ? { ...bot, network } : bot, id);
}

async function isBanned(fid: number): Promise<boolean> {
  const { result } = await bot.network.channelBans.list({ channelId: "memes", fid });
  return result.bannedUsers.length > 0;
}

describe("each kind of case changes the network, and again is 'already'", () => {
  const follow = () => bot.net.seed.follow(troll, "memes");
  const invite = { kind: "invite", targetFid: troll, role: "member" } as const;
  const table: { kind: CaseKind; proposal: Partial<Proposal>; before?: () => Promise<unknown> }[] = [
    { kind: "ban", proposal: { targetFid: troll } },
    { kind: "unban", proposal: { targetFid: troll }, before: () => act({ kind: "ban", targetFid: troll }) },
    { kind: "invite", proposal: invite, before: follow },
    {
      kind: "revoke_invite",
      proposal: { targetFid: troll, role: "member" },
      before: async () => {
        await follow();
        await act(invite);
      },
    },
    { kind: "remove_member", proposal: { targetFid: member, role: "member" } },
    { kind: "hide", proposal: {} },
    { kind: "unhide", proposal: {}, before: () => act({ kind: "hide", targetCast: cast }) },
    { kind: "pin", proposal: {} },
    { kind: "unpin", proposal: {}, before: () => act({ kind: "pin", targetCast: cast }) },
  ];
  test.each(table)("$kind", async ({ kind, proposal, before }) => {
    await before?.();
    const target = proposal.targetFid === undefined ? { targetCast: cast } : {};
    const first = await act({ kind, ...target, ...proposal });
    expect(first).toMatchObject({ state: "applied", outcome: "done" });
    expect(first.settledAtMs).toBe(bot.clock.now());
    const again = await act({ kind, ...target, ...proposal });
    expect(again).toMatchObject({ state: "already", outcome: "already", sentAtMs: null });
  });
});

describe("an undo that is requested before its case is settled", () => {
  const undo = async (subject: Case) => {
    const { steps, stays } = await planUndo(bot, bot.database.query, [subject], { underWayToo: true });
    const [step] = steps;
    return step ? propose(step.action) : stays.map(({ why }) => why);
  };

  test("is dropped where the case turns out to have changed nothing", async () => {
    const hide = await propose({ kind: "hide", targetCast: cast });
    const undoing = await undo(hide);
    await bot.network.moderatedCasts.moderate({ castHash: cast, action: "hide" });
    if (Array.isArray(undoing)) throw new Error(undoing.join());
    await applyCase(bot, undoing.id);
    expect(await readCase(bot, hide.id)).toMatchObject({ state: "already" });
    const settled = await readCase(bot, undoing.id);
    expect(settled).toMatchObject({ state: "failed", outcome: "nothing_to_undo", sentAtMs: null });
    expect(describeOutcome(settled)).toBe(`Not undone: case C-${hide.number} changed nothing.`);
  });

  test("is refused where it would not be known what to pin again", async () => {
    const unpin = await propose({ kind: "unpin" });
    expect(await undo(unpin)).toEqual(["it is not known what was pinned"]);
  });
});

describe("what the network refuses is a failed case with the reason in people's words", () => {
  test.each([
    ["ban", { targetFid: owner }, "The owner of a channel cannot be banned."],
    ["ban", { targetFid: moderator }, "Only the owner can ban a moderator."],
    ["invite", { targetFid: troll, role: "member" }, "follows neither the channel"],
    ["hide", { targetCast: `0x${"f".repeat(40)}` }, "has no such channel or cast"],
  ] as const)("%s of %o", async (kind, proposal, words) => {
    const settled = await act({ kind, ...proposal });
    expect(settled).toMatchObject({ state: "failed", outcome: "refused" });
    expect(describeOutcome(settled)).toContain(words);
  });

  test("a bot that lost its role", async () => {
    await bot.net
      .as(owner)
      .channelInvites.remove({ channelId: "memes", removeFid: botFid, role: "moderator" });
    const settled = await act({ kind: "ban", targetFid: troll });
    expect(settled).toMatchObject({ state: "failed", eventId: null });
    expect(settled).toMatchObject({ outcome: "refused", outcomeDetail: { code: "not_permitted" } });
  });
});

test("a refusal for a reason that nobody here knows fails the case at once, with the network's own sentence", async () => {
  const sentence = "User must follow channel or inviter to be invited as member";
  const refuse = () => new AppError("network_refused", sentence, { status: 400 });
  const network = troubleNetwork(bot.network, "channelBans", "ban", refuse, "before");
  const settled = await act({ kind: "ban", targetFid: troll }, network);
  expect(settled).toMatchObject({
    state: "failed",
    outcome: "refused",
    outcomeDetail: { code: "network_refused", message: sentence },
  });
  expect(describeOutcome(settled)).toBe(`The network refused: ${sentence}`);
});

describe("when the network does not answer", () => {
  test("a call that happened all the same is applied", async () => {
    const network = troubleNetwork(bot.network, "channelBans", "ban", () => unreachable(true), "after");
    expect(await act({ kind: "ban", targetFid: troll }, network)).toMatchObject({ state: "applied" });
  });

  test("a call that did not happen is tried again, after a look, by the worker", async () => {
    const network = troubleNetwork(bot.network, "channelBans", "ban", failsOnce, "before");
    const waiting = await act({ kind: "ban", targetFid: troll }, network);
    expect(waiting).toMatchObject({
      state: "requested",
      attempts: 1,
      outcome: null,
      waitingReason: "response",
    });
    expect(await applyOpenCases({ ...bot, network })).toBe(0);
    bot.clock.advance(6);
    expect(await applyOpenCases({ ...bot, network })).toBe(1);
    expect(await isBanned(troll)).toBe(true);
  });

  test("nothing is repeated when the first look of the next try shows that it happened", async () => {
    const listing = troubleNetwork(
      bot.network,
      "channelBans",
      "list",
      (call) => (call === 2 ? unreachable(false) : undefined),
      "before",
    );
    let calls = 0;
    const count = () => {
      calls += 1;
      return unreachable(true);
    };
    const network = troubleNetwork(listing, "channelBans", "ban", count, "after");
    const { id } = await act({ kind: "ban", targetFid: troll }, network);
    bot.clock.advance(6);
    expect(await applyCase({ ...bot, network }, id)).toMatchObject({ state: "applied", attempts: 2 });
    expect(calls).toBe(1);
  });

  test("it gives up after about ten minutes and says so", async () => {
    const network = troubleNetwork(bot.network, "channelBans", "list", () => unreachable(false), "before");
    let subject = await act({ kind: "ban", targetFid: troll }, network);
    for (let tries = 1; tries < 20 && subject.state === "requested"; tries += 1) {
      bot.clock.advance(300);
      subject = await applyCase({ ...bot, network }, subject.id);
    }
    expect(subject).toMatchObject({
      state: "failed",
      attempts: 7,
      outcome: "no_response",
      waitingReason: null,
    });
  });
});

describe("a settled case wakes", () => {
  test("who reads what it changed, in its channel alone", async () => {
    bot.woken.length = 0;
    await act({ kind: "ban", targetFid: troll });
    await act({ kind: "hide", targetCast: cast });
    expect(bot.woken).toEqual(["poll-listings memes", "poll-records memes"]);
  });

  test("nobody when it changed nothing", async () => {
    await act({ kind: "ban", targetFid: troll });
    bot.woken.length = 0;
    await act({ kind: "ban", targetFid: troll });
    await act({ kind: "ban", targetFid: owner });
    expect(bot.woken).toEqual([]);
  });
});

describe("crashes and crowds", () => {
  test("two workers at once act once", async () => {
    const { id } = await propose({ kind: "ban", targetFid: troll });
    let calls = 0;
    const count = () => {
      calls += 1;
      return undefined;
    };
    const network = troubleNetwork(bot.network, "channelBans", "ban", count, "before");
    const both = await Promise.all([1, 2].map(() => applyCase({ ...bot, network }, id)));
    expect(both.map(({ state }) => state)).toEqual(["applied", "applied"]);
    expect(calls).toBe(1);
  });

  test("two moderators at once: one acts, the other hears that it was so already", async () => {
    const cases = await Promise.all([
      propose({ kind: "ban", targetFid: troll }),
      propose({ kind: "ban", targetFid: troll, actor: { userId: "101" } }),
    ]);
    const settled = await Promise.all(cases.map(({ id }) => applyCase(bot, id)));
    expect(settled.map(({ state }) => state).toSorted()).toEqual(["already", "applied"]);
    expect(new Set(settled.map(({ number }) => number))).toEqual(new Set([1, 2]));
  });

  test("a process that died with the case in its hands is followed by the worker, once the lease is over", async () => {
    const { id } = await propose({ kind: "ban", targetFid: troll });
    const dies = troubleNetwork(bot.network, "channelBans", "ban", () => undefined, "after");
    const never: Network = {
      ...dies,
      channelBans: { ...dies.channelBans, ban: () => new Promise(() => {}) },
    };
    void applyCase({ ...bot, network: never }, id);
    await expect.poll(() => readCase(bot, id)).toMatchObject({ attempts: 1 });
    await expect.poll(async () => (await readCase(bot, id)).sentAtMs).toBe(bot.clock.now());
    expect(await applyOpenCases(bot)).toBe(0);
    bot.clock.advance(61);
    await applyOpenCases(bot);
    expect(await readCase(bot, id)).toMatchObject({ state: "applied", attempts: 2 });
  });

  test("whose look before the call took as long as its lease keeps the case while the call is out", async () => {
    const { id } = await propose({ kind: "ban", targetFid: troll });
    const calls: number[] = [];
    const { channelBans } = bot.network;
    const slow: Network = {
      ...bot.network,
      channelBans: {
        ...channelBans,
        list: async (...input) => {
          bot.clock.advance(61);
          return channelBans.list(...input);
        },
        ban: async (...input) => {
          calls.push(bot.clock.now());
          if (calls.length === 1) await applyOpenCases({ ...bot, network: slow });
          return channelBans.ban(...input);
        },
      },
    };
    await applyCase({ ...bot, network: slow }, id);
    expect(calls).toHaveLength(1);
    expect(await readCase(bot, id)).toMatchObject({ state: "applied", attempts: 1 });
  });

  test("an unban asked for after a ban is done after it, whoever begins", async () => {
    await propose({ kind: "ban", targetFid: troll });
    const unban = await propose({ kind: "unban", targetFid: troll });
    expect(await applyCase(bot, unban.id)).toMatchObject({ state: "applied" });
    expect(await isBanned(troll)).toBe(false);
  });
});

test("a settled case and what it changed are events that name it, and it ends what it reverts", async () => {
  const ban = await act({ kind: "ban", targetFid: troll });
  const unban = await act({ kind: "unban", targetFid: troll });
  const events = await storedEvents(bot.database);
  expect(events).toMatchObject([
    { kind: "case.settled", case_id: ban.id, data: { number: 1, kind: "ban", state: "applied" } },
    { kind: "user.banned", case_id: ban.id },
    { kind: "case.settled", case_id: unban.id, data: { number: 2, kind: "unban", state: "applied" } },
    { kind: "user.unbanned", case_id: unban.id },
  ]);
  expect(await readCase(bot, ban.id)).toMatchObject({ state: "reverted" });
});

test("the budget of invites being used up is said with the time that is left", async () => {
  await bot.net.seed.follow(troll, "memes");
  const network = troubleNetwork(bot.network, "channelInvites", "invite", usedUp, "before");
  const settled = await act({ kind: "invite", targetFid: troll, role: "member" }, network);
  expect(settled).toMatchObject({
    state: "failed",
    outcome: "limit_reached",
    outcomeDetail: { minutes: 20 },
  });
});
