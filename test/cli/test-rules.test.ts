import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eraseAuthor } from "../../src/cli/erase-author.ts";
import { testRules } from "../../src/cli/test-rules.ts";
import { systemClock } from "../../src/clock.ts";
import { parseConfig } from "../../src/config.ts";
import { connectDirectory } from "../../src/database/connect.ts";
import { createAppendEvents } from "../../src/observe/events.ts";
import { loadKeys } from "../../src/start/keys.ts";
import { openDatabase } from "../../src/start/open-database.ts";
import { castRow, rule, ruleFile } from "../support/rules.ts";

const home = await mkdtemp(join(tmpdir(), "castellan-rehearsal-"));
const config = parseConfig({ DATA_DIR: home });
const file = join(home, "rules.json");
afterAll(() => rm(home, { recursive: true }));

/** An installation at rest: a linked channel, in which fid 7 said two things. */
beforeAll(async () => {
  loadKeys(home);
  const database = await openDatabase(config);
  const now = systemClock.now();
  const about = { channel_id: "memes", channel_url: "https://m.example", channel_name: "memes" };
  const link = { ...about, linked_by: "1", linked_at_ms: now, verified_at_ms: now };
  await database.query
    .insertInto("castellan.links")
    .values({
      ...link,
      guild_id: "900",
      suspended_at_ms: null,
      suspended_reason: null,
      bot_role_lost_at_ms: null,
    })
    .execute();
  const said = (text: string, index: number) => {
    const castHash = `0x${String(index).padStart(40, "0")}`;
    const seen = { occurredAt: Math.floor(now / 1000), observedAt: now, depth: 0, caseId: null };
    const data = { castHash, text, rootHash: castHash, threadDepth: 0, mentions: [], embeds: [] };
    const kind = "cast.created" as const;
    return { sourceKey: castHash, kind, channelId: "memes", subjectFid: 7, ...seen, data };
  };
  const append = createAppendEvents({ claim: async (_tx, events) => events, fanOut: [] });
  await database.transaction((tx) => append(tx, [said("free airdrop", 1), said("gm", 2)]));
  const row = castRow(said("", 1).data.castHash, { text: "free airdrop" });
  await database.query.insertInto("castellan.casts").values(row).execute();
  await database.close();
  await writeFile(file, ruleFile([rule({ when: { text: { contains: "airdrop" } } })], { exempt: [] }));
});

async function run(path = file, channel = "memes"): Promise<string> {
  const out = new PassThrough({ encoding: "utf8" });
  await testRules(config, { file: path, channel, days: 7 }, out, process.stderr);
  return String(out.read());
}

const slow = { timeout: 240_000 };

it("tries a file on the history of a channel, and says what it would hit", slow, async () => {
  const text = await run();
  expect(text).toContain("2 events of the last 7 days in memes");
  expect(text).toContain(`scam (enforce): 1 newly hit\n  newly hit: E-1 by fid 7 "free airdrop"\n`);
  expect(text).toContain("Nothing was done.");
});

it("names the authors of its samples, where they have a name", slow, async () => {
  const database = await openDatabase(config);
  const name = { name: "pia", fid: 7, owner: "0x", since: 1 };
  await database.query.insertInto("castellan.names").values(name).execute();
  await database.close();
  expect(await run()).toContain(`newly hit: E-1 by @pia, fid 7 "free airdrop"`);
});

it("says what is missing, or not there", slow, async () => {
  await expect(run(file, "art")).rejects.toThrow("No server is linked to art.");
  await expect(run(join(home, "none"))).rejects.toMatchObject({ code: "invalid_file" });
  const nowhere = parseConfig({ DATA_DIR: join(home, "nowhere") });
  const trying = testRules(nowhere, { file, channel: "memes", days: 7 }, new PassThrough(), process.stderr);
  await expect(trying).rejects.toThrow("There is no Castellan data");
});

it("says what to do while Castellan runs on the same data, and changes nothing", slow, async () => {
  const running = await openDatabase(config);
  try {
    const inUse = { code: "directory_in_use", message: expect.stringContaining(`is running on ${home}`) };
    const trying = run();
    await expect(trying).rejects.toMatchObject(inUse);
    await expect(trying).rejects.toThrow(/\/rule test in Discord, .*DATABASE_URL/);
    const erasing = eraseAuthor(config, "7", new PassThrough());
    await expect(erasing).rejects.toMatchObject(inUse);
    await expect(erasing).rejects.toThrow(/Nothing was erased: stop Castellan.*DATABASE_URL/);
    const { text } = await running.query
      .selectFrom("castellan.casts")
      .select("text")
      .executeTakeFirstOrThrow();
    expect(text).toBe("free airdrop");
  } finally {
    await running.close();
  }
});

it("erases what an author wrote, so that nothing of it is tried any more", slow, async () => {
  const out = new PassThrough({ encoding: "utf8" });
  await eraseAuthor(config, "7", out);
  const report = String(out.read());
  expect(report).toContain("fid 7: erased from Castellan's database.\n  the text of 1 cast; 2 events");
  expect(report).toContain("backups made before now");
  const printed = await run();
  expect(printed).toMatch(/^0 casts\.\nscam \(enforce\): no hit$/m);
  expect(printed).toContain("Other events (names, bans, hides) are known from the link on");
  await expect(eraseAuthor(config, "@somebody", out)).rejects.toMatchObject({ code: "invalid_input" });
});

it("erases nothing, and makes nothing, where there is no data of Castellan", slow, async () => {
  const nowhere = parseConfig({ DATA_DIR: join(home, "nowhere") });
  await expect(eraseAuthor(nowhere, "7", new PassThrough())).rejects.toThrow(
    `There is no Castellan data in DATA_DIR (${join(home, "nowhere")}).`,
  );
  expect(existsSync(join(home, "nowhere"))).toBe(false);
  const empty = join(home, "empty");
  const made = await connectDirectory(join(empty, "database"));
  await made.pool.query("drop schema network, castellan cascade");
  await made.close();
  const trying = eraseAuthor(parseConfig({ DATA_DIR: empty }), "7", new PassThrough());
  await expect(trying).rejects.toThrow("There is no Castellan data");
  const opened = await connectDirectory(join(empty, "database"));
  const { rows } = await opened.pool.query("select from pg_namespace where nspname = 'castellan'");
  await opened.close();
  expect(rows).toEqual([]);
});

it("changes nothing of a database that another version made, and says what to do", slow, async () => {
  const database = await openDatabase(config);
  const ledger = "castellan.migrations where name = '0200-baseline'";
  await database.pool.query(`delete from ${ledger}`);
  await database.close();
  await expect(run()).rejects.toThrow(
    "created by an older version of Castellan (it lacks 0200-baseline). To bring it up to date, run castellan migrate",
  );
  await expect(eraseAuthor(config, "7", new PassThrough())).rejects.toThrow("run castellan migrate");
  const after = await connectDirectory(join(home, "database"));
  const { rows } = await after.pool.query(`select from ${ledger}`);
  expect(rows).toEqual([]);
  await after.pool.query("insert into castellan.migrations (name) values ('0200-baseline'), ('9999-later')");
  await after.close();
  await expect(run()).rejects.toThrow("created by a newer version of Castellan");
});
