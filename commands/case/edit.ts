import { z } from "zod";
import type { Tx } from "../../src/database/database.ts";
import { confirm, parsed, text } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { editPostsOfCase } from "../../src/feed/request-edits.ts";
import { authorizeAction } from "../../src/moderation/authorize.ts";
import { readCase, type Case } from "../../src/moderation/cases/case.ts";
import { addComment, changeReason } from "../../src/moderation/cases/edit-case.ts";
import { findEnd, readEndAfter } from "../../src/moderation/cases/new-end.ts";
import { requireSameEnd } from "../../src/moderation/cases/standing-bans.ts";
import { findName } from "../../src/moderation/find-target.ts";
import { describeUser } from "../../src/observe/people.ts";
import { escapeText } from "../../src/text/message-text.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { nameCase } from "../shared/describe-case.ts";
import { channelOption, numberOption, maxWritten, readBanLength, offering } from "../shared/options.ts";
import { describeNewEnd } from "../shared/preview-ban.ts";
import { runCase } from "../shared/show-case.ts";
import { suggestCases } from "../shared/suggest-numbers.ts";
import { suggestReasons } from "../shared/suggestions.ts";
import { chooseChannelOfCase, requireEditable } from "./require-case.ts";
import { showWithChanges } from "./show-with-changes.ts";

const choices = ["permanent", "1h", "6h", "1d", "3d", "7d", "30d"];

/** Another duration needs confirmation; what is written with it waits for that, too. */
export const editCase = confirm({
  description: "Change a case's reason, comment on it, or change when its ban ends",
  needs: { any: ["ban", "hide", "pin", "invite"] },
  console: true,
  options: {
    number: numberOption("case", "The case's number, such as C-12", suggestCases),
    reason: text({
      description: "Why it was done; the previous reason stays visible",
      suggest: suggestReasons,
    }),
    comment: text({ description: "What the other moderators should know" }),
    duration: parsed(
      {
        description: "How long the ban lasts from now, such as 6h, 7d or permanent",
        maxLength: maxWritten,
        suggest: offering(choices),
      },
      readBanLength,
    ),
    channel: channelOption,
  },
  confirmLabel: "Change the end",
  state: z.object({
    channelId: z.string(),
    number: z.int(),
    forSeconds: z.int().nullable(),
    /** When the ban ends, as the preview said. */
    before: z.number().nullable().optional(),
    reason: z.string().optional(),
    comment: z.string().optional(),
  }),
  async preview(context, { number, reason, comment, duration, channel: given }) {
    const channelId = await chooseChannelOfCase(context, given, number);
    const subject = await requireEditable(context, channelId, number);
    if (duration === undefined) {
      if (reason === undefined && comment === undefined)
        throw new AppError("invalid_input", "Fill in `reason`, `comment` or `duration`.");
      await context.database.transaction((tx) => writeEdits(context, tx, subject, { reason, comment }));
      return { view: await showWithChanges(context, await readCase(context, subject.id)) };
    }
    const found = await findEnd(context.database.query, subject);
    if ("refusal" in found) return { view: textView("plain", found.refusal) };
    const { by, untilMs } = found;
    const fid = subject.targetFid ?? 0;
    const wanted = duration === null ? null : context.clock.now() + duration * 1000;
    const after = await readEndAfter(context.database.query, subject, wanted);
    const lines = [
      describeUser({ fid, name: await findName(context, fid) }),
      ...describeNewEnd({ before: untilMs, by: nameCase(by, subject), wanted, after }),
      "The new length counts from your click. </undo> restores the previous end.",
      ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
      ...(comment === undefined ? [] : [`Comment: ${escapeText(comment)}`]),
    ];
    const title = `Change when ${showNumber("case", number)} ends?`;
    return {
      view: textView("warning", lines, { title }),
      state: { channelId, number, forSeconds: duration, before: untilMs, reason, comment },
    };
  },
  async act(context, { channelId, number, forSeconds, before, ...edits }) {
    const { by } = await authorizeAction(context, context.actor, channelId, "ban");
    const subject = await requireEditable(context, channelId, number);
    const found = await findEnd(context.database.query, subject);
    if ("refusal" in found) throw new AppError("invalid_input", found.refusal);
    const request = {
      channelId,
      kind: "change_expiry" as const,
      targetFid: subject.targetFid ?? undefined,
      actor: by,
      forSeconds: forSeconds ?? undefined,
    };
    return runCase(context, request, async (tx) => {
      if (before !== undefined) await requireSameEnd(tx, subject, before);
      await writeEdits(context, tx, subject, edits);
    });
  },
});

async function writeEdits(
  context: CommandContext,
  tx: Tx,
  subject: Case,
  { reason, comment }: { reason?: string | undefined; comment?: string | undefined },
): Promise<void> {
  const editor = { userId: context.actor.userId, nowMs: context.clock.now() };
  if (reason !== undefined) {
    await changeReason(tx, subject, reason, editor);
    await editPostsOfCase(context, tx, subject.id);
  }
  if (comment !== undefined) await addComment(tx, subject, comment, editor);
}
