import { beforeEach, describe, expect, test } from "vitest";
import type { Network } from "../../../src/contract/index.ts";
import { AppError } from "../../../src/errors.ts";
import { applyCase } from "../../../src/moderation/cases/apply.ts";
import type { Case } from "../../../src/moderation/cases/case.ts";
import { pollListings } from "../../../src/observe/listings/poll-listings.ts";
import { followLinks } from "../../../src/observe/sources.ts";
import type { NetworkAction } from "../../../src/rules/actions/action.ts";
import { pauseRules } from "../../../src/rules/limits/pause.ts";
import { useWorld } from "../../support/test-cases.ts";
import { people, troubleNetwork } from "../../support/world.ts";
import { proposeByRule } from "../../support/jobs.ts";

const [guildId, channelId] = ["g1", "memes"];
const { troll, member, moderator } = people;
const ban: NetworkAction = { kind: "ban", fid: troll, reason: null, forSeconds: null };

const bot = await useWorld();
let cast: string;

beforeEach(async () => {
  cast = await bot.net.seed.cast({ fid: troll, channelId });
  await followLinks(bot);
  await pollListings(bot, channelId);
});

/** Does what a rule asks for, as settle-cases would. */
async function act(action: NetworkAction, network: Network): Promise<Case> {
  return applyCase({ ...bot, network }, await proposeByRule(bot, action));
}

/** When its time has come again. */
function goOn({ id }: Case): Promise<Case> {
  bot.clock.advance(30);
  return applyCase(bot, id);
}

describe.each([
  ["nobody listens", new AppError("network_unreachable", "The network cannot be reached (ECONNREFUSED).")],
  ["the budget is used up", new AppError("rate_limited", "Too many.", { retryAfter: 20 })],
])("what did not get to the network, where %s,", (_why, refusal) => {
  const refusing = (group: keyof Network, name: string) =>
    troubleNetwork(bot.network, group, name, () => refusal, "before");

  test("was not done by us when another does it meanwhile", async () => {
    const waiting = await act(ban, refusing("channelBans", "ban"));
    expect(waiting).toMatchObject({ state: "requested", sentAtMs: null });
    await bot.net.as(moderator).channelBans.ban({ channelId, banFid: troll });
    await pollListings(bot, channelId);
    expect(await goOn(waiting)).toMatchObject({ state: "already", eventId: null });
    const events = await bot.database.query
      .selectFrom("castellan.events")
      .select("case_id")
      .where("kind", "=", "user.banned")
      .execute();
    expect(events).toEqual([{ case_id: null }]);
  });

  test("is done, whatever others changed meanwhile", async () => {
    const other = await bot.net.seed.cast({ fid: member, channelId });
    const waiting = await act({ kind: "pin", castHash: cast }, refusing("pinnedCasts", "pin"));
    await bot.net.as(moderator).pinnedCasts.pin({ castHash: other, notifyChannelFollowers: false });
    expect(await goOn(waiting)).toMatchObject({ state: "applied" });
    const { channel } = await bot.network.channels.get({ channelId });
    expect(channel.pinnedCastHash).toBe(cast);
  });

  test.each([
    ["once the server is no longer linked", "link_removed"],
    ["while the link is suspended", "link_suspended"],
  ])("is left alone %s", async (_, outcome) => {
    const waiting = await act(ban, refusing("channelBans", "ban"));
    const { query } = bot.database;
    if (outcome === "link_removed") await query.deleteFrom("castellan.links").execute();
    else await query.updateTable("castellan.links").set({ suspended_at_ms: 1 }).execute();
    expect(await goOn(waiting)).toMatchObject({ state: "failed", outcome });
    const { result } = await bot.network.channelBans.list({ channelId, fid: troll });
    expect(result.bannedUsers).toEqual([]);
  });

  test("is left alone once rules are paused", async () => {
    const waiting = await act(ban, refusing("channelBans", "ban"));
    const pause = { guildId, channelId, pausedBy: "100", reason: null, until: null };
    await bot.database.transaction((tx) => pauseRules(tx, bot.clock, pause));
    expect(await goOn(waiting)).toMatchObject({ state: "failed", outcome: "rules_paused" });
    const { result } = await bot.network.channelBans.list({ channelId, fid: troll });
    expect(result.bannedUsers).toEqual([]);
  });
});

