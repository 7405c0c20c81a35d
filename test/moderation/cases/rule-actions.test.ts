import { beforeEach, describe, expect, test } from "vitest";
import { applyCase, applyOpenCases as applyInChannel } from "../../../src/moderation/cases/apply.ts";
import { expireBans } from "../../../src/moderation/cases/expire.ts";
import { proposeCase } from "../../../src/moderation/cases/propose.ts";
import type { Network } from "../../../src/contract/index.ts";
import { AppError } from "../../../src/errors.ts";
import { addCasts } from "../../support/casts.ts";
import { applyOpenCases, proposeByRule } from "../../support/jobs.ts";
import { textBody } from "../../../src/observe/cast-body.ts";
import type { NetworkAction } from "../../../src/rules/actions/action.ts";
import { people, troubleNetwork } from "../../support/world.ts";
import { useWorld } from "../../support/test-cases.ts";

const { troll, member } = people;

const bot = await useWorld();
let castHash: string;

beforeEach(async () => {
  castHash = await bot.net.seed.cast({ fid: troll, channelId: "memes" });
});

/** Does what a rule asks for, as settle-cases would. */
async function act(action: NetworkAction, eventId = 1) {
  return applyCase(bot, await ask(action, eventId));
}

const ask = (action: NetworkAction, eventId = 1) => proposeByRule(bot, action, { eventId });

const bans = async () =>
  (await bot.network.channelBans.list({ channelId: "memes" })).result.bannedUsers.map(({ fid }) => fid);
const restricted = async () =>
  (await bot.network.channelRestrictedUsers.list({ channelId: "memes" })).result.restrictedUsers.map(
    ({ fid }) => fid,
  );
const members = async () =>
  (await bot.network.channelMembers.list({ channelId: "memes" })).result.members.map(({ fid }) => fid);
const pinned = async () => (await bot.network.channels.get({ channelId: "memes" })).channel.pinnedCastHash;
const records = async () =>
  (await bot.network.moderatedCasts.list({ channelId: "memes" })).result.moderationActions.map(
    ({ action }) => action,
  );

test("the cases of a channel are looked for again only where there are more, or some behind others", async () => {
  await ask({ kind: "hide", castHash });
  expect(await applyInChannel(bot, "memes")).toEqual({ found: 1, again: undefined });
  await ask({ kind: "unhide", castHash }, 2);
  await ask({ kind: "hide", castHash }, 3);
  expect(await applyInChannel(bot, "memes")).toEqual({ found: 1, again: 0 });
  expect(await applyInChannel(bot, "memes")).toEqual({ found: 1, again: undefined });
});

describe("while a limit holds", () => {
  /** The network's calls are used up for ten minutes, each time. */
  const limited = (calls: string[]): Network =>
    troubleNetwork(
      bot.network,
      "moderatedCasts",
      "moderate",
      () => {
        calls.push("moderate");
        return new AppError("rate_limited", "Too many.", { retryAfter: 600 });
      },
      "before",
    );
  const rows = () =>
    bot.database.query
      .selectFrom("castellan.cases")
      .select(["kind", "state", "attempts", "retry_at_ms"])
      .orderBy("id")
      .execute();

  test("for an hour, and the network then is silent for a moment, what a rule asks for is done in the end", async () => {
    const calls: string[] = [];
    await ask({ kind: "hide", castHash });
    for (let round = 0; round < 8; round += 1) {
      await applyOpenCases({ ...bot, network: limited(calls) });
      bot.clock.advance(601);
    }
    expect(calls).toHaveLength(8);
    expect(await rows()).toMatchObject([{ state: "requested", attempts: 0 }]);
    const away = () => new AppError("network_unreachable", "The network cannot be reached (ECONNREFUSED).");
    const silent = troubleNetwork(bot.network, "moderatedCasts", "moderate", away, "before");
    await applyOpenCases({ ...bot, network: silent });
    expect(await rows()).toMatchObject([{ state: "requested", attempts: 1 }]);
    bot.clock.advance(30);
    await applyOpenCases(bot);
    expect(await records()).toEqual(["hide"]);
  });

  test("not each of many hides meets it, all wait as long, and a ban does not", async () => {
    const casts = await addCasts(bot, 100, { fid: troll });
    for (const [index, hash] of casts.entries()) await ask({ kind: "hide", castHash: hash }, index + 1);
    await ask({ kind: "ban", fid: troll, reason: null, forSeconds: null }, 200);
    const calls: string[] = [];
    const first = await applyInChannel({ ...bot, network: limited(calls) }, "memes");
    expect(first.again).toBe(0);
    expect(calls.length).toBeLessThanOrEqual(12);
    const second = await applyInChannel({ ...bot, network: limited(calls) }, "memes");
    expect(second).toEqual({ found: 1, again: undefined });
    expect(await bans()).toEqual([troll]);
    const hides = (await rows()).filter(({ kind }) => kind === "hide");
    expect(new Set(hides.map((row) => row.retry_at_ms))).toEqual(new Set([bot.clock.now() + 600_000]));
    expect(hides.every(({ attempts }) => attempts === 0)).toBe(true);
  });
});

