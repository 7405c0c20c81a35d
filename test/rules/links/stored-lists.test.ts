import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { keyOf, KeyParts } from "../../../src/rules/links/host-set.ts";
import { readKnownLists } from "../../../src/rules/links/known-lists.ts";
import { readListRows, storeContent } from "../../../src/rules/links/stored-lists.ts";
import { useWorld } from "../../support/test-cases.ts";

const bot = await useWorld();

function contentOf(name: string, many: number) {
  const parts = new KeyParts();
  for (let n = 0; n < many; n++) parts.add(keyOf(`${name}-${n}.example`));
  const none = { allowed: [], allowedHosts: 0, skipped: 0, leftOut: [], etag: null, modified: null };
  return { ...none, listed: parts.list(), hosts: many };
}

describe("a list that two processes store at once", () => {
  it("is whole: the one whose parts the other cleared away stores nothing", async () => {
    const { query } = bot.database;
    const fresh = { name: "race", url: "https://race.example/", allows: false, next_at_ms: 0 };
    await query.insertInto("castellan.link_lists").values(fresh).execute();
    const [row] = await readListRows(query);
    if (!row) throw new Error("no row");
    const first = storeContent(bot, row, contentOf("a", 300_000), 1);
    const countParts = () => query.selectFrom("castellan.link_list_parts").select("part").execute();
    while ((await countParts()).length === 0) await setImmediate();
    const stored = await Promise.all([first, storeContent(bot, row, contentOf("b", 300_000), 1)]);
    expect(stored.filter(Boolean).length).toBe(1);
    const [after] = await readListRows(query);
    const parts = await query
      .selectFrom("castellan.link_list_parts")
      .select(["revision", "keys"])
      .where("list", "=", "race")
      .execute();
    const own = parts.filter(({ revision }) => revision === after?.revision);
    expect(own.reduce((sum, { keys }) => sum + keys.length / 8, 0)).toBe(after?.hosts ?? 0);
  });

  it("counts as not read where parts of it are missing, and keeps nobody waiting", async () => {
    const { query } = bot.database;
    const row = { name: "part", url: "https://part.example/", allows: false, next_at_ms: 0 };
    await query
      .insertInto("castellan.link_lists")
      .values({ ...row, revision: 5, hosts: 3, succeeded_at_ms: 1 })
      .execute();
    await query.deleteFrom("castellan.link_list_parts").where("list", "=", "part").execute();
    const { rows, find } = await readKnownLists(bot);
    expect(rows.map(({ revision }) => revision)).toEqual([0]);
    expect(find("a-1.example")).toBeUndefined();
  });
});
