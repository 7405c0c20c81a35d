import type { CommandContext } from "../../src/discord/command-context.ts";
import { runningPauses } from "../../src/rules/limits/pause.ts";
import { describeTime } from "../../src/text/message-text.ts";

/** A line for each of the server's channels whose rules are paused: by whom, since when and until when. */
export async function describePauses({ database, clock, actor }: CommandContext): Promise<string[]> {
  const pauses = await runningPauses(database.query, clock)
    .where("guild_id", "=", actor.guildId)
    .orderBy("channel_id")
    .execute();
  return pauses.map(({ channel_id, paused_by, paused_at_ms, until_ms }) => {
    const ends =
      until_ms === null
        ? "; /rule resume ends it"
        : ` until ${describeTime(until_ms / 1000, "f")}; /rule resume ends it sooner`;
    return `/${channel_id}: **paused** by <@${paused_by}> ${describeTime(paused_at_ms / 1000)}${ends}`;
  });
}
