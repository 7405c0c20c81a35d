import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beginBulk, type BulkAction } from "../../src/moderation/bulks/begin.ts";
import { pollListings } from "../../src/observe/listings/poll-listings.ts";
import { pollRecords } from "../../src/observe/records/poll-records.ts";
import { followLinks } from "../../src/observe/sources.ts";
import { createServerDatabase } from "../support/database.ts";
import { fillDirectory } from "../support/database-template.ts";
import { castRow } from "../support/rules.ts";
import { createSeed } from "../support/seed.ts";
import { findServers } from "../support/services.ts";
import { botFid, linkGuild, people } from "../support/world.ts";
import { openBulkSite, type BulkPlace } from "./bulk-site.ts";
import { checkBulk } from "./check-bulk.ts";
import type { Verdict } from "./verdict.ts";

/** What is done to each target. */
export type BulkDeed = "hide" | "ban" | "ban in two channels";

export interface KilledBulk {
  deed: BulkDeed;
  targets: number;
  kills: number;
  tell: (line: string) => void;
}

/** The first of the users whom a bulk bans. */
const firstTarget = 1000;
/** Milliseconds that are over for a process after each death before it: longer than what the dead one held. */
const afterDeath = 121_000;

/**
 * Kills the process that does a bulk, again and again in the middle of it, and lets another go on; then looks at what came of it:
 * on the server of TEST_DATABASE_URL with the jobs in TEST_REDIS_URL, or on the embedded engine.
 */
export async function killBulk(bulk: KilledBulk): Promise<Verdict[]> {
  const { place, remove } = await makePlace();
  const id = await begin(place, bulk);
  const killedAt: number[] = [];
  let ahead = 0;
  for (let kill = 1; kill <= bulk.kills; kill += 1) {
    const done = await goOn(place, id, { ahead, most: bulk.targets / (bulk.kills + 1) });
    killedAt.push(done);
    bulk.tell(`kill ${kill} of ${bulk.kills}: ${done} of ${bulk.targets} are done`);
    ahead += afterDeath;
  }
  await goOn(place, id, { ahead });
  const verdicts = await look(place, id, bulk, ahead + afterDeath);
  await remove();
  const isEarly = (done: number) => done < bulk.targets;
  return [
    {
      title: "killed in the middle each time",
      looked: killedAt.length,
      faults: killedAt.every(isEarly) ? [] : [`done before the kill: ${killedAt.join(", ")}`],
    },
    ...verdicts,
  ];
}

async function makePlace(): Promise<{ place: BulkPlace; remove: () => Promise<void> }> {
  const prefix = randomUUID();
  const servers = findServers();
  if (servers) {
    const { url, drop } = await createServerDatabase(servers.server);
    return { place: { database: url, redis: { REDIS_URL: servers.redis }, prefix }, remove: drop };
  }
  const directory = await mkdtemp(join(tmpdir(), "castellan-test-"));
  await fillDirectory(directory);
  return { place: { database: directory, prefix }, remove: () => rm(directory, { recursive: true }) };
}

async function begin(place: BulkPlace, { deed, targets }: KilledBulk): Promise<number> {
  const { database, bot } = await openBulkSite(place);
  const seed = createSeed(database.query);
  const [channelId, guildId] = ["memes", "g1"];
  for (const fid of [people.owner, people.troll, botFid]) await seed.account(fid);
  const channelIds = deed === "ban in two channels" ? [channelId, "art"] : [channelId];
  for (const id of channelIds) {
    await seed.channel(id, { owner: people.owner, moderators: [botFid] });
    await linkGuild(bot, id, guildId);
  }
  await followLinks(bot);
  for (const id of channelIds) {
    await pollRecords(bot, id);
    await pollListings(bot, id);
  }
  const actions: BulkAction[] = [];
  for (let index = 0; index < targets; index += 1) {
    if (deed !== "hide") {
      const place = index % channelIds.length;
      const targetFid = firstTarget + (index - place) / channelIds.length;
      actions.push({ kind: "ban", channelId: channelIds[place] ?? channelId, targetFid });
      continue;
    }
    const targetCast = await seed.cast({ fid: people.troll, channelId, text: `spam ${index}` });
    await database.query
      .insertInto("castellan.casts")
      .values(castRow(targetCast, { fid: people.troll }))
      .execute();
    actions.push({ kind: "hide", targetCast });
  }
  const kind = deed === "hide" ? ("hide" as const) : ("ban" as const);
  const asked = { guildId, channelId, kind, selection: "targets", by: { userId: "5" } };
  const { id } = await database.transaction((tx) => beginBulk(bot, tx, asked, actions));
  await database.close();
  return id;
}

/**
 * Starts a process that goes on with it, and with `most` kills it once it has done up to so many more, at no moment in particular.
 * Gives how many are done then.
 */
async function goOn(
  place: BulkPlace,
  bulkId: number,
  { ahead, most }: { ahead: number; most?: number },
): Promise<number> {
  const worker = join(import.meta.dirname, "bulk-worker.ts");
  const values = [JSON.stringify(place), String(bulkId), String(ahead)];
  const child = spawn(process.execPath, ["--import", "tsx", worker, ...values], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  const more = most === undefined ? Infinity : 1 + Math.random() * most * 0.7;
  let first: number | undefined;
  let done = 0;
  for await (const line of createInterface(child.stdout)) {
    if (line === "ended") continue;
    done = Number(line);
    first ??= done;
    if (done >= first + more) child.kill("SIGKILL");
  }
  const [code] = await exit;
  if (most === undefined && code !== 0) throw new Error(`the process that nobody killed ended with ${code}`);
  return done;
}

async function look(
  place: BulkPlace,
  bulkId: number,
  { deed, targets }: KilledBulk,
  ahead: number,
): Promise<Verdict[]> {
  const { database, bot } = await openBulkSite(place, ahead);
  const verdicts = await checkBulk(bot, bulkId, { deed, targets });
  await database.close();
  return verdicts;
}
