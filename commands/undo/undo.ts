import { z } from "zod";
import { confirm } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { chooseChannelOfCase } from "../case/require-case.ts";
import { channelOption, chooseChannel, reasonOption, sinceOption } from "../shared/options.ts";
import { BanState, liftBan, previewLift } from "./ban.ts";
import { BulkState, previewBulk, undoBulk } from "./bulk.ts";
import { CasesState, CaseState, previewCases, undoCase, undoSeveral } from "./cases.ts";
import { showAgain } from "./cast.ts";
import { removeNote } from "./note.ts";
import { previewReview, ReviewState, undoReview } from "./review.ts";
import { previewRule, RuleState, undoRule } from "./rule.ts";
import { removeStrike } from "./strike.ts";
import { whatOption } from "./what.ts";

export const undo = confirm({
  description: "Undo a case, review, strike, note, ban, hidden cast or what a rule did; undo or stop a bulk",
  needs: { any: ["invite", "hide", "pin", "ban", "undo"] },
  console: true,
  options: {
    what: whatOption,
    since: sinceOption("For a rule, since when: 2h ago, 20:00 or 2026-11-23 20:00; a day ago if left out"),
    reason: reasonOption("Why; shown in the new cases"),
    channel: channelOption,
  },
  confirmLabel: "Undo",
  state: z.discriminatedUnion("kind", [CaseState, CasesState, BulkState, ReviewState, RuleState, BanState]),
  async preview(context, { what, since, reason, channel }) {
    if (since !== undefined && what.kind !== "rule")
      throw new AppError("invalid_input", "`since` is only for a rule, such as `what:rule:scam-links`.");
    const inChannel = async () => ({ channelId: await chooseChannel(context, channel), reason });
    switch (what.kind) {
      case "bulk":
        return previewBulk(context, what.number, reason);
      case "review":
        refuseReason(reason);
        return previewReview(context, what.number);
      case "strike":
        refuseReason(reason);
        return { view: await removeStrike(context, what.number) };
      case "note":
        refuseReason(reason);
        return { view: await removeNote(context, what.number) };
      case "cast":
        return { view: await showAgain(context, what.cast, { reason, channel }) };
      case "person":
        return previewLift(context, what.user, await inChannel());
      case "rule":
        return previewRule(context, what.ruleId, { ...(await inChannel()), since });
      case "case":
        return previewCases(context, [what.number], {
          channelId: await chooseChannelOfCase(context, channel, what.number),
          reason,
        });
      case "cases":
        return previewCases(context, what.numbers, await inChannel());
    }
  },
  async act(context, state) {
    switch (state.kind) {
      case "case":
        return undoCase(context, state);
      case "cases":
        return undoSeveral(context, state);
      case "bulk":
        return undoBulk(context, state);
      case "review":
        return undoReview(context, state);
      case "rule":
        return undoRule(context, state);
      case "person":
        return liftBan(context, state);
    }
  },
});

function refuseReason(reason: string | undefined): void {
  if (reason === undefined) return;
  throw new AppError(
    "invalid_input",
    "Reviews, strikes and notes are undone without a reason. Leave it out.",
  );
}
