import { progressOf } from "../../src/feed/render/bulk.ts";
import { readBulks } from "../../src/feed/render/bulk-summary.ts";
import { channelsOf, readBulk } from "../../src/moderation/bulks/bulk.ts";
import { resolveEchoes } from "../../src/moderation/cases/resolve-echoes.ts";
import { pollListings } from "../../src/observe/listings/poll-listings.ts";
import { pollRecords } from "../../src/observe/records/poll-records.ts";
import type { BotHalf } from "../../src/start/wire-bot.ts";
import type { BulkDeed } from "./kill-bulk.ts";
import { repeated, type Verdict } from "./verdict.ts";

interface Expected {
  deed: BulkDeed;
  targets: number;
}

/** What came of a bulk, once all of it is seen: on the network, in its cases, in what is told of it. */
export async function checkBulk(
  bot: BotHalf,
  bulkId: number,
  { deed, targets }: Expected,
): Promise<Verdict[]> {
  const { query } = bot.database;
  const bulk = await readBulk(query, bulkId);
  const { endedAtMs } = bulk;
  for (const channelId of channelsOf(bulk)) {
    await pollRecords(bot, channelId);
    await pollListings(bot, channelId);
  }
  await resolveEchoes(bot);
  const done = deed === "hide" ? await readHidden(bot) : await readBanned(bot);
  const cases = await query.selectFrom("castellan.cases").select(["bulk_id", "state", "outcome"]).execute();
  const settled = await query
    .selectFrom("castellan.events")
    .select("case_id")
    .where("kind", "=", "case.settled")
    .execute();
  const told = (await readBulks(query, [bulkId])).get(bulkId);
  const progress = JSON.stringify(told && progressOf(told));
  const expected = JSON.stringify({ done: targets, already: 0, failed: 0, open: 0 });
  return [
    { title: "the network did each target once", looked: done.length, faults: onceEach(done, targets) },
    {
      title: "each case is applied, and told of once",
      looked: settled.length,
      faults: [
        ...cases.flatMap(({ state, outcome }) => (state === "applied" ? [] : [`${state}: ${outcome}`])),
        ...onceEach(
          settled.map(({ case_id }) => String(case_id)),
          targets,
        ),
      ],
    },
    {
      title: "nothing of it is taken for somebody else's doing",
      looked: cases.length,
      faults: cases.length === targets ? [] : [`${cases.length} cases`],
    },
    {
      title: "what is told counts right, and says that it has ended",
      looked: told ? 1 : 0,
      faults: [
        ...(progress === expected ? [] : [`${progress}, not ${expected}`]),
        ...(endedAtMs === null ? ["it has not ended"] : []),
      ],
    },
  ];
}

function onceEach(done: readonly string[], targets: number): string[] {
  const number = new Set(done).size;
  return [
    ...repeated(done).map((one) => `${one} twice`),
    ...(number === targets ? [] : [`${number} of ${targets}`]),
  ];
}

async function readHidden({ database }: BotHalf): Promise<string[]> {
  const rows = await database.query
    .selectFrom("network.moderation_records")
    .select(["cast_hash", "action"])
    .execute();
  return rows.map(({ cast_hash, action }) => `${action} ${cast_hash}`);
}

async function readBanned({ database }: BotHalf): Promise<string[]> {
  const rows = await database.query.selectFrom("network.bans").select(["channel_id", "fid"]).execute();
  return rows.map(({ channel_id, fid }) => `${channel_id} ${fid}`);
}
