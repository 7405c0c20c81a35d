import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import type { Case } from "../../src/moderation/cases/case.ts";
import { listCaseChanges } from "../../src/moderation/cases/edit-case.ts";
import { describeTime, escapeText } from "../../src/text/message-text.ts";
import { showCase } from "../shared/show-case.ts";

/** The latest that are shown. */
const most = 10;

/** A case with its comments and later changes. */
export async function showWithChanges(context: CommandContext, subject: Case): Promise<View> {
  const changes = await listCaseChanges(context.database.query, subject.id, most);
  const lines = changes.map(({ kind, by_user, at_ms, text }) => {
    // The text of a changed end is ours, with times that Discord formats.
    const what = { comment: escapeText(text), reason: `reason ${escapeText(text)}`, end: `end ${text}` }[
      kind
    ];
    return `<@${by_user}> ${describeTime(at_ms / 1000)}: ${what}`;
  });
  return showCase(context, subject, ...(lines.length > 0 ? ["", ...lines] : []));
}
