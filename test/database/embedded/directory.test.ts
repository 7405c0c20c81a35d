import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectDirectory } from "../../../src/database/connect.ts";
import type { AppError } from "../../../src/errors.ts";
import type { Database } from "../../../src/database/database.ts";
import { lockDirectory } from "../../../src/database/embedded/directory-lock.ts";
import { migrate } from "../../../src/database/migrate.ts";
import { fillDirectory } from "../../support/database-template.ts";

let directory: string;
let children: ChildProcess[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "castellan-test-"));
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await rm(directory, { recursive: true });
});

function spawnWriter() {
  const file = join(import.meta.dirname, "writer.ts");
  const child = spawn(process.execPath, ["--import", "tsx", file, directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return child;
}

/** Starts the writer and waits until it said so many rows. */
async function startWriter(rows: number): Promise<{ child: ChildProcess; acknowledged: number[] }> {
  const child = spawnWriter();
  const acknowledged: number[] = [];
  const enough = new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error("the writer ended by itself")));
    createInterface(child.stdout).on("line", (line) => {
      acknowledged.push(Number(line));
      if (acknowledged.length === rows) resolve();
    });
  });
  await enough;
  return { child, acknowledged };
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

async function readFids(database: Database): Promise<number[]> {
  const rows = await database.query
    .selectFrom("network.bot_allowlist")
    .select("fid")
    .orderBy("fid")
    .execute();
  return rows.map((row) => row.fid);
}

test(
  "every acknowledged row outlives kill -9, and the directory is free at once",
  { timeout: 900_000 },
  async () => {
    await fillDirectory(directory);
    const { child, acknowledged } = await startWriter(50);
    await kill(child);
    await sleep(100);
    const database = await connectDirectory(directory);
    expect(await readFids(database)).toEqual(expect.arrayContaining(acknowledged));
    await database.close();
  },
);

test("a second process is told who has the directory", { timeout: 900_000 }, async () => {
  await fillDirectory(directory);
  const { child } = await startWriter(1);
  await expect(connectDirectory(directory)).rejects.toMatchObject({
    code: "directory_in_use",
    message: expect.stringMatching(
      new RegExp(`${directory}.* process ${child.pid} .*writer\\.ts.* since 20`),
    ),
  });
});

test(
  "the first start makes the files, private and complete; what was made half-way goes",
  { timeout: 900_000 },
  async () => {
    await writeFile(join(directory, "postgres-unfinished-1"), "");
    const first = await connectDirectory(directory);
    await migrate(first);
    await first.query.insertInto("network.bot_allowlist").values({ fid: 7 }).execute();
    await first.close();
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect(await readdir(directory)).toEqual(["lock-secret", "postgres"]);
    const second = await connectDirectory(directory);
    expect(await readFids(second)).toEqual([7]);
    await second.close();
  },
);

test(
  "a first start that is killed while it makes the files leaves none, and the next one makes them",
  { timeout: 900_000 },
  async () => {
    const child = spawnWriter();
    const begun = async () =>
      (await readdir(directory)).some((name) => name.startsWith("postgres-unfinished-"));
    await expect.poll(begun, { timeout: 60_000, interval: 2 }).toBe(true);
    await kill(child);
    expect(await readdir(directory)).not.toContain("postgres");
    const database = await connectDirectory(directory);
    expect(await readFids(database)).toEqual([]);
    await database.close();
    expect(await readdir(directory)).toEqual(["lock-secret", "postgres"]);
  },
);

test(
  "the event loop goes on during a long statement, and a directory opens once",
  { timeout: 900_000 },
  async () => {
    await fillDirectory(directory);
    const database = await connectDirectory(directory);
    const order: string[] = [];
    const slow = database.pool
      .query("select count(*) from generate_series(1, 3000000)")
      .then(() => order.push("statement ended"));
    await sleep(1);
    order.push("the event loop went on");
    await slow;
    expect(order).toEqual(["the event loop went on", "statement ended"]);
    await expect(connectDirectory(directory)).rejects.toMatchObject({ code: "directory_in_use" });
    await database.close();
  },
);

