import { z } from "zod";
import { confirm, flag } from "../src/discord/command.ts";
import type { CommandContext } from "../src/discord/command-context.ts";
import { AppError } from "../src/errors.ts";
import { runButton } from "../src/feed/run-button.ts";
import { authorizeAction } from "../src/moderation/authorize.ts";
import { newEvent } from "../src/observe/events.ts";
import { recordSetupChange } from "../src/observe/setup-changes.ts";
import { lockdownRuleId } from "../src/rules/language/lockdown-rule.ts";
import { findLockdown, saveLockdown, endLockdown } from "../src/rules/limits/lockdown.ts";
import { runningPauses } from "../src/rules/limits/pause.ts";
import { describeTime, escapeText } from "../src/text/message-text.ts";
import {
  channelOption,
  chooseChannel,
  durationOption,
  reasonOption,
  chooseChannelFor,
  usualDurations,
} from "./shared/options.ts";
import { refuseUseless } from "./shared/targets.ts";
import { textView, type View } from "../src/discord/view.ts";
import { describeHiddenByLockdown } from "../src/text/hidden-by-lockdown.ts";

const [minute, hour, day] = [60, 3600, 86_400];
/** In seconds. */
const span = { usual: hour, least: 5 * minute, most: 7 * day };

export const lockdown = confirm({
  description: "Hide every new cast by non-members in the channel for a while; or end that now",
  // To end one; beginning one also takes "hide".
  needs: "rules",
  console: true,
  options: {
    duration: durationOption(
      "How long, such as 2h; an hour if left out, at most a week",
      usualDurations.filter((one) => one !== "30d"),
    ),
    reason: reasonOption("Why; shown in the feed rooms", { maxLength: 200 }),
    end: flag("End the lockdown now"),
    channel: channelOption,
  },
  confirmLabel: "Lock it down",
  state: z.object({ channelId: z.string(), forSeconds: z.number(), reason: z.string() }),
  async preview(context, { duration: typed, reason = "", end, channel }) {
    if (end) {
      refuseUseless({ duration: typed, reason: reason || undefined }, "does not go with `end`");
      return { view: await endNow(context, await chooseChannelFor(context, channel, "rules")) };
    }
    const duration = typed ?? span.usual;
    if (duration < span.least || duration > span.most) {
      throw new AppError("invalid_input", "A lockdown lasts at least 5 minutes and at most a week.");
    }
    const channelId = await chooseChannel(context, channel);
    await authorizeAction(context, context.actor, channelId, "rules", "hide");
    await requireActing(context, channelId);
    const until = context.clock.now() / 1000 + duration;
    const running = await findLockdown(context.database.query, context.actor.guildId, channelId);
    const lines = [
      `Until ${describeTime(until, "f")} (${describeTime(until)}), every new cast by a non-member in /${channelId} is hidden.`,
      `The rule \`${lockdownRuleId(channelId)}\` does this, next to those in the server's file. /rule explain and /case show list what it did.`,
      "If the network does not confirm within half a minute that an author is a member, the cast is hidden. It is shown again once the member list confirms it.",
      "Members, moderators and the owner can cast as usual. Existing casts stay.",
      "**Hidden casts stay hidden when the lockdown ends.** </undo> shows a cast again.",
      ...(running
        ? [
            `It is already locked down until ${describeTime(running.until_ms / 1000, "f")}. This changes when it ends.`,
          ]
        : []),
      ...(reason === "" ? [] : [`Reason: ${escapeText(reason)}`]),
    ];
    return {
      view: textView("warning", lines, { title: `Lock down /${channelId}?` }),
      state: { channelId, forSeconds: duration, reason },
    };
  },
  async act(context, { channelId, forSeconds, reason }) {
    const { database, clock, actor, appendEvents } = context;
    await authorizeAction(context, actor, channelId, "rules", "hide");
    await requireActing(context, channelId);
    const now = clock.now();
    const until = now + forSeconds * 1000;
    const about = { guildId: actor.guildId, userId: actor.userId, reason, until: Math.floor(until / 1000) };
    await database.transaction(async (tx) => {
      await saveLockdown(tx, {
        guild_id: actor.guildId,
        channel_id: channelId,
        rule_id: lockdownRuleId(channelId),
        begun_by: actor.userId,
        reason: reason === "" ? null : reason,
        begun_at_ms: now,
        until_ms: until,
      });
      await recordSetupChange(context, tx, {
        guildId: actor.guildId,
        channelId,
        kind: "automod",
        userId: actor.userId,
        what: `locked down /${channelId} until ${describeTime(until / 1000, "f")}`,
      });
      await appendEvents(tx, [
        newEvent(now, {
          sourceKey: `lockdown ${actor.guildId} ${channelId} ${now}`,
          kind: "lockdown.changed",
          channelId,
          data: { ...about, begun: true, hidden: 0 },
        }),
      ]);
    });
    const description = `/${channelId} is locked down until ${describeTime(until / 1000, "f")}. /lockdown end:True ends it sooner.`;
    return {
      ...textView("warning", description),
      buttons: [[runButton("End it", "lockdown", { end: "true", channel: channelId })]],
    };
  },
});

/** Throws `invalid_input` while rules are paused, because a lockdown is a rule and would do nothing. */
async function requireActing({ database, clock, actor }: CommandContext, channelId: string): Promise<void> {
  const paused = await runningPauses(database.query, clock)
    .where("guild_id", "=", actor.guildId)
    .where("channel_id", "=", channelId)
    .executeTakeFirst();
  if (!paused) return;
  throw new AppError(
    "invalid_input",
    `Rules are paused in /${channelId} by <@${paused.paused_by}>, so a lockdown would hide nothing. /rule resume first.`,
  );
}

async function endNow(context: CommandContext, channelId: string): Promise<View> {
  const { database, actor } = context;
  const running = await findLockdown(database.query, actor.guildId, channelId);
  if (!running) return textView("plain", `/${channelId} is not locked down.`);
  const hidden = await endLockdown(context, running, actor.userId);
  if (hidden === undefined) {
    throw new AppError("expired", "The lockdown was changed in the meantime. Try again.");
  }
  const description = `/${channelId} is no longer locked down. ${describeHiddenByLockdown(hidden, "; </undo> shows one again")}`;
  return textView("good", description);
}
