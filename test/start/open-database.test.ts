import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { connectServer } from "../../src/database/connect.ts";
import { bringUpToDate, openDatabase } from "../../src/start/open-database.ts";
import { createServerDatabase } from "../support/database.ts";
import { hasServer } from "../support/services.ts";

describe.runIf(hasServer)("with AUTO_MIGRATE=off", () => {
  let database: Awaited<ReturnType<typeof createServerDatabase>>;
  beforeAll(async () => {
    database = await createServerDatabase();
  });
  afterAll(() => database.drop());
  const config = (migrates: "on" | "off" = "off") =>
    parseConfig({ DATABASE_URL: database.url, AUTO_MIGRATE: migrates });
  const change = async (statement: string) => {
    const opened = connectServer(database.url);
    await opened.pool.query(statement);
    await opened.close();
  };

  test("a start opens a database of this version", async () => {
    const opened = await openDatabase(config());
    await expect(opened.query.selectFrom("castellan.cases").select("id").execute()).resolves.toEqual([]);
    await opened.close();
  });

  test("a start opens one that a newer version only added to, as with AUTO_MIGRATE=on, and refuses any other", async () => {
    await change("alter table castellan.migrations add column if not exists usable_from text");
    await change(
      "insert into castellan.migrations (name, usable_from) values ('9999-later', '0200-baseline')",
    );
    for (const migrates of ["off", "on"] as const) await (await openDatabase(config(migrates))).close();
    expect(await bringUpToDate(config())).toEqual([]);
    await change("update castellan.migrations set usable_from = name where name = '9999-later'");
    for (const migrates of ["off", "on"] as const)
      await expect(openDatabase(config(migrates))).rejects.toThrow("it has 9999-later");
    await change("delete from castellan.migrations where name = '9999-later'");
  });

  test("a start refuses an older one, and one without tables, until they are brought up to date", async () => {
    await change("delete from castellan.migrations where name = '0200-baseline'");
    await expect(openDatabase(config())).rejects.toThrow("lacks 0200-baseline");
    await change("drop schema castellan, network, bullmq cascade");
    await expect(openDatabase(config())).rejects.toThrow("run castellan migrate");
    expect(await bringUpToDate(config())).toContain("0200-baseline");
    await (await openDatabase(config())).close();
  });
});
