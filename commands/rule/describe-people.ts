import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { readCase } from "../../src/moderation/cases/case.ts";
import { readCaseLookups } from "../../src/moderation/cases/case-lookups.ts";
import type { People } from "../../src/rules/explain/find-people.ts";
import { colors } from "../../src/text/colors.ts";
import { showItem } from "../review/show.ts";
import { describeCaseActor, describeCaseLine } from "../shared/describe-case.ts";

/** Who did what no rule did, by which case, and why; what people brought to review as those see it who decide. */
export async function describePeople(
  context: CommandContext,
  channelId: string,
  people: People,
): Promise<View> {
  const title = `No rule did this in /${channelId}`;
  if ("userId" in people) {
    return textView("plain", `<@${people.userId}> did.`, { title });
  }
  if ("itemId" in people) {
    const { embeds = [] } = await showItem(context, people.itemId, true);
    const description = "People brought it before the moderators:";
    return { embeds: [{ title, description, color: colors.plain }, ...embeds] };
  }
  const subject = await readCase(context, people.caseId);
  const lookups = await readCaseLookups(context.database.query, [subject]);
  const lines = [
    `It was ${describeCaseActor(subject, lookups.names)}.`,
    describeCaseLine(subject, lookups),
    "/case view shows the whole case.",
  ];
  return textView("plain", lines, { title });
}
