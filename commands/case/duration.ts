import { z } from "zod";
import { confirm, parsed } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeAction } from "../../src/moderation/authorize.ts";
import { findEnd, readEndAfter } from "../../src/moderation/cases/new-end.ts";
import { requireSameEnd } from "../../src/moderation/cases/standing-bans.ts";
import { describeUser } from "../../src/observe/people.ts";
import { findName } from "../../src/moderation/find-target.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { nameCase } from "../shared/describe-case.ts";
import { channelOption, numberOption, maxWritten, readBanLength, offering } from "../shared/options.ts";
import { describeNewEnd } from "../shared/preview-ban.ts";
import { runCase } from "../shared/show-case.ts";
import { chooseChannelOfCase, requireEditable } from "./require-case.ts";
import { textView } from "../../src/discord/view.ts";

const choices = ["for good", "1h", "6h", "1d", "3d", "7d", "30d"];

export const changeDuration = confirm({
  description: "Change when a ban ends, or make it permanent",
  needs: "ban",
  console: true,
  options: {
    number: numberOption("case", "The ban's case, such as C-12"),
    duration: parsed(
      {
        description: "How long from now, such as 6h, 7d or permanent",
        required: true,
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
  }),
  async preview(context, { number, duration, channel: given }) {
    const channelId = await chooseChannelOfCase(context, given, number);
    const subject = await requireEditable(context, channelId, number);
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
    ];
    const title = `Change when ${showNumber("case", number)} ends?`;
    return {
      view: textView("warning", lines, { title }),
      state: { channelId, number, forSeconds: duration, before: untilMs },
    };
  },
  async act(context, { channelId, number, forSeconds, before }) {
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
    });
  },
});
