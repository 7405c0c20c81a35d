import { describe, expect, it } from "vitest";
import { AppError } from "../../../src/errors.ts";
import { createRuleContext, type RuleContext } from "../../../src/rules/context.ts";
import { evaluatePending } from "../../support/jobs.ts";
import { takePending } from "../../../src/rules/pending/pending.ts";
import { collectLog } from "../../support/log.ts";
import { guild, useRuleEngine } from "../../support/rule-engine.ts";
import { author, castRow, rule } from "../../support/rules.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2], members: [3] });
const { network } = engine;
const { database } = network.context;

async function fail(error: Error): Promise<never> {
  throw error;
}

describe("once", () => {
  it("acts once on an event that is seen twice", async () => {
    await engine.save(rule());
    const seen = engine.cast("airdrop");
    await engine.append(seen);
    await engine.append(seen);
    await evaluatePending(engine.context);
    await engine.append(seen);
    await evaluatePending(engine.context);
    expect(await engine.cases()).toHaveLength(1);
  });

  it("acts once when several workers look at the same time", async () => {
    await engine.save(rule());
    await engine.append(...Array.from({ length: 120 }, () => engine.cast("airdrop")));
    const taken = await Promise.all([1, 2, 3, 4].map(() => evaluatePending(engine.context)));
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(120);
    const cases = await engine.cases();
    expect(new Set(cases.map((row) => row["cause_event_id"])).size).toBe(120);
    expect(cases).toHaveLength(120);
  });

  it("acts once when a worker dies after taking the row, and only after its lease", async () => {
    await engine.save(rule());
    await engine.append(engine.cast("airdrop"));
    expect(await takePending(engine.context, guild)).toHaveLength(1);
    expect(await evaluatePending(engine.context)).toBe(0);
    network.context.clock.advance(61);
    expect(await evaluatePending(engine.context)).toBe(1);
    expect(await engine.cases()).toHaveLength(1);
  });

  it.each([
    ["has settled it", (other: RuleContext) => evaluatePending(other), 1],
    ["is at it", async (other: RuleContext) => (await takePending(other, guild)).length, 0],
  ])(
    "leaves a row to the worker that took it over while this one was slow and %s",
    async (_, take, cases) => {
      await engine.save(rule());
      await engine.append(engine.cast("airdrop"));
      const { get } = engine.context.network.channels;
      const slowGet: typeof get = async (...given) => {
        network.context.clock.advance(61);
        expect(await take(engine.context)).toBe(1);
        return get(...given);
      };
      const channels = { ...engine.context.network.channels, get: slowGet };
      const slow = createRuleContext(
        { ...engine.context, network: { ...engine.context.network, channels } },
        engine.context,
      );
      expect(await evaluatePending(slow)).toBe(1);
      expect(await engine.cases()).toHaveLength(cases);
      expect(await engine.hits()).toHaveLength(cases);
      network.context.clock.advance(61);
      await evaluatePending(engine.context);
      expect(await engine.cases()).toHaveLength(1);
    },
  );

  it("does not close a row for the worker that took it over meanwhile", async () => {
    await engine.save(rule({ when: { "author.is_member": false } }));
    await engine.append(engine.cast("airdrop"));
    const list: typeof engine.context.network.channelMembers.list = async () => {
      network.context.clock.advance(61);
      expect(await takePending(engine.context, guild)).toHaveLength(1);
      return { result: { members: [{ fid: author, memberAt: 1 }] } };
    };
    const slow = {
      ...engine.context.network,
      channelMembers: { ...engine.context.network.channelMembers, list },
    };
    await evaluatePending(createRuleContext({ ...engine.context, network: slow }, engine.context));
    network.context.clock.advance(61);
    expect(await evaluatePending(engine.context)).toBe(1);
    expect(await engine.cases()).toHaveLength(1);
  });

  it("does not put off a row for the worker that took it over meanwhile", async () => {
    await engine.save(rule());
    await engine.append(engine.cast("airdrop"));
    const get: typeof engine.context.network.channels.get = async () => {
      network.context.clock.advance(61);
      expect(await takePending(engine.context, guild)).toHaveLength(1);
      return fail(new AppError("network_unreachable", "The network does not answer."));
    };
    const slow = { ...engine.context.network, channels: { ...engine.context.network.channels, get } };
    await evaluatePending(createRuleContext({ ...engine.context, network: slow }, engine.context));
    expect(await engine.evaluations()).toMatchObject([{ postponements: 0, attempts: 2 }]);
  });

  it("keeps nothing of an event that it could not finish, goes on with the others, and tries again", async () => {
    await engine.save(rule());
    await engine.append(engine.cast("airdrop one"), engine.cast("airdrop two"));
    let failures = 1;
    const propose: typeof engine.context.propose = async (tx, action) => {
      const caseId = await engine.context.propose(tx, action);
      if (failures-- > 0) throw new Error("died here");
      return caseId;
    };
    const { log, lines } = collectLog();
    await evaluatePending({ ...engine.context, propose, log });
    const said = { msg: "could not settle an event for rules", guildId: guild, attempts: 1 };
    expect(lines).toMatchObject([{ ...said, eventId: 1, err: { message: "died here" } }]);
    expect(await engine.cases()).toMatchObject([{ evidence: "airdrop two" }]);
    expect(await engine.decisions()).toHaveLength(1);
    network.context.clock.advance(61);
    await evaluatePending(engine.context);
    expect((await engine.cases()).map((row) => row["evidence"])).toEqual(["airdrop two", "airdrop one"]);
  });

  it("puts aside what fails again and again", async () => {
    await engine.save(rule());
    await engine.append(engine.cast("airdrop"));
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await evaluatePending({ ...engine.context, propose: () => fail(new Error("always")) })).toBe(1);
      network.context.clock.advance(61);
    }
    expect(await evaluatePending(engine.context)).toBe(0);
  });

  it.each(["settling", "reading"])("puts nothing aside for the database's failures (%s)", async (where) => {
    await engine.save(rule());
    await engine.append(engine.cast("airdrop"));
    const away = () => fail(new AppError("database_unavailable", "The database does not answer."));
    const context = {
      ...engine.context,
      ...(where === "settling"
        ? { propose: away }
        : { ruleThreads: { ...engine.context.ruleThreads, consider: away } }),
    };
    for (let attempt = 0; attempt < 7; attempt++) {
      await evaluatePending(context).catch(() => {});
      network.context.clock.advance(61);
    }
    expect(await evaluatePending(engine.context)).toBe(0);
    network.context.clock.advance(61);
    expect(await evaluatePending(engine.context)).toBe(1);
    expect(await engine.cases()).toHaveLength(1);
  });
});

