import { beforeEach, describe, expect, it } from "vitest";
import type { Network } from "../../../src/contract/index.ts";
import { AppError } from "../../../src/errors.ts";
import { createRuleContext, type RuleContext } from "../../../src/rules/context.ts";
import type { Need } from "../../../src/rules/facts/fact.ts";
import { authorNames } from "../../../src/rules/facts/author-names.ts";
import { blockers } from "../../../src/rules/conditions/author-blocked-by.ts";
import { channelRoles } from "../../../src/rules/facts/channel-roles.ts";
import { following, membership, restriction } from "../../../src/rules/conditions/author-in-channel.ts";
import { nameHistory } from "../../../src/rules/conditions/author-name-history.ts";
import { primaryAddress } from "../../../src/rules/conditions/author-has-primary-address.ts";
import { rewardRank } from "../../../src/rules/conditions/author-reward-rank.ts";
import { starterPack } from "../../../src/rules/conditions/author-in-starter-pack.ts";
import { verification } from "../../../src/rules/conditions/author-verification.ts";
import { author, castCreated, loadFacts } from "../../support/rules.ts";
import { collectLog } from "../../support/log.ts";
import { useRuleEngine } from "../../support/rule-engine.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2] });

beforeEach(() => engine.network.seed.channel("art", { owner: 1 }));

const on = (change: Partial<Network>): RuleContext =>
  createRuleContext({ ...engine.context, network: { ...engine.context.network, ...change } }, engine.context);

async function read<T>(context: RuleContext, need: Need<T>, ...channelIds: string[]) {
  const questions = channelIds.map((channelId) => ({
    occurrence: castCreated("gm", { channelId }),
    needs: [need],
  }));
  return (await loadFacts(context, questions)).map((known) => known.read(need));
}

const verified = { fid: author, platformId: "1", platformUsername: "a", verifiedAt: 1 };

describe("what the network is asked", () => {
  it.each<[string, Need]>([
    ["name registry", nameHistory],
    ["name registry", authorNames],
    ["blocked users", blockers],
    ["channel", channelRoles],
    ["channel followers", following],
    ["channel members", membership],
    ["primary addresses", primaryAddress],
    ["restricted users", restriction],
    ["creator rewards", rewardRank],
    ["starter pack", starterPack("art")],
    ["account verifications", verification("github")],
  ])("for %s is given up at some time, and says where it is from", async (name, need) => {
    const signals: unknown[] = [];
    const watched = Object.entries(engine.context.network).map(([group, calls]) => [
      group,
      Object.fromEntries(
        Object.keys(calls).map((call) => [
          call,
          (_: unknown, options?: { signal?: AbortSignal }) => {
            // People of a channel are found before they are asked about.
            if (group === "channels" && need !== channelRoles) {
              return engine.context.network.channels.get({ channelId: "memes" });
            }
            signals.push(options?.signal);
            return Promise.reject(new AppError("network_unreachable", "it is down"));
          },
        ]),
      ),
    ]);
    const context = on(Object.fromEntries(watched) as Network); // the groups and calls of the one given
    const [fact] = await read(context, need, "memes");
    expect(fact?.source).toBe(name);
    expect(signals.length).toBeGreaterThan(0);
    for (const signal of signals) expect(signal).toBeInstanceOf(AbortSignal);
  });

  it("is not known when the network refuses, which is logged; a mistake of ours is not hidden", async () => {
    const { log, lines } = collectLog();
    const status = () => Promise.reject(new AppError("network_unreachable", "it is down"));
    const refusing = on({ channelFollows: { ...engine.context.network.channelFollows, status } });
    expect(await read({ ...refusing, log }, following, "memes")).toMatchObject([{ why: "it is down" }]);
    expect(lines).toMatchObject([
      { source: "channel followers", msg: "could not read a fact", err: { message: "it is down" } },
    ]);
    const broken = () => Promise.reject(new TypeError("bug"));
    const channelFollows = { ...engine.context.network.channelFollows, status: broken };
    await expect(read(on({ channelFollows }), following, "memes")).rejects.toThrow("bug");
  });

  it("takes one call for all channels where it is the same for all, else one for each", async () => {
    let calls = 0;
    const list: Network["accountVerifications"]["list"] = async () => {
      calls += 1;
      return { result: { verifications: [{ ...verified, platform: "github" }] } };
    };
    const answers = await read(
      on({ accountVerifications: { list } }),
      verification("github"),
      "memes",
      "art",
    );
    expect([answers.map((fact) => fact.known && fact.value), calls]).toEqual([[true, true], 1]);
    const status: Network["channelFollows"]["status"] = async ({ channelId }) => ({
      following: channelId === "art",
    });
    const channelFollows = { ...engine.context.network.channelFollows, status };
    expect(await read(on({ channelFollows }), following, "memes", "art")).toMatchObject([
      { value: false },
      { value: true },
    ]);
  });

  it("is nothing about the author when it is about others", async () => {
    const verifications = [{ ...verified, platform: "github" as const, fid: 8 }];
    const restrictedUsers = [{ fid: 8, channelId: "memes", restrictedAt: 1 }];
    const members = [{ fid: 8, memberAt: 1 }];
    const others = on({
      channelMembers: {
        ...engine.context.network.channelMembers,
        list: async () => ({ result: { members } }),
      },
      accountVerifications: { list: async () => ({ result: { verifications } }) },
      channelRestrictedUsers: {
        list: async ({ channelId, fid }) => {
          expect([channelId, fid]).toEqual(["memes", author]);
          return { result: { restrictedUsers } };
        },
      },
    });
    expect(await read(others, verification("github"), "memes")).toMatchObject([{ value: false }]);
    expect(await read(others, restriction, "memes")).toMatchObject([{ value: false }]);
    expect(await read(others, membership, "memes")).toMatchObject([{ value: false }]);
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
    expect(await read(registry(current), authorNames, "memes")).toMatchObject([{ value: [] }]);
    expect(asked).toEqual([{ fid: author }]);
  });

  it.each([
    ["not_found", { value: [] }],
    ["invalid_request", { value: [] }],
    ["USERNAME_NOT_FOUND", { value: [] }],
    ["network_unreachable", { why: "no answer", source: "name registry" }],
  ] as const)("after %s", async (code, expected) => {
    const current = () => Promise.reject(new AppError(code, "no answer"));
    expect(await read(registry(current), authorNames, "memes")).toMatchObject([expected]);
  });
});
