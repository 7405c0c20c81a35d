import { sql } from "kysely";
import { afterAll, beforeEach, expect } from "vitest";
import { openTestDatabase, type TestDatabase } from "./database.ts";
import type { NetworkSettings } from "../../src/api/context.ts";
import {
  createTestContext,
  createTestNetwork,
  createWorld,
  seedChannel,
  type TestContext,
  type TestNetwork,
  type World,
} from "./world.ts";

/** A database for the tests of one file, with nothing stored before each. */
export async function useTestDatabase(): Promise<TestDatabase> {
  const database = await openTestDatabase();
  beforeEach(() => database.truncate());
  afterAll(() => database.close());
  return database;
}

/** A bot for the tests of one file, with nothing stored before each. */
export async function useEmptyWorld(): Promise<World> {
  const bot = await createWorld();
  beforeEach(() => bot.database.truncate());
  afterAll(() => bot.database.close());
  return bot;
}

/** The same with the channel memes alone, linked to server g1. */
export async function useWorld(): Promise<World> {
  const bot = await useEmptyWorld();
  beforeEach(() => seedChannel(bot, "memes", "g1"));
  return bot;
}

/** A network for the tests of one file, closed after them. */
export async function useTestNetwork(context?: TestContext): Promise<TestNetwork> {
  const network = await createTestNetwork(context);
  afterAll(() => network.context.database.close());
  return network;
}

/** What a network is made of, for the tests of one file. */
export async function useTestContext(settings?: Partial<NetworkSettings>): Promise<TestContext> {
  const context = await createTestContext(settings);
  afterAll(() => context.database.close());
  return context;
}

/** Rows for `it.each` with the title `%s`, which, unlike `$field`, neither quotes nor cuts. */
export function titled<Row>(rows: readonly Row[], title: (row: Row) => string): [string, Row][] {
  return rows.map((row) => [title(row), row]);
}

/**
 * Makes transactions of a server meet: holds these rows until each of `works` waits for a lock, in this order, and then
 * lets all go on at once. Fails when one of them has no need to wait.
 */
export async function meetAtLock<T>(
  database: TestDatabase,
  rows: string,
  works: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const holder = await database.pool.connect();
  const running: Promise<T>[] = [];
  try {
    await holder.query(`begin; select from ${rows} for update`);
    for (const work of works) {
      running.push(work());
      await expect.poll(() => countWaiting(database)).toBe(running.length);
    }
  } finally {
    await holder.query("commit");
    holder.release();
  }
  return Promise.all(running);
}

async function countWaiting(database: TestDatabase): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
  `.execute(database.query);
  return rows[0]?.waiting ?? 0;
}
