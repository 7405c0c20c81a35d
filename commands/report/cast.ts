import { answer, text } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import type { FoundCast, KnownCast } from "../../src/moderation/find-target.ts";
import { describeUser, readNames } from "../../src/observe/people.ts";
import { reportCast, type Reported } from "../../src/reviews/reports.ts";
import { inlineCode } from "../../src/text/message-text.ts";
import { castLine } from "../../src/text/show-cast.ts";
import { suggestVisibleCasts } from "../shared/suggestions.ts";
import { requireWorkingChannels } from "../shared/working-channels.ts";
import { castOption } from "../shared/options.ts";

export const reportOneCast = answer({
  description: "Report a cast to the moderators of its channel; nothing happens until they decide",
  needs: "linked",
  options: {
    cast: castOption("Which cast: hash or link", suggestVisibleCasts),
    reason: text({ description: "What is wrong with it; the moderators will read this", maxLength: 300 }),
  },
  async run(context, { cast, reason }) {
    const known = await requireReportable(context, cast);
    const { hash: castHash, channelId, fid } = known;
    const { guildId, userId } = context.actor;
    const report = {
      guildId,
      userId,
      channelId,
      castHash,
      fid,
      body: known,
      reason: reason?.trim() || undefined,
    };
    return describe(context, known, await reportCast(context, report));
  },
});

/** Throws as `requireWorkingChannels` does, and `invalid_input` for casts that this server's moderators cannot act on. */
async function requireReportable(context: CommandContext, { known }: FoundCast): Promise<KnownCast> {
  const channels = await requireWorkingChannels(context);
  // A cast of another server's channel is treated like an unknown one.
  if (!known || !channels.includes(known.channelId)) {
    const where = channels.slice(0, 10).map((id) => `/${id}`);
    const rest = channels.length > where.length ? ` and ${channels.length - where.length} more` : "";
    throw new AppError(
      "invalid_input",
      `Castellan has seen no such cast in a channel of this server (${where.join(", ")}${rest}), so nothing was reported.`,
    );
  }
  if (known.removedAt !== null) {
    throw new AppError("invalid_input", "The author has deleted that cast, so there is nothing to report.");
  }
  if (known.hidden)
    throw new AppError("invalid_input", "That cast is already hidden, so nothing was reported.");
  return known;
}

async function describe(
  { database }: CommandContext,
  known: KnownCast,
  { outcome, state }: Reported,
): Promise<View> {
  const { fid, channelId, mentions } = known;
  const names = await readNames(database.query, [fid, ...mentions]);
  const about = `${describeUser({ fid, name: names.get(fid) })}: ${inlineCode(castLine(known, names, 100), 100)}`;
  const words = {
    first: `The moderators of /${channelId} will review it and see who reported it and why. Nothing is hidden until one of them decides.`,
    joined: `Others have reported it too, and your report is added. Nothing is hidden until a moderator of /${channelId} decides.`,
    again: `You have already reported this cast. The moderators of /${channelId} have not decided yet, so nothing was added.`,
    decided: `The moderators of /${channelId} have already reviewed it${state === "dismissed" ? " and left it as it is" : ""}. Nothing was added.`,
  };
  const isNew = outcome === "first" || outcome === "joined";
  return textView(isNew ? "good" : "plain", `${about}\n${words[outcome]}`, {
    title: isNew ? "Reported" : "Not reported again",
  });
}