describe("what rules caused", () => {
  const both = rule({ on: ["cast.created", "record.hidden"], then: [{ ban: {} }] });
  const castHash = `0x${"c".repeat(40)}`;

  /** A rule of that id sees how the cast is hidden by the case of the rule "scam"; gives the cases it asks for. */
  async function seenBy(id: string) {
    await engine.save(both);
    await engine.append(engine.cast("airdrop"));
    await evaluatePending(engine.context);
    const [first] = await engine.cases();
    await engine.save({ ...both, id, when: { text: { contains: "index" } } });
    const cast = castRow(castHash, { text: "seen in the index" });
    await database.query.insertInto("castellan.casts").values(cast).execute();
    const change = { subjectFid: null, depth: 1, caseId: Number(first?.["id"]), data: { castHash } };
    await engine.append(engine.cast("", { kind: "record.hidden", ...change }));
    expect(await evaluatePending(engine.context)).toBe(1);
    return (await engine.cases()).slice(1);
  }

  it("is not seen by the rule itself", async () => {
    expect(await seenBy("scam")).toEqual([]);
  });

  it("is seen by other rules, one deeper, with author and text from the index", async () => {
    expect(await seenBy("other")).toMatchObject([
      { rule_id: "other", depth: 2, target_fid: author, evidence: "seen in the index" },
    ]);
  });

  it("is not evaluated when it is too deep, which is said", async () => {
    await engine.save(both);
    await engine.append(engine.cast("airdrop", { depth: 4 }));
    await evaluatePending(engine.context);
    expect(await engine.evaluations()).toMatchObject([
      { note: "Not evaluated: rules have triggered each other 4 times in a row." },
    ]);
  });
});

describe("a link that ends", () => {
  it.each([
    ["is unlinked", () => database.query.deleteFrom("castellan.links").execute()],
    [
      "is suspended",
      () => database.query.updateTable("castellan.links").set({ suspended_at_ms: 1 }).execute(),
    ],
    ["has its rules taken away", () => database.query.deleteFrom("castellan.rules_in_force").execute()],
  ])("is not acted on when the channel %s while an event waits", async (_, end) => {
    await engine.save(rule());
    await engine.append(engine.cast("airdrop"));
    await end();
    expect(await evaluatePending(engine.context)).toBe(1);
    expect(await engine.cases()).toEqual([]);
    expect(await engine.evaluations()).toMatchObject([
      { note: "The channel was no longer linked, or no longer had rules." },
    ]);
  });
});
