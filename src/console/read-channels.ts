import type { CommandContext } from "../discord/command-context.ts";
import { authorizeIn, listHeld } from "../moderation/authorize-server.ts";
import { capabilities } from "../moderation/capabilities.ts";
import { countHidden, hidNothing, listLockdowns } from "../rules/limits/lockdown.ts";
import { describeHiddenByLockdown } from "../text/hidden-by-lockdown.ts";
import { escapeText } from "../text/message-text.ts";

/** A lockdown: who began it, since when, until when (null: until somebody ends it), and why. Times are UNIX seconds. */
interface Measure {
  by: string;
  since: number;
  until: number | null;
  reason: string | null;
}

interface ChannelState {
  id: string;
  lockdown?: Measure & { hidden: string };
}

/** The channels in which the person may do anything, with what moderators have switched on and off there. */
export async function readChannels(context: CommandContext): Promise<{ channels: ChannelState[] }> {
  const { database, actor } = context;
  const held = [...(await listHeld(context, actor, ...capabilities))];
  // Throws, and says why.
  if (held.length === 0) await authorizeIn(context, actor, "view");
  const lockdowns = await listLockdowns(database.query, actor.guildId);
  const hidden = await countHidden(database.query, lockdowns);
  const channels = held.toSorted().map((id) => {
    const lockdown = lockdowns.find(({ channel_id }) => channel_id === id);
    return {
      id,
      ...(lockdown && {
        lockdown: {
          ...toMeasure(lockdown.begun_by, lockdown.begun_at_ms, lockdown),
          hidden: describeHiddenByLockdown(hidden.get(id) ?? hidNothing),
        },
      }),
    };
  });
  return { channels };
}

function toMeasure(
  userId: string,
  sinceMs: number,
  { until_ms: untilMs, reason }: { until_ms: number | null; reason: string | null },
): Measure {
  return {
    by: `<@${userId}>`,
    since: sinceMs / 1000,
    until: untilMs === null ? null : untilMs / 1000,
    reason: reason === null ? null : escapeText(reason),
  };
}
