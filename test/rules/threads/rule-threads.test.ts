import { readdirSync, readFileSync } from "node:fs";
import { platform } from "node:os";
import { afterAll, describe, expect, it } from "vitest";
import type { Occurrence } from "../../../src/rules/evaluate/occurrence.ts";
import type { RuleSet } from "../../../src/rules/evaluate/rule-set.ts";
import { sourceLimits } from "../../../src/rules/language/read-source.ts";
import { considerEvents } from "../../../src/rules/threads/consider-events.ts";
import { createRuleThreads, createTurns } from "../../../src/rules/threads/rule-threads.ts";
import { useRuleEngine } from "../../support/rule-engine.ts";
import { castCreated, rule, ruleFile } from "../../support/rules.ts";

const threads = createRuleThreads(2);
afterAll(() => threads.close());
// No test pays for the start of the first thread.
await threads.read("warm", ruleFile([]));
const engine = await useRuleEngine();

/** Patterns within all limits, no two alike, whose automaton grows with every character. */
const dear = (count: number) => ({
  any: Array.from({ length: count }, (_, index) => ({
    text: { matches: `(?i)(?:[aа]*[aа][abа]{60}){2}[cd]{${index + 1}}$` },
  })),
});

/** Texts of three letters, each another, so that what a pattern learnt from one is of no use for the next. */
function longCast(seed: number): Occurrence {
  let state = seed;
  const letters = Array.from({ length: 10_000 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return "abа"[(state >> 16) % 3];
  });
  return castCreated(letters.join(""));
}
const long = [1, 2, 3].map(longCast);

/** How often the event loop turned meanwhile. */
async function countTurns<T>(work: Promise<T>): Promise<{ found: T; turns: number }> {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 5);
  const found = await work.finally(() => clearInterval(timer));
  return { found, turns };
}

const consider = (ruleSet: RuleSet, tooSlow: Set<string>, ...occurrences: Occurrence[]) =>
  considerEvents(
    { ...engine.context, ruleThreads: threads },
    { queue: "test", ruleSets: [ruleSet], occurrences, tooSlow: [tooSlow] },
  );

it.runIf(platform() === "linux")("threads of rules go behind whatever else needs a processor", () => {
  // The 19th field of a thread's line; the name in it may hold blanks.
  const niceness = (file: string) =>
    Number(readFileSync(`/proc/self/${file}`, "utf8").split(") ")[1]?.split(" ")[16]);
  const all = readdirSync("/proc/self/task").map((task) => niceness(`task/${task}/stat`));
  expect(niceness("stat")).toBe(0);
  expect(Math.max(...all)).toBeGreaterThan(0);
});

describe("the tasks of one name", () => {
  it("run one after the other, and go on after a failure; other names do not wait for them", async () => {
    const inTurn = createTurns();
    const begun: string[] = [];
    let fail = (_: Error) => {};
    const first = inTurn("a", () => {
      begun.push("a1");
      return new Promise<never>((_, reject) => (fail = reject));
    });
    const second = inTurn("a", async () => begun.push("a2"));
    await inTurn("b", async () => begun.push("b1"));
    expect(begun).toEqual(["a1", "b1"]);
    fail(new Error("no"));
    await expect(first).rejects.toThrow("no");
    await second;
    expect(begun).toEqual(["a1", "b1", "a2"]);
  });

  it("are refused behind too many of their own", async () => {
    const inTurn = createTurns();
    let end = () => {};
    const held = new Promise<void>((resolve) => (end = resolve));
    const tasks = Array.from({ length: 21 }, () => inTurn("a", () => held));
    await expect(inTurn("a", () => held)).rejects.toMatchObject({ code: "rate_limited" });
    await inTurn("b", async () => undefined);
    end();
    await Promise.all(tasks);
    await inTurn("a", async () => undefined);
  });
});

describe("reading a rule file", () => {
  it("leaves the event loop to others, however long it takes", async () => {
    const keys = Array.from({ length: 13_000 }, (_, index) => `k${index}: 1`).join("\n");
    expect(keys.length).toBeLessThan(sourceLimits.bytes);
    const { found, turns } = await countTurns(threads.read("test", keys).catch((error: unknown) => error));
    expect(found).toMatchObject({ code: "invalid_file", message: "The rules have 13002 mistakes." });
    // Read in this thread, not one.
    expect(turns).toBeGreaterThan(5);
  });

  it("gives the same as reading it here", async () => {
    const { rules, ...rest } = await threads.read(
      "test",
      ruleFile([rule({ then: [{ ban: { for: "7d" } }] })]),
    );
    expect(rest).toMatchObject({ exempt: ["owner", "moderators"] });
    expect(rules).toMatchObject([{ id: "scam", mode: "enforce", on: ["cast.created"] }]);
    expect(rules[0]?.actions.map(({ sentence }) => sentence)).toEqual(["ban the author for 7 days"]);
  });
});

describe("a rule that takes too long", () => {
  it.each([6, 64])("may not look any more, and the others still decide (%d patterns)", async (patterns) => {
    const slow = rule({ id: "slow", priority: 5, when: dear(patterns) });
    const quick = rule({ id: "quick", when: { text: { contains: "ab" } } });
    const ruleSet = await threads.read("test", ruleFile([slow, quick]));
    const tooSlow = new Set<string>();
    const { found, turns } = await countTurns(consider(ruleSet, tooSlow, ...long, castCreated("ab")));
    expect([...tooSlow]).toEqual(["slow"]);
    const fired = found.map((evaluations) => {
      const [evaluation] = evaluations ?? [];
      if (!evaluation?.asked) throw new Error("the rules were not asked");
      return evaluation.verdicts.flatMap(({ rule: { id }, truth }) => (truth === true ? [id] : []));
    });
    expect(fired).toEqual([["quick"], ["quick"], ["quick"], ["quick"]]);
    expect(turns).toBeGreaterThan(5);
  });

  it("keeps nobody else's rules waiting", async () => {
    const slow = await threads.read("test", ruleFile([rule({ id: "slow", when: dear(64) })]));
    const quick = await threads.read("test", ruleFile([rule()]));
    const ended: string[] = [];
    const first = consider(slow, new Set(), ...long).then(() => ended.push("slow"));
    const events = { items: [], final: true, botFid: 99 };
    await threads.consider("other", [quick], events, [new Set()]).then(() => ended.push("quick"));
    await first;
    expect(ended).toEqual(["quick", "slow"]);
  });
});
