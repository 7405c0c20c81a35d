import type { CommandContext } from "../../src/discord/command.ts";
import type { Case } from "../../src/moderation/case.ts";
import { laneOf } from "../../src/moderation/case.ts";
import { describeCaseLine } from "./describe.ts";

/** A person's latest cases in a channel, as this server knows them: what to have in mind before acting. */
export async function describeHistory(
  { database, asker }: CommandContext,
  channelId: string,
  fid: number,
): Promise<string> {
  const cases: Case[] = await database.query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("guild_id", "=", asker.guildId)
    .where("lane", "=", laneOf({ channelId, kind: "ban", targetFid: fid }))
    .orderBy("id", "desc")
    .limit(5)
    .execute();
  const { hidden, casts } = await database.query
    .selectFrom("castellan.casts")
    .select((query) => [
      query.fn.countAll<number>().as("casts"),
      query.fn.countAll<number>().filterWhere("hidden", "=", true).as("hidden"),
    ])
    .where("fid", "=", fid)
    .where("channel_id", "=", channelId)
    .executeTakeFirstOrThrow();
  const known = `${casts} casts seen in /${channelId}, ${hidden} of them hidden.`;
  if (cases.length === 0) return `${known}\nNo earlier cases.`;
  return [known, "Earlier cases:", ...cases.map((subject) => describeCaseLine(subject, new Map()))].join(
    "\n",
  );
}
