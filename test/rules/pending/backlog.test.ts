import { describe, expect, it } from "vitest";
import { createRuleContext } from "../../../src/rules/context.ts";
import { evaluatePending } from "../../support/jobs.ts";
import { readBacklog, takePending } from "../../../src/rules/pending/pending.ts";
import { useRuleEngine, guild } from "../../support/rule-engine.ts";
import { rule } from "../../support/rules.ts";

const engine = await useRuleEngine();
const { database, clock } = engine.network.context;

describe("what waits for a server's rules", () => {
  const backlog = () => readBacklog(database, guild);

  it("is nothing at first, and for a server without rules", async () => {
    await engine.save(rule());
    expect(await backlog()).toEqual({ waiting: 0, oldestMs: null, putAside: 0 });
    await engine.append(engine.cast("airdrop"));
    expect(await readBacklog(database, "901")).toEqual({ waiting: 0, oldestMs: null, putAside: 0 });
  });

  it("is counted, with the oldest, until it is evaluated or put aside", async () => {
    await engine.save(rule());
    const oldestMs = clock.now();
    await engine.append(engine.cast("airdrop"));
    clock.advance(10);
    await engine.append(engine.cast("airdrop"));
    expect(await backlog()).toEqual({ waiting: 2, oldestMs, putAside: 0 });
    await database.query
      .updateTable("castellan.rule_evaluations")
      .set({ attempts: 5 })
      .where("event_id", "=", 1)
      .execute();
    expect(await backlog()).toEqual({ waiting: 1, oldestMs: oldestMs + 10_000, putAside: 1 });
    await evaluatePending(createRuleContext(engine.context, engine.context));
    expect(await backlog()).toEqual({ waiting: 0, oldestMs: null, putAside: 1 });
  });
});

describe("an event that rules do not know", () => {
  it("is a mistake of ours, and says which", async () => {
    await engine.save(rule());
    await engine.append(engine.cast("airdrop"));
    await database.query.updateTable("castellan.events").set({ kind: "rule.hit" }).execute();
    await expect(takePending(engine.context, guild)).rejects.toThrow(
      "an evaluation is queued for rule.hit, which rules do not support",
    );
  });
});
