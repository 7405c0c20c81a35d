import { describe, expect, it } from "vitest";
import {
  membershipCalls,
  people,
  range,
  refused,
  resultOf,
  sendRaw,
  success,
  type Answer,
  useInterfaceNetwork,
} from "../support/interface-network.ts";
import { againstServer } from "../support/interface-server.ts";
import { makeToken } from "../support/signing.ts";

const { owner, moderator, member, follower, stranger } = people;

const network = await useInterfaceNetwork();

const { invite, remove, answer } = membershipCalls(network);
const limited = refused(429, "rate_limited");
const path = "/fc/channel-invites";

/** Calls one after the other, and tells how many succeeded. */
async function repeat(times: number, call: () => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = [];
  for (const _ of range(1, times)) statuses.push((await call()).status);
  return [...new Set(statuses)];
}

/** A channel in which the owner has called a hundred times. */
async function exhausted(own?: string) {
  const channelId = own ?? (await network.channel());
  expect(await repeat(100, () => invite(owner, channelId, follower, "member"))).toEqual([200]);
  return channelId;
}

describe("Rate limit, POST and DELETE /fc/channel-invites", () => {
  it("100 calls per caller, channel and hour: the 101st is refused, and says when to come again", async () => {
    const channelId = await exhausted();
    expect(await invite(owner, channelId, follower, "member")).toEqual(limited);
    const authorization = `Bearer ${await makeToken(owner, network.now() + 300)}`;
    const input = { channelId, removeFid: follower, role: "member" };
    const response = await sendRaw(network.url, `DELETE ${path}`, input, { authorization });
    expect([response.status, response.headers.get("retry-after")]).toEqual([
      429,
      expect.stringMatching(/^3(600|59[0-9])$/),
    ]);
    expect((await network.state(channelId)).invites).toEqual(["4 member"]);
  });

  it("is of the caller and the channel: others, and other channels, are not touched", async () => {
    const channelId = await exhausted();
    expect(await invite(moderator, channelId, follower, "member")).toEqual(success);
    expect(await invite(owner, await network.channel(), follower, "member")).toEqual(success);
  });

  it("is of invites and removals alone: answers and bans are not counted, nor refused", async () => {
    const channelId = await network.channel();
    const bans = { channelId, banFid: stranger };
    const ban = () => network.as(owner, "POST /fc/channel-bans", bans);
    expect(await repeat(5, ban)).toEqual([200]);
    expect(await repeat(5, () => answer(owner, channelId, "member", true))).toEqual([403]);
    await exhausted(channelId);
    expect(await answer(follower, channelId, "member", true)).toEqual(success);
    expect(await ban()).toEqual(success);
    expect((await network.call(`GET ${path}`, { channelId })).status).toBe(200);
  });

  it.skipIf(againstServer)("POST and DELETE count together, and slide", async () => {
    const channelId = await network.channel();
    await repeat(60, () => invite(owner, channelId, follower, "member"));
    await network.pass(1800);
    await repeat(40, () => remove(owner, channelId, stranger, "member"));
    expect(await remove(owner, channelId, stranger, "member")).toEqual(limited);
    await network.pass(1801);
    expect(await repeat(60, () => remove(owner, channelId, stranger, "member"))).toEqual([200]);
    expect(await invite(owner, channelId, follower, "member")).toEqual(limited);
  });

  it.skipIf(againstServer)(
    "refusals by the limit are not counted: after the hour all hundred are there again",
    async () => {
      const channelId = await exhausted();
      await repeat(5, () => invite(owner, channelId, follower, "member"));
      await network.pass(3601);
      expect(await repeat(100, () => invite(owner, channelId, follower, "member"))).toEqual([200]);
      expect(await invite(owner, channelId, follower, "member")).toEqual(limited);
    },
  );

  it("refused calls count, and 429 comes before 403", async () => {
    const channelId = await network.channel();
    expect(await repeat(100, () => invite(member, channelId, follower, "member"))).toEqual([403]);
    expect(await invite(member, channelId, follower, "member")).toEqual(limited);
  });

  it("malformed calls, unknown channels and calls without token do not count", async () => {
    const channelId = await network.channel();
    await repeat(50, () => network.as(owner, `POST ${path}`, { channelId }));
    await repeat(30, () => invite(owner, "nowhere", follower, "member"));
    await repeat(30, () => network.call(`POST ${path}`, { channelId, inviteFid: follower, role: "member" }));
    expect(await repeat(100, () => invite(owner, channelId, follower, "member"))).toEqual([200]);
  });

  it("404 comes before 429", async () => {
    const channelId = await exhausted();
    await network.operator(`DELETE /operator/channels/${channelId}`);
    expect(await invite(owner, channelId, follower, "member")).toEqual(refused(404, "not_found"));
  });

  it("holds when the calls arrive at once", async () => {
    const channelId = await network.channel();
    const answers = await Promise.all(range(1, 110).map(() => invite(owner, channelId, follower, "member")));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    expect(resultOf(await network.call(`GET ${path}`, { channelId }))["invites"]).toHaveLength(1);
  });
});
