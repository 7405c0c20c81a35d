import { beforeEach, describe, expect, test } from "vitest";
import { createCallBudget, type LiveBudget } from "../../src/observe/live/call-budget.ts";
import { usualLimits, type Purpose } from "../../src/observe/live/call-limits.ts";
import { silentLog } from "../../src/log.ts";
import { frozenFacts } from "../../src/rules/rehearse/frozen-facts.ts";
import { idWorkers } from "../../workers/index.ts";
import { useLiveClient } from "../live/live-client-scene.ts";
import { createTestClock, type TestClock } from "../support/world.ts";
import { useTestDatabase } from "../support/test-cases.ts";

const bans = "/fc/channel-bans";
const limits = { usual: { burst: 10, hour: 20 }, routes: new Map([["/v1/channel", { burst: 2, hour: 4 }]]) };
let clock: TestClock;
let waited: number;

const open = (): LiveBudget => {
  const pause = async (milliseconds: number) => {
    waited += milliseconds;
    clock.advance(milliseconds / 1000);
  };
  return createCallBudget({ database, clock, limits, pause });
};
const take = (budget: LiveBudget, purpose?: string, route = bans) => budget.take(route, purpose, undefined);
const takeOften = async (budget: LiveBudget, times: number, purpose?: string, route = bans) => {
  for (let count = 0; count < times; count += 1) await take(budget, purpose, route);
};

const database = await useTestDatabase();
beforeEach(async () => {
  clock = createTestClock();
  waited = 0;
});

describe("background reading", () => {
  test("waits for room in ten seconds, and leaves some for people", async () => {
    const budget = open();
    await takeOften(budget, 9, "changes");
    expect(waited).toBe(0);
    await take(budget, "changes");
    expect(waited).toBeGreaterThanOrEqual(10_000);
    expect(waited).toBeLessThanOrEqual(11_000);
  });

  test("takes no more in any ten seconds, also where they begin within a second", async () => {
    const budget = open();
    clock.advance(0.9);
    await takeOften(budget, 9, "changes");
    clock.advance(9.1);
    await take(budget, "changes");
    expect(waited).toBeGreaterThanOrEqual(900);
  });

  test("leaves the calls that news are planned with to the news", async () => {
    const budget = open();
    budget.keepForNews(12);
    const takeSlowly = async (times: number, purpose: string) => {
      for (let count = 0; count < times; count += 1) {
        await take(budget, purpose);
        clock.advance(10);
      }
    };
    await takeSlowly(6, "channels");
    await expect(take(budget, "channels")).rejects.toMatchObject({ code: "rate_limited" });
    await takeSlowly(12, "changes");
    await expect(take(budget, "changes")).rejects.toMatchObject({ code: "rate_limited" });
    await take(budget, "channels", "/v1/channel");
  });

  test("is refused within an hour once its part is used, with the time until there is room", async () => {
    const budget = open();
    for (let count = 0; count < 18; count += 1) {
      await take(budget, "changes");
      clock.advance(10);
    }
    await expect(take(budget, "changes")).rejects.toMatchObject({ code: "rate_limited", retryAfter: 3421 });
    clock.advance(3421);
    await take(budget, "changes");
  });

  test("shares the limits with other processes, and with the one before a restart", async () => {
    await takeOften(open(), 5, "changes");
    await takeOften(open(), 4, "channels");
    expect(waited).toBe(0);
    await take(open(), "changes");
    expect(waited).toBeGreaterThan(0);
  });

  test("of one route does not count for another, which may have limits of its own", async () => {
    const budget = open();
    await takeOften(budget, 9, "changes");
    await take(budget, "changes", "/v1/channel");
    expect(waited).toBe(0);
    await take(budget, "changes", "/v1/channel");
    expect(waited).toBeGreaterThan(0);
  });
});

test.each(["acts", "bulks", "rules"])(
  "what is for %s is refused at once, until there is room",
  async (purpose) => {
    const budget = open();
    await takeOften(budget, 9, "changes");
    await expect(take(budget, purpose)).rejects.toMatchObject({ code: "rate_limited", retryAfter: 11 });
    expect(waited).toBe(0);
    clock.advance(11);
    await take(budget, purpose);
  },
);

describe("what people wait for", () => {
  test("goes out whatever was read in the background, and is counted", async () => {
    const budget = open();
    await takeOften(budget, 9, "changes");
    await takeOften(budget, 30);
    expect(waited).toBe(0);
    expect(await budget.readUse()).toMatchObject([
      { route: bans, calls: 39, limit: 20, byPurpose: { "": 30, changes: 9 }, restsUntil: null },
    ]);
  });

  test("waits only where the network itself says so, and hears how long where that is too long", async () => {
    const budget = open();
    await budget.noteRefusal(bans, 5);
    await take(budget);
    expect(waited).toBe(5_000);
    await budget.noteRefusal(bans, 120);
    await expect(take(budget)).rejects.toMatchObject({ code: "rate_limited", retryAfter: 120 });
    await expect(take(open(), "changes")).rejects.toMatchObject({ retryAfter: 120 });
    await take(budget, undefined, "/v1/channel");
    clock.advance(121);
    await take(budget, "changes");
  });
});

