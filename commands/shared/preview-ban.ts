import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import type { Channel } from "../../src/contract/channels.ts";
import { AppError } from "../../src/errors.ts";
import { describeUser, type User } from "../../src/observe/people.ts";
import { colors } from "../../src/text/colors.ts";
import { describeTime, escapeText } from "../../src/text/message-text.ts";
import { describeHistory, describeStanding, readStanding } from "./describe.ts";

interface Ban {
  channel: Channel;
  user: User;
  /** For good when left out. */
  forSeconds?: number | undefined;
  reason?: string | undefined;
  /** How many of the user's own casts go with it; undefined where they stay. */
  hiddenCasts?: number | undefined;
}

/** Whom a ban would hit, where, for how long, and what cannot be undone. Throws `cannot_ban_owner`, `cannot_ban_moderator`. */
export async function previewBan(
  context: CommandContext,
  { channel, user, forSeconds, reason, hiddenCasts }: Ban,
): Promise<View> {
  const standing = await readStanding(context, channel, user.fid);
  if (standing.role === "owner") {
    throw new AppError("cannot_ban_owner", "The owner of a channel cannot be banned.");
  }
  if (standing.role === "moderator" && channel.leadFid !== context.botFid) {
    const who =
      user.fid === context.botFid
        ? "Castellan itself moderates the channel"
        : "A moderator cannot be banned by Castellan";
    throw new AppError(
      "cannot_ban_moderator",
      `${who}: only the owner can, on the network, or takes the role away first.`,
    );
  }
  const until = forSeconds === undefined ? undefined : context.clock.now() / 1000 + forSeconds;
  const lines = [
    `${describeUser(user)} · now: ${describeStanding(standing)}`,
    until === undefined ? "Permanently." : `Until ${describeTime(until, "f")} (${describeTime(until)}).`,
    ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
    "",
    await describeHistory(context, channel.id, user.fid),
    "",
    "The user can no longer reply, and all their replies are hidden.",
    hiddenCasts === undefined
      ? "Their own casts stay visible."
      : `${hiddenCasts} casts of theirs are hidden as well.`,
    ...(standing.banned
      ? ["The user is already banned. Castellan lifts only its own bans when their time is up."]
      : []),
    "**What lifting the ban does not bring back:** roles and invites. The user stays restricted until invited again.",
  ];
  return {
    embeds: [{ title: `Ban from /${channel.id}?`, description: lines.join("\n"), color: colors.warning }],
  };
}
