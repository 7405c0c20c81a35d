import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import { authorizeBulk } from "../../src/moderation/authorize-server.ts";
import { listCasesOfBulk, maxTargets, requireBulk, type Bulk } from "../../src/moderation/bulks/bulk.ts";
import { readCaseLookups } from "../../src/moderation/cases/case-lookups.ts";
import { writeOutcome } from "../../src/moderation/cases/outcome.ts";
import { showBulk } from "../shared/bulk.ts";
import { describeCaseLine } from "../shared/describe-case.ts";

/** A bulk's progress, and the result for every target. */
export async function showOneBulk(context: CommandContext, number: number): Promise<View> {
  const bulk = await requireBulk(context.database.query, context.actor.guildId, number);
  const viewed = await authorizeBulk(context, context.actor, bulk, "view");
  const view = await showBulk(context, bulk.id, { viewed });
  const lines = await listTargets(context, bulk, viewed);
  if (lines.length === 0) return view;
  return { ...view, files: [{ name: `bulk-${number}.txt`, text: `${lines.join("\n")}\n` }] };
}

async function listTargets(
  { database }: CommandContext,
  bulk: Bulk,
  viewed: readonly string[],
): Promise<string[]> {
  const all = await listCasesOfBulk(database.query, bulk.id, { limit: maxTargets });
  const cases = all.filter(({ channelId }) => viewed.includes(channelId));
  const lookups = await readCaseLookups(database.query, cases);
  return cases.map((subject) => {
    const outcome = writeOutcome(subject);
    const where = bulk.otherChannelIds.length > 0 ? `/${subject.channelId} ` : "";
    return `${where}${toPlain(describeCaseLine(subject, lookups))}${outcome === null ? "" : `: ${outcome}`}`;
  });
}

/** A file shows no formatting, so the escapes that keep a message harmless would only be in the way. */
function toPlain(line: string): string {
  return line
    .replaceAll(/\*\*|`/g, "")
    .replaceAll(/\\(.)/g, "$1")
    .replaceAll(/<t:(\d+):R>/g, (_, seconds: string) => new Date(Number(seconds) * 1000).toISOString());
}
