import { describe, expect, it } from "vitest";
import { countHits, listVerdicts, saveVerdicts } from "../../../src/rules/verdicts/stored-verdicts.ts";
import { useTestDatabase } from "../../support/test-cases.ts";

const database = await useTestDatabase();

const verdict = {
  event_id: 1,
  guild_id: "900",
  channel_id: "memes",
  rule_id: "scam",
  rule_version: 1,
  mode: "enforce" as const,
  action: "hide the cast",
  outcome: "acted" as const,
  why: null,
  action_index: 0,
  case_id: null,
  tree: "{}",
  decided_at_ms: 1000,
};
type Change = Partial<Omit<typeof verdict, "outcome">> & { outcome?: "unknown" };

const save = (...changes: Change[]) =>
  database.transaction((tx) =>
    saveVerdicts(
      tx,
      changes.map((change, index) => ({ ...verdict, event_id: index + 1, ...change })),
    ),
  );

describe("how often rules fired", () => {
  const count = async (...rules: string[]) =>
    Object.fromEntries(await countHits(database.query, "900", rules, 1000));

  it("is counted by rule, once for all actions on an event, since a time", async () => {
    await save({}, {}, { rule_id: "flood" }, { rule_id: "third" }, { decided_at_ms: 999 });
    await save(
      { action_index: 1 },
      { rule_id: "scam", guild_id: "901" },
      { rule_id: "flood", outcome: "unknown" },
    );
    expect(await count("scam", "flood")).toEqual({ scam: 2, flood: 1 });
  });

  it("is nothing where no rule is asked about", async () => {
    await save({});
    expect(await count()).toEqual({});
  });
});

describe("the verdicts of a rule", () => {
  it("are listed newest first, as many as are wanted", async () => {
    await save({}, { decided_at_ms: 3000 }, { decided_at_ms: 2000 }, { decided_at_ms: 2000 });
    await save({ rule_id: "flood", decided_at_ms: 4000 }, { guild_id: "901", decided_at_ms: 4000 });
    const rows = await listVerdicts(database.query, "900", "scam", 3);
    expect(rows.map((row) => row.event_id)).toEqual([2, 4, 3]);
    expect(rows[0]).toEqual({
      channel_id: "memes",
      outcome: "acted",
      why: null,
      action: "hide the cast",
      rule_version: 1,
      event_id: 2,
      decided_at_ms: 3000,
    });
  });
});

describe("saveVerdicts", () => {
  it("may be nothing", async () => {
    await save();
    expect(await listVerdicts(database.query, "900", "scam", 5)).toEqual([]);
  });
});
