import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { createLease, isUnleased, leasedTables, releaseLeases } from "../../src/database/lease.ts";
import { createTestClock } from "../support/world.ts";
import { useTestDatabase } from "../support/test-cases.ts";

const database = await useTestDatabase();
const clock = createTestClock();

beforeEach(() =>
  database.query.insertInto("castellan.room_queues").values({ room_id: "1", guild_id: "g1" }).execute(),
);

function take(): Promise<unknown[]> {
  return database.query
    .updateTable("castellan.room_queues")
    .set(createLease("castellan.room_queues", clock))
    .where(isUnleased(clock))
    .returning("lease_token")
    .execute();
}

describe("a lease", () => {
  test("is held by one until it is over", async () => {
    expect(await take()).toHaveLength(1);
    expect(await take()).toHaveLength(0);
    clock.advance(31);
    expect(await take()).toHaveLength(1);
  });

  test("is given back with all others by a process that knows itself alone", async () => {
    await take();
    await database.transaction(releaseLeases);
    expect(await take()).toHaveLength(1);
  });

  test("is known of every table that has them", async () => {
    const { rows } = await sql<{ name: string }>`
      select 'castellan.' || table_name as name from information_schema.columns
      where table_schema = 'castellan' and column_name = 'lease_token' order by name
    `.execute(database.query);
    expect(rows.map(({ name }) => name)).toEqual([...leasedTables].toSorted());
  });
});