describe("what a rule asks for is done on the network", () => {
  test("hide and unhide", async () => {
    await act({ kind: "hide", castHash });
    await act({ kind: "unhide", castHash }, 2);
    expect(await records()).toEqual(["unhide", "hide"]);
  });

  test("ban and unban", async () => {
    await act({ kind: "ban", fid: troll, reason: null, forSeconds: null });
    expect(await bans()).toEqual([troll]);
    await act({ kind: "unban", fid: troll }, 2);
    expect([await bans(), await restricted()]).toEqual([[], [troll]]);
  });

  test("a soft ban leaves the user restricted and not banned", async () => {
    await act({ kind: "ban", fid: troll, reason: null, forSeconds: 0 });
    expect(await bans()).toEqual([troll]);
    expect(await expireBans(bot)).toBe(1);
    expect([await bans(), await restricted()]).toEqual([[], [troll]]);
    expect(await expireBans(bot)).toBe(0);
  });

  test("a soft ban does not lift a ban that lasts", async () => {
    const proposal = { guildId: "g1", channelId: "memes", kind: "ban" as const, targetFid: troll };
    const { id } = await bot.database.transaction((tx) =>
      proposeCase(tx, bot.clock, { ...proposal, actor: { userId: "100" } }),
    );
    await applyCase(bot, id);
    await act({ kind: "ban", fid: troll, reason: null, forSeconds: 0 });
    expect(await expireBans(bot)).toBe(0);
    expect(await bans()).toEqual([troll]);
  });

  test("remove_member, and invite", async () => {
    expect(await members()).toContain(member);
    await act({ kind: "remove_member", fid: member });
    expect(await members()).not.toContain(member);
    await bot.net.as(member).channelFollows.follow({ channelId: "memes" });
    expect(await act({ kind: "invite", fid: member }, 2)).toMatchObject({ state: "applied", role: "member" });
    const { result } = await bot.network.channelInvites.list({ channelId: "memes", fid: member });
    expect(result.invites).toMatchObject([{ role: "member" }]);
  });

  test("pin and unpin, which leaves what was pinned since", async () => {
    const other = await bot.net.seed.cast({ fid: troll, channelId: "memes" });
    await act({ kind: "pin", castHash });
    expect(await pinned()).toBe(castHash);
    await act({ kind: "unpin", castHash: other }, 2);
    expect(await pinned()).toBe(castHash);
    await act({ kind: "unpin", castHash: null }, 3);
    expect(await pinned()).toBeUndefined();
  });
});

test("a ban that hides casts opens a case for each that is visible, is no reply, and is not being hidden", async () => {
  const { query } = bot.database;
  const [first = "", second = "", hidden = "", answer = "", elsewhere = ""] = await addCasts(bot, 5, {
    fid: troll,
    text: "mint now",
  });
  await addCasts(bot, 1, { fid: member });
  const change = (hash: string) => query.updateTable("castellan.casts").where("hash", "=", hash);
  await change(hidden).set({ hidden: true }).execute();
  await change(answer).set({ parent_hash: first }).execute();
  await change(elsewhere).set({ channel_id: "art" }).execute();
  await ask({ kind: "hide", castHash: second }, 1);
  const ban = { kind: "ban", fid: troll, reason: "spam", forSeconds: 3600, hideCasts: true } as const;
  const banCase = await ask(ban, 2);
  expect(await ask(ban, 2)).toBe(banCase);
  const cases = await query.selectFrom("castellan.cases").selectAll().orderBy("number").execute();
  expect(cases).toMatchObject([
    { number: 1, kind: "hide", target_cast: second },
    { number: 2, kind: "ban", target_fid: troll },
    {
      number: 3,
      kind: "hide",
      target_cast: first,
      subject_fid: troll,
      evidence: "mint now 0",
      due_at_ms: null,
    },
  ]);
  expect(cases[2]).toMatchObject({ actor_kind: "rule", rule_id: "r", cause_event_id: 2, depth: 1 });
  await applyOpenCases(bot);
  expect(await records()).toEqual(["hide", "hide"]);
  expect(await bans()).toEqual([troll]);
});

test("a rule that has banned somebody hides what they cast since", async () => {
  const ban = { kind: "ban", fid: troll, reason: "spam", forSeconds: 3600, hideCasts: true } as const;
  await addCasts(bot, 1, { fid: troll, text: "mint now" });
  await act(ban, 1);
  // As after a moderator has shown it again: the index says that it is visible.
  const [later = ""] = await addCasts(bot, 1, { fid: troll, text: "mint at once" });
  const known = "Already banned by this rule: case C-1.";
  await expect(ask(ban, 2)).rejects.toThrow(`${known} It hides 1 cast made since.`);
  await expect(ask(ban, 2)).rejects.toThrow(/C-1\.$/);
  const cases = await bot.database.query
    .selectFrom("castellan.cases")
    .select(["kind", "target_cast"])
    .where("cause_event_id", "=", 2)
    .execute();
  expect(cases).toEqual([{ kind: "hide", target_cast: later }]);
});

test("a rule's action is proposed once, however often it is asked for, also at the same time", async () => {
  const evidence = textBody("buy now");
  const propose = () => proposeByRule(bot, { kind: "hide", castHash }, { eventId: 5, evidence });
  expect(new Set(await Promise.all([propose(), propose(), propose()])).size).toBe(1);
  const cases = await bot.database.query.selectFrom("castellan.cases").selectAll().execute();
  expect(cases).toMatchObject([{ actor_kind: "rule", evidence: "buy now", depth: 1 }]);
});
