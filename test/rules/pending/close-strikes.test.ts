import { describe, expect, it } from "vitest";
import { evaluatePending } from "../../support/jobs.ts";
import { useRuleEngine } from "../../support/rule-engine.ts";
import { rule } from "../../support/rules.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2] });
const { network } = engine;
const { database, clock } = network.context;

const struck = rule({ id: "struck", then: [{ strike: { points: 1, ttl: "30d" } }] });
const escalate = (gte: number, change: Record<string, unknown> = {}) =>
  rule({
    id: "escalate",
    on: ["strike.added"],
    when: { "author.strikes": { gte } },
    then: [{ ban: { for: "7d" } }],
    ...change,
  });

const airdrops = (count: number) => Array.from({ length: count }, () => engine.cast("airdrop"));
const bans = async () => (await engine.cases()).filter(({ kind }) => kind === "ban");
const decided = async () =>
  (await engine.decisions())
    .filter((row) => row["rule_id"] === "escalate")
    .map((row) => [row["outcome"], row["why"], row["case_id"]]);

async function settle(): Promise<void> {
  while ((await evaluatePending(engine.context)) > 0);
}

const first = ["acted", null, expect.any(Number)];
const noChange = ["cooling", "Already banned by this rule: case C-1.", null];

describe("strikes that are given close together", () => {
  it.each([
    ["in one batch", () => engine.append(...airdrops(3))],
    [
      "each after the one before it was evaluated",
      async () => {
        for (const cast of airdrops(3)) {
          await engine.append(cast);
          await evaluatePending(engine.context);
        }
      },
    ],
  ])("count in the order in which they were told, %s", async (_, append) => {
    await engine.save(struck, escalate(3));
    await append();
    await settle();
    expect(await bans()).toHaveLength(1);
    expect(await decided()).toEqual([first]);
  });

  it("bring one ban where each would bring it; the others are told that it is so", async () => {
    await engine.save(struck, escalate(1));
    await engine.append(...airdrops(3));
    await settle();
    expect(await bans()).toHaveLength(1);
    expect(await decided()).toEqual([first, noChange, noChange]);
    // The rooms hear of it once.
    expect((await engine.hits()).filter(({ data }) => JSON.stringify(data).includes("ban"))).toHaveLength(1);
  });

  it("bring one ban, also where several workers decide at once", async () => {
    await engine.save(struck, escalate(1));
    await engine.append(...airdrops(120));
    await evaluatePending(engine.context);
    await evaluatePending(engine.context);
    await evaluatePending(engine.context);
    await Promise.all([1, 2, 3].map(() => settle()));
    expect(await bans()).toHaveLength(1);
    expect((await decided()).filter(([outcome]) => outcome === "acted")).toHaveLength(1);
  });
});

describe("a rule that bans somebody whom it bans already", () => {
  async function offend(rules: unknown[] = [struck, escalate(1)]): Promise<void> {
    await engine.save(...rules);
    await engine.append(...airdrops(1));
    await settle();
  }
  const mark = (change: object) =>
    database.query.updateTable("castellan.cases").set(change).where("number", "=", 1).execute();

  it("bans again when that one is over, was undone, or failed", async () => {
    await offend();
    await mark({ state: "applied" });
    clock.advance(7 * 86_400 - 1);
    await offend();
    expect(await bans()).toHaveLength(1);
    clock.advance(1);
    await offend();
    expect(await bans()).toHaveLength(2);
    for (const state of ["reverted", "failed"] as const) {
      await database.query.updateTable("castellan.cases").set({ state }).execute();
      await offend();
    }
    expect(await bans()).toHaveLength(4);
  });

  it("bans again for longer than that one, and for good, but not for less", async () => {
    const lengths = ["7d", "8d", "6d", undefined, "365d"];
    for (const length of lengths) {
      await offend([struck, escalate(1, { then: [{ ban: length === undefined ? {} : { for: length } }] })]);
    }
    expect((await bans()).map((row) => Boolean(row["due_at_ms"]))).toEqual([true, true, false]);
  });

  it("bans again when that one is about to be lifted", async () => {
    await offend();
    const [ban] = await bans();
    await mark({ state: "applied" });
    const unban = {
      guild_id: "900",
      channel_id: "memes",
      number: 2,
      target_key: String(ban?.["target_key"]),
      kind: "unban",
    };
    await database.query
      .insertInto("castellan.cases")
      .values({ ...unban, kind: "unban", state: "requested", actor_kind: "person", requested_at_ms: 1 })
      .execute();
    await database.query.updateTable("castellan.case_numbers").set({ last_number: 2 }).execute();
    await offend();
    expect(await bans()).toHaveLength(2);
  });

  it("leaves other rules, users and channels to themselves", async () => {
    await offend([struck, escalate(1), escalate(1, { id: "other" })]);
    expect((await bans()).map((row) => row["rule_id"])).toEqual(["escalate", "other"]);
    await engine.append(engine.cast("airdrop", { subjectFid: 8 }));
    await settle();
    expect(await bans()).toHaveLength(4);
    await network.seed.channel("art", { owner: 1, moderators: [2] });
    await engine.link("art");
    await engine.append(engine.cast("airdrop", { channelId: "art" }));
    await settle();
    expect(await bans()).toHaveLength(6);
  });
});
