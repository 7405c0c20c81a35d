import { answer, oneOf } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type PictureFile } from "../../src/discord/view.ts";
import { themes, type Picture } from "../../src/drawing/picture.ts";
import { asAppError } from "../../src/errors.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import { readStatistics } from "../../src/moderation/statistics.ts";
import { readLoad } from "../../src/reviews/review-items.ts";
import { channelOption, readChannelId, sinceOption } from "../shared/options.ts";
import { describeNothing, describeStatistics } from "./describe-statistics.ts";
import type { Shown } from "./shown.ts";
import { describePicture, toPicture } from "./to-picture.ts";

const usualPeriod = 30 * 86_400_000;

export const stats = answer({
  description: "Actions over a period by day, kind, rule and moderator, and reviews, as a picture",
  needs: "view",
  options: {
    since: sinceOption("Start of the period: 7d ago, 20:00 or 2026-11-23; 30 days ago if left out"),
    channel: { ...channelOption, description: "Only this channel; all that you may view if left out" },
    theme: oneOf(themes, { description: "The picture's colors; dark if left out" }),
  },
  async run(context, { since, channel, theme = "dark" }) {
    const { actor, clock, database } = context;
    const { guildId } = actor;
    const channelIds = channel === undefined ? undefined : [readChannelId(channel)];
    for (const channelId of channelIds ?? []) await authorize(context, actor, channelId, "view");
    const chosen = channelIds ?? (await authorizeIn(context, actor, "view"));
    const nowMs = clock.now();
    const sinceMs = since === undefined ? nowMs - usualPeriod : since * 1000;
    const [statistics, load] = await Promise.all([
      readStatistics(database.query, { guildId, channelIds: chosen, sinceMs }),
      readLoad(database.query, guildId, chosen, nowMs),
    ]);
    const shown: Shown = { channelIds: chosen, sinceMs, nowMs, statistics, load };
    if (statistics.total === 0 && statistics.reviews.decided === 0)
      return textView("plain", describeNothing(shown));
    const drawn = await draw(context, await toPicture(context, shown, theme), shown);
    const said = describeStatistics(shown);
    if ("file" in drawn) return { embeds: [said], pictures: [drawn.file] };
    return { embeds: [{ ...said, description: `${drawn.why}\n\n${said.description ?? ""}` }] };
  },
});

/** The message has the numbers as text too, so that they are there without the picture. */
async function draw(
  { drawer, actor, log }: CommandContext,
  picture: Picture,
  shown: Shown,
): Promise<{ file: PictureFile } | { why: string }> {
  try {
    const bytes = await drawer.draw(actor.userId, picture);
    return { file: { name: "statistics.png", bytes, description: describePicture(shown) } };
  } catch (error) {
    const refused = asAppError(error, "rate_limited");
    if (refused) return { why: `No picture this time: ${refused.message} The numbers:` };
    log.error({ err: error }, "a picture could not be drawn");
    return { why: "The picture could not be drawn, but the numbers are correct. Try again in a moment." };
  }
}
