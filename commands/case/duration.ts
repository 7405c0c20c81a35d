import { z } from "zod";
import { confirm, text, type Option } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeAction } from "../../src/moderation/authorize.ts";
import { findEnd, readEndAfter } from "../../src/moderation/cases/new-end.ts";
import { describeUser } from "../../src/observe/people.ts";
import { findName } from "../../src/moderation/find-target.ts";
import { colors } from "../../src/text/colors.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { nameCase } from "../shared/describe-case.ts";
import { numberOption } from "../shared/number-option.ts";
import { channelOption, chooseChannel, readBanLength } from "../shared/options.ts";
import { describeNewEnd } from "../shared/preview-ban.ts";
import { carryOut } from "../shared/show-case.ts";
import { requireEditable } from "./require-case.ts";

const choices = ["for good", "1h", "6h", "1d", "3d", "7d", "30d"];

/** From now on, in seconds; null for good. */
const newEnd: Option<number | null> = {
  ...text({ description: "How long from now: 6h, 7d, or: for good", required: true, maxLength: 20 }),
  read(raw) {
    return readBanLength(typeof raw === "string" ? raw : "");
  },
  suggest: async (typed) =>
    choices.filter((one) => one.startsWith(typed.trim())).map((value) => ({ name: value, value })),
};

export const changeDuration = confirm({
  description: "Let a ban end sooner, later, or not at all",
  needs: "ban",
  console: true,
  options: {
    number: numberOption("case", "The ban's case, such as C-12"),
    duration: newEnd,
    channel: channelOption,
  },
  confirmLabel: "Change the end",
  state: z.object({ channelId: z.string(), number: z.int(), forSeconds: z.int().nullable() }),
  async preview(context, { number, duration, channel: given }) {
    const channelId = await chooseChannel(context, given);
    const subject = await requireEditable(context, channelId, number);
    const found = await findEnd(context.database.query, subject);
    if ("refusal" in found)
      return { view: { embeds: [{ description: found.refusal, color: colors.plain }] } };
    const { by, untilMs } = found;
    const fid = subject.targetFid ?? 0;
    const wanted = duration === null ? null : context.clock.now() + duration * 1000;
    const after = await readEndAfter(context.database.query, subject, wanted);
    const lines = [
      describeUser({ fid, name: await findName(context, fid) }),
      ...describeNewEnd({ before: untilMs, by: nameCase(by, subject), wanted, after }),
      "The end counts from your click. /case undo brings the end before back.",
    ];
    const title = `Change when ${showNumber("case", number)} ends?`;
    return {
      view: { embeds: [{ title, description: lines.join("\n"), color: colors.warning }] },
      state: { channelId, number, forSeconds: duration },
    };
  },
  async act(context, { channelId, number, forSeconds }) {
    const { by } = await authorizeAction(context, context.actor, channelId, "ban");
    const subject = await requireEditable(context, channelId, number);
    const found = await findEnd(context.database.query, subject);
    if ("refusal" in found) throw new AppError("invalid_input", found.refusal);
    return carryOut(context, {
      channelId,
      kind: "change_expiry",
      targetFid: subject.targetFid ?? undefined,
      actor: by,
      forSeconds: forSeconds ?? undefined,
    });
  },
});
