import { answer } from "../../src/discord/command.ts";
import { en } from "../../src/languages/en.ts";
import { findLockdown } from "../../src/rules/limits/lockdown.ts";
import { pauseRules, resumeRules } from "../../src/rules/limits/pause.ts";
import { channelOption, chooseChannelFor, durationOption, reasonOption } from "../shared/options.ts";
import { describeTime } from "../../src/text/message-text.ts";
import { textView } from "../../src/discord/view.ts";
import type { Tx } from "../../src/database/database.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { newEvent } from "../../src/observe/events.ts";
import { recordSetupChange } from "../../src/observe/setup-changes.ts";

export const pause = answer({
  description: "Pause all rules of the channel immediately; actions that are not sent yet are dropped",
  needs: "rules",
  console: true,
  options: {
    duration: durationOption("For how long, such as 2h; until /rule resume if left out"),
    reason: reasonOption("Why; shown in the feed rooms", { maxLength: 200 }),
    channel: channelOption,
  },
  async run(context, { duration, reason, channel: given }) {
    const channelId = await chooseChannelFor(context, given, "rules");
    const { database, clock, actor } = context;
    const until = duration === undefined ? null : clock.now() + duration * 1000;
    const { guildId, userId: pausedBy } = actor;
    const lockdown = await database.transaction(async (tx) => {
      const running = await findLockdown(tx, guildId, channelId);
      await pauseRules(tx, clock, { guildId, channelId, pausedBy, reason: reason ?? null, until });
      const change = { channelId, paused: true, reason: reason ?? "", until };
      await announceChange(context, tx, { ...change, ...(running && { stopsLockdown: true }) });
      return running;
    });
    const end = until === null ? "until /rule resume" : `until ${describeTime(until / 1000, "f")}`;
    const description = `Rules are paused in /${channelId} ${end}. They still record what they see, and timed bans still end.`;
    return textView("warning", lockdown ? [description, en.posts.rules.lockdownStopped] : description);
  },
});

export const resume = answer({
  description: "Let the rules of the channel act again",
  needs: "rules",
  console: true,
  options: { channel: channelOption },
  async run(context, { channel: given }) {
    const channelId = await chooseChannelFor(context, given, "rules");
    const { database, clock, actor } = context;
    const resumed = await database.transaction(async (tx) => {
      const ended = await resumeRules(tx, clock, actor.guildId, channelId);
      if (ended) await announceChange(context, tx, { channelId, paused: false, reason: "", until: null });
      return ended;
    });
    const description = resumed
      ? `Rules act in /${channelId} again. They do not catch up on what happened while they were paused.`
      : `Rules were not paused in /${channelId}.`;
    return textView(resumed ? "good" : "plain", description);
  },
});

interface Change {
  channelId: string;
  paused: boolean;
  reason: string;
  /** UNIX milliseconds. */
  until: number | null;
  /** A lockdown is running, which hides nothing while rules are paused. */
  stopsLockdown?: true;
}

/** Announces in the feed rooms who paused or resumed the rules. Last in its transaction, like every event. */
async function announceChange(
  { appendEvents, clock, actor }: CommandContext,
  tx: Tx,
  { channelId, paused, reason, until, stopsLockdown }: Change,
): Promise<void> {
  const { guildId, userId } = actor;
  const now = clock.now();
  const what = `${paused ? "paused the rules" : "let the rules act again"} in /${channelId}`;
  await recordSetupChange({ clock }, tx, { guildId, channelId, kind: "automod", userId, what });
  await appendEvents(tx, [
    newEvent(now, {
      sourceKey: `automod ${guildId} ${channelId} ${paused} ${now}`,
      kind: "automod.changed",
      channelId,
      data: {
        guildId,
        paused,
        userId,
        reason,
        until: until === null ? null : Math.floor(until / 1000),
        ...(stopsLockdown && { stopsLockdown }),
      },
    }),
  ]);
}
