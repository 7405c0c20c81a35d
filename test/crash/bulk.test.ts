import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { beginBulk } from "../../src/moderation/bulks/begin.ts";
import { progressOf } from "../../src/feed/render/bulk.ts";
import { readBulks } from "../../src/feed/render/told-bulk.ts";
import { readBulk } from "../../src/moderation/bulks/bulk.ts";
import { fillDirectory } from "../support/database-template.ts";
import { castRow } from "../support/rules.ts";
import { createSeed } from "../support/seed.ts";
import { botFid, linkGuild, people } from "../support/world.ts";
import { openBulkSite } from "./bulk-site.ts";

const [targets, kills] = [500, 10];

async function begin(directory: string): Promise<number> {
  const { database, bot } = await openBulkSite(directory);
  const seed = createSeed(database.query);
  for (const fid of [people.owner, people.troll, botFid]) await seed.account(fid);
  await seed.channel("memes", { owner: people.owner, moderators: [botFid] });
  await linkGuild(bot, "memes", "g1");
  const hashes: string[] = [];
  for (let index = 0; index < targets; index += 1) {
    hashes.push(await seed.cast({ fid: people.troll, channelId: "memes", text: `spam ${index}` }));
  }
  await database.query
    .insertInto("castellan.casts")
    .values(hashes.map((hash) => castRow(hash, { fid: people.troll })))
    .execute();
  const asked = {
    guildId: "g1",
    channelId: "memes",
    kind: "hide" as const,
    about: "casts",
    by: { userId: "5" },
  };
  const actions = hashes.map((targetCast) => ({ kind: "hide" as const, targetCast }));
  const { id } = await database.transaction((tx) => beginBulk(bot, tx, asked, actions));
  await database.close();
  return id;
}

/** Starts a process that goes on with it; kills it once it has done something more, at no moment in particular. */
async function goOn(directory: string, bulkId: number, isKilled: boolean): Promise<number[]> {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", join(import.meta.dirname, "bulk-worker.ts"), directory, String(bulkId)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const exit = once(child, "exit");
  const said: number[] = [];
  for await (const line of createInterface(child.stdout)) {
    if (line !== "ended") said.push(Number(line));
    if (!isKilled || said.length < 2) continue;
    await sleep(Math.random() * 60);
    child.kill("SIGKILL");
  }
  await exit;
  return said;
}

test(
  `a bulk of ${targets} that is killed ${kills} times does each target once, and counts right`,
  { timeout: 600_000 },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "castellan-test-"));
    await fillDirectory(directory);
    const id = await begin(directory);
    const killedAt: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) killedAt.push((await goOn(directory, id, true)).at(-1) ?? 0);
    // In the middle each time, and further each time.
    expect(killedAt).toEqual(killedAt.toSorted((one, other) => one - other));
    expect(killedAt.at(-1)).toBeLessThan(targets);
    await goOn(directory, id, false);

    const { database, bot } = await openBulkSite(directory);
    const records = await database.query
      .selectFrom("network.moderation_records")
      .select(["cast_hash", "action"])
      .execute();
    expect(records).toHaveLength(targets);
    expect(new Set(records.map(({ cast_hash, action }) => `${cast_hash} ${action}`)).size).toBe(targets);
    const told = (await readBulks(database.query, [id])).get(id);
    expect(told && progressOf(told)).toEqual({ done: targets, already: 0, failed: 0, open: 0 });
    expect((await readBulk(bot.database.query, id)).endedAtMs).not.toBeNull();
    const settled = await database.query
      .selectFrom("castellan.events")
      .select("id")
      .where("kind", "=", "case.settled")
      .execute();
    expect(settled).toHaveLength(targets);
    await database.close();
    await rm(directory, { recursive: true });
  },
);
