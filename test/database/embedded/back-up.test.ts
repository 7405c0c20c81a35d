import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { archiveEnd } from "../../../src/archive/pack.ts";
import { unpack } from "../../../src/archive/unpack.ts";
import { connectDirectory } from "../../../src/database/connect.ts";
import type { Database, DatabaseBackup } from "../../../src/database/database.ts";
import { fillDirectory } from "../../support/database-template.ts";

let home: string;
let database: Database;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "castellan-backup-"));
  await fillDirectory(home);
  database = await connectDirectory(home);
});
afterEach(async () => {
  await database.close();
  await rm(home, { recursive: true });
});

async function begin(): Promise<DatabaseBackup> {
  const backup = await database.backUp?.("postgres");
  if (!backup) throw new Error("a database in a directory can be backed up");
  return backup;
}

async function* all({ files, log }: DatabaseBackup): AsyncGenerator<Uint8Array> {
  yield* files;
  yield* log;
  yield archiveEnd;
}

const add = (from: number, to: number) =>
  sql`insert into network.bot_allowlist (fid) select * from generate_series(${from}::int, ${to}::int)`.execute(
    database.query,
  );

const countSlots = async () =>
  (await sql<{ count: number }>`select count(*) from pg_replication_slots`.execute(database.query)).rows[0]
    ?.count;

describe("a backup", { timeout: 900_000 }, () => {
  it("opens with what was committed when its files ended, also what was written between two of them", async () => {
    await add(1, 10);
    const backup = await begin();
    const parts: Uint8Array[] = [];
    let fid = 1000;
    for await (const part of backup.files) {
      parts.push(part);
      if (parts.length % 50 !== 0) continue;
      await add(fid, fid + 999);
      fid += 1000;
      // An error of some statement ends what belongs to a session's transaction, not the backup.
      await expect(add(1, 1)).rejects.toMatchObject({ code: "23505" });
      // Log files that nothing reserves are used again from here on.
      await sql`select pg_switch_wal()`.execute(database.query);
      await sql`checkpoint`.execute(database.query);
    }
    await add(900_000, 900_000);
    for await (const part of backup.log) parts.push(part);
    await backup.close();
    expect(fid).toBeGreaterThan(5000);
    const copy = join(home, "copy");
    await unpack(Readable.from([...parts, archiveEnd]), copy);
    const restored = await connectDirectory(copy);
    const { rows } = await sql<{ fids: number; last: number }>`
      select count(*) as fids, max(fid) as last from network.bot_allowlist
    `.execute(restored.query);
    expect(rows).toEqual([{ fids: 10 + fid - 1000, last: fid - 1 }]);
    await restored.close();
  });

  it("keeps a second one out until it is closed, and leaves nothing behind", async () => {
    const first = await begin();
    await expect(begin()).rejects.toMatchObject({ code: "not_ready", retryAfter: 10 });
    await first.close();
    expect(await countSlots()).toBe(0);
    const second = await begin();
    const bytes = Buffer.concat(await Readable.from(all(second)).toArray());
    await second.close();
    expect(await countSlots()).toBe(0);
    expect(bytes.includes("in-use.json")).toBe(false);
    expect(bytes.includes("postmaster.pid")).toBe(false);
  });

  it("that was broken off by the end of the process reserves no log any more at the next start", async () => {
    await begin();
    expect(await countSlots()).toBe(1);
    await database.close();
    database = await connectDirectory(home);
    expect(await countSlots()).toBe(0);
    await (await begin()).close();
  });

  it("without its log is no database", async () => {
    const backup = await begin();
    const parts: Uint8Array[] = [];
    for await (const part of backup.files) parts.push(part);
    await backup.close();
    const copy = join(home, "copy");
    await unpack(Readable.from([...parts, archiveEnd]), copy);
    await expect(connectDirectory(copy)).rejects.toMatchObject({ code: "database_unavailable" });
  });
});
