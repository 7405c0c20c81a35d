import { describeInvites } from "../../commands/invite/invite.ts";
import type { CommandContext } from "../discord/command-context.ts";
import { authorizeIn, listHeld } from "../moderation/authorize-server.ts";
import { countInviteCalls } from "../moderation/cases/case.ts";
import { countHidden, hidNothing, listLockdowns } from "../rules/limits/lockdown.ts";
import { runningPauses } from "../rules/limits/pause.ts";
import { describeHiddenByLockdown } from "../text/hidden-by-lockdown.ts";
import { escapeText } from "../text/message-text.ts";

/** A pause or a lockdown: who began it, since when, until when (null: until somebody ends it), and why. Times are UNIX seconds. */
interface Measure {
  by: string;
  since: number;
  until: number | null;
  reason: string | null;
}

interface ChannelState {
  id: string;
  /** The person may see whether rules are paused, and whether the channel is locked down. */
  isSeen: boolean;
  /** Why no rule acts there. */
  pause?: Measure;
  lockdown?: Measure & { hidden: string };
  /** How many of the invites an hour are used, for those who may invite. */
  invites?: string;
}

/** The channels that the person may view, whose rules they may change, or to which they may invite, with what moderators have switched on and off there. */
export async function readChannels(context: CommandContext): Promise<{ channels: ChannelState[] }> {
  const { database, clock, actor } = context;
  const seen = await listHeld(context, actor, "view", "rules");
  const inviting = await listHeld(context, actor, "invite");
  const held = [...new Set([...seen, ...inviting])];
  // Throws, and says why.
  if (held.length === 0) await authorizeIn(context, actor, "view");
  const [pauses, lockdowns, used] = await Promise.all([
    runningPauses(database.query, clock).where("guild_id", "=", actor.guildId).execute(),
    listLockdowns(database.query, actor.guildId),
    countInviteCalls(context, held),
  ]);
  const hidden = await countHidden(database.query, lockdowns);
  const channels = held.toSorted().map((id) => {
    const isSeen = seen.has(id);
    const pause = isSeen ? pauses.find(({ channel_id }) => channel_id === id) : undefined;
    const lockdown = isSeen ? lockdowns.find(({ channel_id }) => channel_id === id) : undefined;
    return {
      id,
      isSeen,
      ...(pause && { pause: toMeasure(pause.paused_by, pause.paused_at_ms, pause) }),
      ...(lockdown && {
        lockdown: {
          ...toMeasure(lockdown.begun_by, lockdown.begun_at_ms, lockdown),
          hidden: describeHiddenByLockdown(hidden.get(id) ?? hidNothing),
        },
      }),
      ...(inviting.has(id) && { invites: describeInvites(id, used.get(id) ?? 0) }),
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
