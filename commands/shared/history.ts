import type { CommandContext } from "../../src/discord/command-context.ts";
import type { Case } from "../../src/moderation/case.ts";
import { laneOf } from "../../src/moderation/case.ts";
import { countStrikes, listNotes } from "../../src/rules/facts/marks.ts";
import { amount } from "../../src/text/amount.ts";
import { escapeText, inlineCode } from "../../src/text/escape.ts";
import { describeCaseLine } from "./describe.ts";

/** A person's latest cases in a channel, as this server knows them: what to have in mind before acting. */
export async function describeHistory(
  context: CommandContext,
  channelId: string,
  fid: number,
): Promise<string> {
  const { database, actor } = context;
  const cases: Case[] = await database.query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("guild_id", "=", actor.guildId)
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
  const marks = await describeMarks(context, channelId, fid);
  if (cases.length === 0) return [known, ...marks, "No earlier cases."].join("\n");
  const lines = cases.map((subject) => describeCaseLine(subject, new Map()));
  return [known, ...marks, "Earlier cases:", ...lines].join("\n");
}

/** What rules gave and wrote down: strike points that count, the latest notes. */
async function describeMarks(
  { database, clock, actor }: CommandContext,
  channelId: string,
  fid: number,
): Promise<string[]> {
  const points = await countStrikes(database.query, clock, actor.guildId, channelId, fid);
  const notes = await listNotes(database.query, actor.guildId, channelId, fid, 3);
  return [
    ...(points > 0 ? [`${amount(points, "strike point")}.`] : []),
    ...notes.map(({ text, rule_id }) => `Note of rule ${inlineCode(rule_id, 40)}: ${escapeText(text, 200)}`),
  ];
}