describe("what another does while ours is under way, which is then", () => {
  /** The network, to which somebody else comes first, and that is read before it answers ours. */
  function overtaking(refusal: AppError): Network {
    const ban: Network["channelBans"]["ban"] = async (input) => {
      await bot.net.as(moderator).channelBans.ban(input);
      await pollListings(bot, channelId);
      throw refusal;
    };
    return { ...bot.network, channelBans: { ...bot.network.channelBans, ban } };
  }
  const eventsAndCases = async () => ({
    events: await bot.database.query
      .selectFrom("castellan.events")
      .select(["kind", "case_id", "depth"])
      .where("kind", "in", ["user.banned", "member.left"])
      .orderBy("kind")
      .execute(),
    outside: await bot.database.query
      .selectFrom("castellan.cases")
      .select(["kind", "target_fid"])
      .where("state", "=", "outside")
      .execute(),
  });
  const byOthers = {
    events: [
      { kind: "member.left", case_id: null, depth: 0 },
      { kind: "user.banned", case_id: null, depth: 0 },
    ],
    outside: [{ kind: "ban", target_fid: member }],
  };
  const banMember: NetworkAction = { ...ban, fid: member };

  test("put off, is not ours", async () => {
    const full = new AppError("rate_limited", "Too many.", { retryAfter: 20 });
    const waiting = await act(banMember, overtaking(full));
    expect(waiting).toMatchObject({ state: "requested", eventId: null, sentAtMs: null });
    expect(await eventsAndCases()).toEqual(byOthers);
    expect(await goOn(waiting)).toMatchObject({ state: "already" });
  });

  test("refused, is not ours", async () => {
    const refused = new AppError("not_permitted", "The account may not ban.");
    const failed = await act(banMember, overtaking(refused));
    expect(failed).toMatchObject({ state: "failed", eventId: null });
    expect(await eventsAndCases()).toEqual(byOthers);
  });

  test("given up, is not ours", async () => {
    const away = new AppError("network_unreachable", "The network cannot be reached (ECONNREFUSED).");
    const unheard = troubleNetwork(bot.network, "channelBans", "ban", () => away, "before");
    const { id } = await act(banMember, unheard);
    await bot.database.query
      .updateTable("castellan.cases")
      .set({ attempts: 6 })
      .where("id", "=", id)
      .execute();
    bot.clock.advance(30);
    expect(await applyCase({ ...bot, network: overtaking(away) }, id)).toMatchObject({
      state: "failed",
      eventId: null,
    });
    expect(await eventsAndCases()).toEqual(byOthers);
  });

  const byOurs = (id: number) => ({
    events: byOthers.events.map((event) => ({ ...event, case_id: id, depth: 1 })),
    outside: [],
  });
  const lost = new AppError("network_failed", "The network failed.", { mayHaveHappened: true });

  test("left without an answer, may be ours", async () => {
    const { id } = await act(banMember, overtaking(lost));
    expect(await eventsAndCases()).toEqual(byOurs(id));
  });

  test("put off after a call that was left without an answer, may be that call's", async () => {
    const unheard = troubleNetwork(bot.network, "channelBans", "ban", () => lost, "before");
    const { id } = await act(banMember, unheard);
    bot.clock.advance(30);
    const full = new AppError("rate_limited", "Too many.", { retryAfter: 20 });
    expect(await applyCase({ ...bot, network: overtaking(full) }, id)).toMatchObject({ state: "requested" });
    expect(await eventsAndCases()).toEqual(byOurs(id));
  });
});

test("what was answered by an error may have been done, and stays ours", async () => {
  const failed = new AppError("not_ready", "The database is away.", { status: 503 });
  const waiting = await act(
    ban,
    troubleNetwork(bot.network, "channelBans", "ban", () => failed, "after"),
  );
  expect(waiting).toMatchObject({ state: "requested", sentAtMs: bot.clock.now() });
  expect(await goOn(waiting)).toMatchObject({ state: "applied" });
});
