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
  const config = () => parseConfig({ DATABASE_URL: database.url, AUTO_MIGRATE: "off" });
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

  test("a start refuses an older one, and one without tables, until they are brought up to date", async () => {
    await change("delete from castellan.migrations where name = '0200-baseline'");
    await expect(openDatabase(config())).rejects.toThrow("lacks 0200-baseline");
    await change("drop schema castellan, network, bullmq cascade");
    await expect(openDatabase(config())).rejects.toThrow("run castellan migrate");
    expect(await bringUpToDate(config())).toContain("0200-baseline");
    await (await openDatabase(config())).close();
  });
});
