import { afterAll, beforeEach, expect, test } from "vitest";
import { systemClock, type Clock } from "../../src/clock.ts";
import { createLease, isUnleased } from "../../src/database/lease.ts";
import { followServerClock, type ServerClock } from "../../src/database/server-clock.ts";
import { openTestDatabase } from "../support/database.ts";

const database = await openTestDatabase();
/** Two minutes ahead, as of a machine without time service. */
const wrong: Clock = { now: () => Date.now() + 120_000, monotonic: () => performance.now() };
const followed: ServerClock[] = [];

afterAll(async () => {
  for (const clock of followed) await clock.close();
  await database.close();
});
beforeEach(async () => {
  await database.truncate();
  await database.query.insertInto("castellan.room_queues").values({ room_id: "1", guild_id: "g1" }).execute();
});

async function follow(machine: Clock): Promise<ServerClock> {
  const clock = await followServerClock(database, machine);
  followed.push(clock);
  return clock;
}

const take = (clock: Clock) =>
  database.query
    .updateTable("castellan.room_queues")
    .set(createLease("castellan.room_queues", clock))
    .where(isUnleased(clock))
    .returning("lease_token")
    .execute();

test("a process whose machine is two minutes ahead takes no lease that another one holds", async () => {
  const [right, ahead] = [await follow(systemClock), await follow(wrong)];
  expect(await take(right)).toHaveLength(1);
  expect(await take(ahead)).toHaveLength(0);
});

test("a lease of such a process ends when others think so, too", async () => {
  const [right, ahead] = [await follow(systemClock), await follow(wrong)];
  expect(await take(ahead)).toHaveLength(1);
  const later: Clock = { ...right, now: () => right.now() + 31_000 };
  expect(await take(later)).toHaveLength(1);
});

test("what the machine's clock does meanwhile changes nothing", async () => {
  let jump = 0;
  const clock = await follow({ ...systemClock, now: () => Date.now() + jump });
  const before = clock.now();
  jump = 3_600_000;
  await clock.look();
  expect(clock.now() - before).toBeLessThan(1_800_000);
});