test("broken files are said to be, and do not keep the directory locked", { timeout: 900_000 }, async () => {
  await fillDirectory(directory);
  await rm(join(directory, "postgres", "global"), { recursive: true });
  const crashes: AppError[] = [];
  const opening = connectDirectory(directory, { onCrash: (error) => void crashes.push(error) });
  await expect(opening).rejects.toMatchObject({
    code: "database_unavailable",
    message: expect.stringMatching(/is damaged and cannot be opened\..*castellan restore FILE/),
  });
  // The process ends with the reason of the first that gives it: no other may come before.
  expect(crashes).toEqual([]);
  const unlock = await lockDirectory(directory);
  await unlock();
});

test("files of another major version are left alone, and it is said how to bring them over", async () => {
  await fillDirectory(directory);
  await writeFile(join(directory, "postgres", "PG_VERSION"), "17\n");
  await expect(connectDirectory(directory)).rejects.toMatchObject({
    code: "database_unavailable",
    message: expect.stringMatching(/embedded PostgreSQL 17.* has 18\..*castellan backup --portable FILE/),
  });
});

test(
  "an engine that never answers is given up and said to be, and closes",
  { timeout: 900_000 },
  async () => {
    await fillDirectory(directory);
    const crashes: string[] = [];
    const database = await connectDirectory(directory, {
      timeoutMs: 4_000,
      onCrash: ({ message }) => crashes.push(message),
    });
    const endless =
      "with recursive endless as (select 1 union all select 1 from endless) select count(*) from endless";
    const asked = [database.pool.query(endless), database.pool.query("select 1")];
    for (const answer of await Promise.allSettled(asked))
      expect(answer).toMatchObject({ status: "rejected" });
    expect(crashes).toEqual([expect.stringContaining("has not responded for 4 s. Check the free space")]);
    await expect(database.pool.query("select 1")).rejects.toThrow("has not responded");
    await database.close();
    await expect(connectDirectory(directory).then((again) => again.close())).resolves.toBeUndefined();
  },
);

test("an engine that is busy closes all the same", { timeout: 900_000 }, async () => {
  await fillDirectory(directory);
  const database = await connectDirectory(directory);
  const endless =
    "with recursive endless as (select 1 union all select 1 from endless) select count(*) from endless";
  const asked = database.pool.query(endless).catch((error: unknown) => error);
  await sleep(500);
  await database.close();
  expect(await asked).toBeInstanceOf(Error);
});

test(
  "a disk that is nearly full is not written to, and again when there is room",
  { timeout: 900_000 },
  async () => {
    await fillDirectory(directory);
    let free = 2 ** 40;
    const database = await connectDirectory(directory, { readFree: async () => free });
    const add = (fid: number) =>
      database.transaction((tx) => tx.insertInto("network.bot_allowlist").values({ fid }).execute());
    await add(1);
    free = 63 * 2 ** 20;
    await expect.poll(() => database.trouble()).toMatch(/nearly full \(63 MB free\)/);
    await expect(add(2)).rejects.toMatchObject({ code: "database_unavailable" });
    await expect(
      database.query.insertInto("network.bot_allowlist").values({ fid: 2 }).execute(),
    ).rejects.toMatchObject({ code: "database_unavailable" });
    expect(await readFids(database)).toEqual([1]);
    free = 2 ** 40;
    await expect.poll(() => database.trouble()).toBeUndefined();
    await add(3);
    expect(await readFids(database)).toEqual([1, 3]);
    await database.close();
  },
);

test.each([
  ["an existing database", 63, 64],
  ["a new one", 159, 160],
])("a start without room for %s ends with the reason", async (which, megabytes, needed) => {
  if (which === "an existing database") await fillDirectory(directory);
  const readFree = async () => megabytes * 2 ** 20;
  await expect(connectDirectory(directory, { readFree })).rejects.toMatchObject({
    code: "database_unavailable",
    message: expect.stringContaining(`${megabytes} MB are free, Castellan needs ${needed} MB`),
  });
});
