import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { pollFollowers } from "../../src/observe/poll-followers.ts";
import { createRuleEngine } from "../support/rule-engine.ts";
import { rule } from "../support/rules.ts";

const engine = await createRuleEngine();
const { context, network } = engine;
const { database, clock } = network.context;
afterAll(() => database.close());

beforeEach(async () => {
  await database.truncate();
  await network.seed.channel("memes", { owner: 1 });
  for (const fid of [4, 5, 6]) await network.seed.account(fid);
  await engine.link("memes");
});

const listen = () =>
  engine.save(rule({ on: ["follower.added"], when: { "author.restricted": true }, then: [{ ban: {} }] }));
const follow = (fid: number) => network.as(fid).channelFollows.follow({ channelId: "memes" });
const look = () => pollFollowers(context, "memes");
const told = async () => {
  const events = database.query.selectFrom("castellan.events").select(["kind", "subject_fid"]);
  return (await events.orderBy("id").execute()).map((event) => `${event.kind} ${event.subject_fid}`);
};

describe("new followers", () => {
  it("are told of once each, oldest first, from the first look on", async () => {
    await listen();
    await follow(4);
    await look();
    clock.advance(5);
    await follow(5);
    clock.advance(5);
    await follow(6);
    await look();
    await look();
    expect(await told()).toEqual(["follower.added 5", "follower.added 6"]);
  });

  it("of one and the same second are all told of, also when they come between two looks", async () => {
    await listen();
    await look();
    clock.advance(5);
    await follow(4);
    await look();
    await follow(5);
    await look();
    expect(await told()).toEqual(["follower.added 4", "follower.added 5"]);
  });

  it("are not asked for while no rule listens, and begin anew when one does again", async () => {
    await follow(4);
    await look();
    expect(await database.query.selectFrom("castellan.sources").selectAll().execute()).toEqual([]);
    await listen();
    await look();
    await engine.save(rule());
    await look();
    clock.advance(5);
    await follow(5);
    await listen();
    await look();
    await look();
    expect(await told()).toEqual([]);
  });

  it("are told of though another is dated in the future", async () => {
    await listen();
    await follow(4);
    await look();
    const { followers } = context.network.channels;
    const wrong = { fid: 99, followedAt: Math.floor(clock.now() / 1000) + 86_400 };
    const withFuture: typeof followers = async (input) => {
      const { result, ...page } = await followers(input);
      return { ...page, result: { ...result, users: [wrong, ...result.users] } };
    };
    const network = { ...context.network, channels: { ...context.network.channels, followers: withFuture } };
    const misled = { ...context, network };
    clock.advance(5);
    await pollFollowers(misled, "memes");
    clock.advance(5);
    await follow(5);
    await pollFollowers(misled, "memes");
    expect(await told()).toEqual(["follower.added 99", "follower.added 5"]);
  });

  it("that two workers see at once are told of once", async () => {
    await listen();
    await look();
    clock.advance(5);
    await follow(4);
    await Promise.all([look(), look(), look()]);
    expect(await told()).toEqual(["follower.added 4"]);
  });
});
