import { answer, text } from "../src/discord/command.ts";
import type { CommandContext } from "../src/discord/command-context.ts";
import { textView, type View } from "../src/discord/view.ts";
import { en } from "../src/languages/en.ts";
import { TranslatedError } from "../src/languages/translated-error.ts";
import type { FoundCast, KnownCast } from "../src/moderation/find-target.ts";
import { describeUser, readNames } from "../src/observe/people.ts";
import { reportCast, type Reported } from "../src/reviews/reports.ts";
import { inlineCode } from "../src/text/message-text.ts";
import { castLine } from "../src/text/show-cast.ts";
import { suggestVisibleCasts } from "./shared/suggestions.ts";
import { requireWorkingChannels } from "./shared/working-channels.ts";
import { castOption } from "./shared/options.ts";

export const report = answer({
  description: en.descriptions["report"],
  needs: "linked",
  options: {
    cast: castOption(en.descriptions["report:cast"], suggestVisibleCasts),
    reason: text({ description: en.descriptions["report:reason"], maxLength: 300 }),
  },
  async run(context, { cast, reason }) {
    const known = await requireReportable(context, cast);
    const { hash: castHash, channelId, fid } = known;
    const { guildId, userId } = context.actor;
    const reported = await reportCast(context, {
      guildId,
      userId,
      channelId,
      castHash,
      fid,
      body: known,
      reason: reason?.trim() || undefined,
    });
    return describe(context, known, reported);
  },
});

/** Throws as `requireWorkingChannels` does, and `invalid_input` for casts that this server's moderators cannot act on. */
async function requireReportable(context: CommandContext, { known }: FoundCast): Promise<KnownCast> {
  const channels = await requireWorkingChannels(context);
  // A cast of another server's channel is treated like an unknown one.
  if (!known || !channels.includes(known.channelId)) {
    const named = channels.slice(0, 10);
    const listed = named.map((id) => `/${id}`).join(", ");
    const rest = channels.length - named.length;
    throw new TranslatedError("invalid_input", ({ reports }) =>
      reports.unseen(rest > 0 ? reports.andMore(listed, rest) : listed),
    );
  }
  if (known.removedAt !== null) {
    throw new TranslatedError("invalid_input", ({ reports }) => reports.deleted);
  }
  if (known.hidden) throw new TranslatedError("invalid_input", ({ reports }) => reports.hidden);
  return known;
}

async function describe(
  { database, texts }: CommandContext,
  known: KnownCast,
  { outcome, state }: Reported,
): Promise<View> {
  const { fid, channelId, mentions } = known;
  const names = await readNames(database.query, [fid, ...mentions]);
  const about = `${describeUser({ fid, name: names.get(fid) })}: ${inlineCode(castLine(known, names, 100, texts.cast), 100)}`;
  const { reports } = texts;
  const result = reports[outcome === "decided" && state === "dismissed" ? "dismissed" : outcome];
  const isNew = outcome === "first" || outcome === "joined";
  return textView(isNew ? "good" : "plain", `${about}\n${result(channelId)}`, {
    title: isNew ? reports.sent : reports.notSent,
  });
}