describe("the limit of one channel", () => {
  const invites = "POST /fc/channel-invites";
  const removals = "DELETE /fc/channel-invites";
  const of = (channelId: string) => ({ name: `/fc/channel-invites of ${channelId}`, calls: 3 });
  const call = (route: string, channelId: string, purpose?: string) =>
    open().take(route, purpose, undefined, undefined, of(channelId));
  const refuse = (channelId: string, purpose?: string) =>
    open().noteRefusal(invites, 120, purpose, of(channelId));

  test.each([undefined, "bulks"])("once used up, ends the calls there alone, for %s", async (purpose) => {
    for (const route of [invites, removals, invites]) await call(route, "memes", purpose);
    await refuse("memes", purpose);
    const refusal = { code: "rate_limited", retryAfter: 120 };
    await expect(call(invites, "memes", purpose)).rejects.toMatchObject(refusal);
    await expect(call(removals, "memes", purpose)).rejects.toMatchObject(refusal);
    await call(invites, "art", purpose);
    expect(
      (await open().readUse()).map(({ route, calls, restsUntil }) => [route, calls, restsUntil]),
    ).toEqual([
      [invites, 3, null],
      [removals, 1, null],
    ]);
    clock.advance(121);
    await call(invites, "memes", purpose);
  });

  test("is not the reason of a refusal before it is used up: then the whole route rests", async () => {
    await call(invites, "memes");
    await call(invites, "memes");
    await refuse("memes");
    await expect(call(invites, "art")).rejects.toMatchObject({ code: "rate_limited", retryAfter: 120 });
    await call(removals, "art");
  });

  test("counts the calls of an hour", async () => {
    await call(invites, "memes");
    clock.advance(3601);
    await call(invites, "memes");
    await call(invites, "memes");
    await refuse("memes");
    await expect(call(invites, "art")).rejects.toMatchObject({ code: "rate_limited" });
  });
});

test("a clock that was ahead, and was set back, leaves no call in the future", async () => {
  clock.jump(7_200);
  await takeOften(open(), 9, "changes");
  clock.jump(-7_200);
  await take(open(), "changes");
  expect(waited).toBe(0);
});

describe("on the wire", () => {
  const scene = useLiveClient(10);

  test("a 429 ends the calls to its route until Retry-After, and to no other", async () => {
    const { client } = scene;
    client.fail(bans, { what: "status", status: 429, retryAfter: 40 }, 1);
    const { channelBans, channels } = scene.context.live.background("channels");
    const asked = () => client.requests.length;
    await expect(channelBans.list({ channelId: "memes" })).rejects.toMatchObject({ code: "rate_limited" });
    await expect
      .poll(() => scene.context.live.budget.readUse())
      .toMatchObject([{ restsUntil: expect.any(Number) }]);
    await expect(channelBans.list({ channelId: "memes" })).rejects.toMatchObject({ retryAfter: 40 });
    expect(asked()).toBe(1);
    await channels.get({ channelId: "memes" });
    scene.context.clock.advance(41);
    await channelBans.list({ channelId: "memes" });
    expect(asked()).toBe(3);
  });

  test("a channel whose invites of the hour are used up keeps no other from inviting", async () => {
    const { client } = scene;
    const { channelInvites } = scene.context.network;
    const remove = (channelId: string) => channelInvites.remove({ channelId, removeFid: 7, role: "member" });
    for (let count = 0; count < 99; count += 1) {
      await remove("memes");
      scene.context.clock.advance(1);
    }
    client.fail("/fc/channel-invites", { what: "status", status: 429, retryAfter: 1800 }, 1);
    await expect(remove("memes")).rejects.toMatchObject({ code: "rate_limited" });
    const resting = scene.context.database.query.selectFrom("castellan.route_backoffs").select("route");
    await expect.poll(() => resting.execute()).toEqual([{ route: "/fc/channel-invites of memes" }]);
    await expect(remove("memes")).rejects.toMatchObject({ code: "rate_limited" });
    expect(client.requests).toHaveLength(100);
    // The network answers.
    await expect(remove("art")).rejects.toThrow("Channel art not found");
  });

  test("what rules and rehearsals ask is theirs, and leaves room for people", async () => {
    const asked: string[] = [];
    const { live } = scene.context;
    const background = (purpose: Purpose) => {
      asked.push(purpose);
      return live.background(purpose);
    };
    const context = { ...scene.context, live: { ...live, background } };
    const job = { key: undefined, attempt: 1, signal: new AbortController().signal, log: silentLog };
    await idWorkers.find(({ name }) => name === "evaluate-rules")?.run(context, "100", job);
    await frozenFacts(context).network.channels.get({ channelId: "memes" });
    expect(asked).toEqual(["rules", "rules"]);
    expect(await live.budget.readUse()).toMatchObject([{ route: "/v1/channel", byPurpose: { rules: 1 } }]);
  });

  test("each call says who asks", async () => {
    await scene.context.network.channels.get({ channelId: "memes" });
    expect(scene.client.requests[0]?.headers["user-agent"]).toBe("castellan-client");
  });

  test("a ban goes out while reading has used up its part", async () => {
    scene.restart({ usual: { burst: 2, hour: 3 }, routes: usualLimits.routes });
    const { channelBans } = scene.context.live.background("changes");
    for (let count = 0; count < 2; count += 1) await channelBans.list({});
    await expect(channelBans.list({})).rejects.toMatchObject({ code: "rate_limited" });
    const before = scene.context.clock.monotonic();
    await scene.context.network.channelBans.list({ channelId: "memes", fid: 7 });
    await scene.context.network.channelBans.ban({ channelId: "memes", banFid: 7 });
    expect(scene.context.clock.monotonic()).toBe(before);
    expect(scene.client.channels.all.get("memes")?.standings.get(7)?.standing).toBe("banned");
  });
});
