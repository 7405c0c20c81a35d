import { describe, expect, it } from "vitest";
import {
  findRules,
  findVersion,
  listVersions,
  saveRules,
} from "../../../src/rules/versions/rules-of-server.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { ruleThreads } from "../../support/world.ts";
import { rule, ruleFile } from "../../support/rules.ts";
import { useTestDatabase } from "../../support/test-cases.ts";

const database = await useTestDatabase();

const save = (baseVersion: number, source: string, guildId = "1") =>
  database.transaction((tx) =>
    saveRules(tx, {
      guildId,
      ruleSet: parseRules(source),
      change: "import",
      savedBy: "7",
      savedAt: 5000 + baseVersion,
      baseVersion,
    }),
  );
const find = (guildId = "1") => findRules({ database, ruleThreads }, guildId);

describe("the rules of a server", () => {
  it("are none at first", async () => {
    expect(await find()).toBeUndefined();
  });

  it("are what was saved last, and every version stays, with who and when", async () => {
    expect(await save(0, ruleFile([rule()]))).toBe(1);
    expect(await save(1, ruleFile([rule({ mode: "off" })]))).toBe(2);
    expect(await find()).toMatchObject({ version: 2, ruleSet: { rules: [{ id: "scam", mode: "off" }] } });
    expect(await listVersions(database.query, "1", 5)).toEqual([
      { version: 2, change: "import", saved_by: "7", saved_at_ms: 5001 },
      { version: 1, change: "import", saved_by: "7", saved_at_ms: 5000 },
    ]);
    expect(await findVersion(database.query, "1", 1)).toEqual({
      version: 1,
      source: ruleFile([rule()]),
      change: "import",
      saved_by: "7",
      saved_at_ms: 5000,
    });
  });

  it("belong to one server alone", async () => {
    await save(0, ruleFile([rule()]));
    expect(await save(0, ruleFile([]), "2")).toBe(1);
    expect(await find("2")).toMatchObject({ ruleSet: { rules: [] } });
    expect(await find()).toMatchObject({ ruleSet: { rules: [{ id: "scam" }] } });
  });

  it("are not replaced by what was made from an older version", async () => {
    await save(0, ruleFile([rule()]));
    await expect(save(0, ruleFile([]))).rejects.toMatchObject({ code: "expired" });
    expect(await find()).toMatchObject({ version: 1, source: ruleFile([rule()]) });
  });

  it("take one of two changes made at the same time", async () => {
    const results = await Promise.allSettled([save(0, ruleFile([rule()])), save(0, ruleFile([]))]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await listVersions(database.query, "1", 5)).toHaveLength(1);
  });

  it("are not saved with a mistake in them", async () => {
    await expect(save(0, ruleFile([rule({ on: [] })]))).rejects.toMatchObject({ code: "invalid_file" });
    expect(await find()).toBeUndefined();
  });

  it("are parsed again only when they changed", async () => {
    await save(0, ruleFile([rule()]));
    const first = await find();
    expect(await find()).toBe(first);
    await save(1, ruleFile([]));
    expect(await find()).toMatchObject({ version: 2, ruleSet: { rules: [] } });
  });
});
