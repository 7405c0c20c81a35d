import { seconds } from "../../src/clock.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { colors } from "../../src/discord/view.ts";
import type { RoomEmbed } from "../../src/feed/rooms.ts";
import { rehearse } from "../../src/rules/rehearse/rehearse.ts";
import type { RuleSet } from "../../src/rules/evaluate/rule-set.ts";
import { describeRehearsal, rehearsalNote } from "./describe-rehearsal.ts";

const days = 7;
/** Whoever waits for a preview waits at most this long, in milliseconds. */
const patience = 15_000;

/** What a change of the rules would have meant lately, for the preview of every command that makes one. */
export async function rehearseChange(
  context: CommandContext,
  channelIds: readonly string[],
  before: RuleSet | undefined,
  after: RuleSet,
): Promise<RoomEmbed> {
  const { guildId, userId } = context.actor;
  const queue = `user ${userId}`;
  const since = seconds(context.clock) - days * 86_400;
  const rehearsal = await rehearse(context, { queue, guildId, channelIds, since, before, after, patience });
  const description = describeRehearsal(rehearsal, `the last ${days} days`);
  return { description, footer: rehearsalNote, color: colors.plain };
}
