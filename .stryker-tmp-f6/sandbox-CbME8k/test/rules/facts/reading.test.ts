// @ts-nocheck
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { Network } from "../../../src/contract/index.ts";
import { AppError } from "../../../src/errors.ts";
import { createRuleContext, type RuleContext } from "../../../src/rules/context.ts";
import type { Ask } from "../../../src/rules/evaluate/fact.ts";
import { askAuthorNames } from "../../../src/rules/facts/author-names.ts";
import { askBlockers } from "../../../src/rules/facts/blockers.ts";
import { askChannelRoles } from "../../../src/rules/facts/channel-roles.ts";
import { askFollowing } from "../../../src/rules/facts/following.ts";
import { askMembership } from "../../../src/rules/facts/membership.ts";
import { askNameHistory } from "../../../src/rules/facts/name-history.ts";
import { askPrimaryAddress } from "../../../src/rules/facts/primary-address.ts";
import { askRestriction } from "../../../src/rules/facts/restriction.ts";
import { askRewardRank } from "../../../src/rules/facts/reward-rank.ts";
import { askStarterPack } from "../../../src/rules/facts/starter-pack.ts";
import { askVerification } from "../../../src/rules/facts/verification.ts";
import { loadFacts } from "../../../src/rules/facts/load-facts.ts";
import { collectLog } from "../../support/log.ts";
import { createRuleEngine } from "../../support/rule-engine.ts";
import { author, castCreated } from "../../support/rules.ts";

const engine = await createRuleEngine();
const { database } = engine.network.context;
afterAll(() => database.close());

beforeEach(async () => {
  await database.truncate();
  await engine.network.seed.channel("memes", { owner: 1, moderators: [2] });
  await engine.network.seed.channel("art", { owner: 1 });
});

const on = (change: Partial<Network>): RuleContext =>
  createRuleContext({ ...engine.context, network: { ...engine.context.network, ...change } }, engine.context);

async function read<T>(context: RuleContext, ask: Ask<T>, ...channelIds: string[]) {
  const questions = channelIds.map((channelId) => ({
    occurrence: castCreated("gm", { channelId }),
    asks: [ask],
  }));
  return (await loadFacts(context, questions)).map((known) => known.read(ask));
}

const verified = { fid: author, platformId: "1", platformUsername: "a", verifiedAt: 1 };

describe("what the network is asked", () => {
  it.each<[string, Ask<unknown>]>([
    ["name registry", askNameHistory],
    ["name registry", askAuthorNames],
    ["blocked users", askBlockers],
    ["channel", askChannelRoles],
    ["channel followers", askFollowing],
    ["channel members", askMembership],
    ["primary addresses", askPrimaryAddress],
    ["restricted users", askRestriction],
    ["creator rewards", askRewardRank],
    ["starter pack", askStarterPack("art")],
    ["account verifications", askVerification("github")],
  ])("for %s is given up at some time, and says where it is from", async (name, ask) => {
    const signals: unknown[] = [];
    const watched = Object.entries(engine.context.network).map(([group, calls]) => [
      group,
      Object.fromEntries(
        Object.keys(calls).map((call) => [
          call,
          (_: unknown, options?: { signal?: AbortSignal }) => {
            // People of a channel are found before they are asked about.
            if (group === "channels" && ask !== askChannelRoles) {
              return engine.context.network.channels.get({ channelId: "memes" });
            }
            signals.push(options?.signal);
            return Promise.reject(new AppError("network_unreachable", "it is down"));
          },
        ]),
      ),
    ]);
    const context = on(Object.fromEntries(watched) as Network); // the groups and calls of the one given
    const [fact] = await read(context, ask, "memes");
    expect(fact?.source).toBe(name);
    expect(signals.length).toBeGreaterThan(0);
    for (const signal of signals) expect(signal).toBeInstanceOf(AbortSignal);
  });

  it("is not known when the network refuses, which is logged; a mistake of ours is not hidden", async () => {
    const { log, lines } = collectLog();
    const status = () => Promise.reject(new AppError("network_unreachable", "it is down"));
    const refusing = on({ channelFollows: { ...engine.context.network.channelFollows, status } });
    expect(await read({ ...refusing, log }, askFollowing, "memes")).toMatchObject([{ why: "it is down" }]);
    expect(lines).toMatchObject([
      { source: "channel followers", msg: "a fact could not be read", err: { message: "it is down" } },
    ]);
    const broken = () => Promise.reject(new TypeError("bug"));
    const channelFollows = { ...engine.context.network.channelFollows, status: broken };
    await expect(read(on({ channelFollows }), askFollowing, "memes")).rejects.toThrow("bug");
  });

  it("takes one call for all channels where it is the same for all, else one for each", async () => {
    let calls = 0;
    const list: Network["accountVerifications"]["list"] = async () => {
      calls += 1;
      return { result: { verifications: [{ ...verified, platform: "github" }] } };
    };
    const answers = await read(
      on({ accountVerifications: { list } }),
      askVerification("github"),
      "memes",
      "art",
    );
    expect([answers.map((fact) => fact.known && fact.value), calls]).toEqual([[true, true], 1]);
    const status: Network["channelFollows"]["status"] = async ({ channelId }) => ({
      following: channelId === "art",
    });
    const channelFollows = { ...engine.context.network.channelFollows, status };
    expect(await read(on({ channelFollows }), askFollowing, "memes", "art")).toMatchObject([
      { value: false },
      { value: true },
    ]);
  });

  it("is nothing about the author when it is about others", async () => {
    const verifications = [{ ...verified, platform: "github" as const, fid: 8 }];
    const restrictedUsers = [{ fid: 8, channelId: "memes", restrictedAt: 1 }];
    const others = on({
      accountVerifications: { list: async () => ({ result: { verifications } }) },
      channelRestrictedUsers: {
        list: async ({ channelId, fid }) => {
          expect([channelId, fid]).toEqual(["memes", author]);
          return { result: { restrictedUsers } };
        },
      },
    });
    expect(await read(others, askVerification("github"), "memes")).toMatchObject([{ value: false }]);
    expect(await read(others, askRestriction, "memes")).toMatchObject([{ value: false }]);
  });
});

describe("the author's name in the registry", () => {
  const transfer = { id: 1, timestamp: 1, username: "alice", owner: "0x", user_signature: "0x" };
  const registry = (current: Network["transfers"]["current"]) =>
    on({ transfers: { ...engine.context.network.transfers, current } });

  it("is asked for by who they are, and gone where it was given away", async () => {
    const asked: unknown[] = [];
    const current: Network["transfers"]["current"] = async (input) => {
      asked.push(input);
      return { transfer: { ...transfer, server_signature: "0x", from: author, to: 8 }, transfers: [] };
    };
    expect(await read(registry(current), askAuthorNames, "memes")).toMatchObject([{ value: [] }]);
    expect(asked).toEqual([{ fid: author }]);
  });

  it.each([
    ["not_found", { value: [] }],
    ["invalid_request", { value: [] }],
    ["USERNAME_NOT_FOUND", { value: [] }],
    ["network_unreachable", { why: "no answer", source: "name registry" }],
  ] as const)("after %s", async (code, expected) => {
    const current = () => Promise.reject(new AppError(code, "no answer"));
    expect(await read(registry(current), askAuthorNames, "memes")).toMatchObject([expected]);
  });
});
