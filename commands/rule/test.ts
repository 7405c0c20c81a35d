import { seconds } from "../../src/clock.ts";
import { answer, attachment, integer, text } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import { rehearsalNote, rehearse } from "../../src/rules/rehearse/rehearse.ts";
import { findRules } from "../../src/rules/versions/rules-of-server.ts";
import { cutText } from "../../src/text/message-text.ts";
import { channelOption, readChannelId } from "../shared/options.ts";
import { describeRehearsal } from "./describe-rehearsal.ts";
import { readAttachedRules } from "./rule-arguments.ts";

/** Discord lets an answer be edited for fifteen minutes. */
const timeoutMs = 8 * 60_000;
const progressEvery = 2000;

export const testRules = answer({
  description: "Rehearse rules on recent events, without any effect",
  needs: "rules",
  options: {
    file: attachment({ description: "The rules to rehearse; those in force if left out" }),
    text: text({ description: "Or the rules themselves", maxLength: 6000 }),
    days: integer({ description: "How many days back; 7 if left out", min: 1, max: 365 }),
    channel: channelOption,
  },
  async run(context, { file, text: typed, days, channel }) {
    await authorizeRules(context, context.actor);
    return tryRules(context, { source: file ? await readAttachedRules(file) : typed, days, channel });
  },
});

interface Trial {
  /** The rules to try; those in force if left out. */
  source: string | undefined;
  days: number | undefined;
  channel: string | undefined;
}

/** Tries rules on the past and reports what they would have done. Throws as `authorizeRules` does, and `invalid_file`. */
export async function tryRules(context: CommandContext, { source, days = 7, channel }: Trial): Promise<View> {
  const held = await authorizeRules(context, context.actor);
  const channelIds = channel === undefined ? held : requireHeld(held, readChannelId(channel));
  const { guildId, userId } = context.actor;
  const queue = `user ${userId}`;
  const inForce = await findRules(context, guildId);
  if (source === undefined && inForce?.unreadable) throw inForce.unreadable;
  const after = source === undefined ? inForce?.ruleSet : await context.ruleThreads.read(queue, source);
  if (!after)
    throw new AppError("invalid_input", "There are no rules in force to rehearse. Attach a file of rules.");
  const rehearsal = await rehearse(context, {
    queue,
    guildId,
    channelIds,
    since: seconds(context.clock) - days * 86_400,
    before: inForce?.ruleSet,
    after,
    timeoutMs,
    onProgress: showProgress(context),
  });
  const where = channelIds.map((id) => `/${id}`).join(", ");
  const title =
    source === undefined ? "The rules in force, rehearsed on the past" : "These rules, rehearsed on the past";
  const description = describeRehearsal(rehearsal, cutText(`the last ${days} days in ${where}`, 400));
  return textView("plain", description, { title, footer: rehearsalNote });
}

function requireHeld(held: readonly string[], channelId: string): string[] {
  if (held.includes(channelId)) return [channelId];
  throw new AppError(
    "not_allowed",
    `You can test rules only in channels whose rules you may see; /${channelId} is not one of them.`,
  );
}

/** Reports the progress now and then. */
function showProgress(context: CommandContext): (done: number) => Promise<void> {
  let told = performance.now();
  return async (done) => {
    if (performance.now() - told < progressEvery) return;
    await context.showProgress({ content: `Trying the rules … ${Math.floor(done * 100)} %` });
    told = performance.now();
  };
}
