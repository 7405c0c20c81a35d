import { beforeEach, describe, expect, test } from "vitest";
import { applyCase } from "../../../src/moderation/cases/apply.ts";
import { proposeCase } from "../../../src/moderation/cases/propose.ts";
import { resolveEchoes } from "../../../src/moderation/cases/resolve-echoes.ts";
import { pollRecords } from "../../../src/observe/records/poll-records.ts";
import { followLinks } from "../../../src/observe/sources.ts";
import { useWorld } from "../../support/test-cases.ts";
import { people } from "../../support/world.ts";

const [guildId, channelId] = ["g1", "memes"];

const bot = await useWorld();
let targetCast: string;

beforeEach(async () => {
  targetCast = await bot.net.seed.cast({ fid: people.troll, channelId });
  const proposal = { guildId, channelId, actor: { userId: "100" }, kind: "hide", targetCast } as const;
  await followLinks(bot);
  await pollRecords(bot, channelId);
  const { id } = await bot.database.transaction((tx) => proposeCase(tx, bot.clock, proposal));
  await applyCase(bot, id);
});

const cases = () => bot.database.query.selectFrom("castellan.cases").select("state").execute();

/** As if the records had been read `late` seconds from now, and were without ours. */
function readRecords(late: number, behind = false): Promise<unknown> {
  return bot.database.query
    .updateTable("castellan.sources")
    .set({ succeeded_at_ms: bot.clock.now() + late * 1000, behind })
    .where("source", "=", `records/${channelId}`)
    .execute();
}

describe("a hide that no record shows after two reads was so already", () => {
  test.each([
    ["not before the second read", 9, false, "applied"],
    ["not while there is more to read", 30, true, "applied"],
    ["after it", 11, false, "already"],
  ])("%s", async (_, late, behind, state) => {
    await readRecords(late, behind);
    await resolveEchoes(bot);
    expect(await cases()).toMatchObject([{ state }]);
  });

  test("one that was claimed stays applied", async () => {
    await pollRecords(bot, channelId);
    await readRecords(60);
    await resolveEchoes(bot);
    expect(await cases()).toMatchObject([{ state: "applied" }]);
  });
});
