import { z } from "zod";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { Preview } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeAction } from "../../src/moderation/authorize.ts";
import { describeUser, type User } from "../../src/observe/people.ts";
import { describeHistory } from "../shared/describe-history.ts";
import { describeStanding, readStanding, type Standing } from "../shared/preview.ts";
import { runCase } from "../shared/show-case.ts";
import { textView, type View } from "../../src/discord/view.ts";

export const RevokeRequest = z.object({
  channelId: z.string(),
  fid: z.int(),
  reason: z.string().optional(),
  kind: z.enum(["revoke_invite", "remove_member"]),
});
type RevokeRequest = z.infer<typeof RevokeRequest>;

/** Revokes a pending invite, or removes a member's role. */
export async function previewRevoke(
  context: CommandContext,
  user: User,
  { channelId, reason }: { channelId: string; reason: string | undefined },
): Promise<Preview<RevokeRequest>> {
  const { channel } = await authorizeAction(context, context.actor, channelId, "invite");
  const standing = await readStanding(context, channel, user.fid);
  const who = `${describeUser(user)} · now: ${describeStanding(standing)}`;
  const kind = whatToRevoke(standing);
  if (!kind) {
    return { view: textView("plain", `${who}\nThere is nothing to revoke.`) };
  }
  const effect =
    kind === "revoke_invite"
      ? "The invite ends. They may still join by a link."
      : "They lose their membership and become **restricted**. No invite link lets them in. They need a new invite, which they must accept.";
  const lines = [who, "", await describeHistory(context, channelId, user), "", effect];
  const title = kind === "revoke_invite" ? "Revoke the invite?" : `Remove from /${channelId}?`;
  return {
    view: textView("warning", lines, { title }),
    state: { channelId, fid: user.fid, reason, kind },
    confirmLabel: "Take it back",
  };
}

export async function revoke(
  context: CommandContext,
  { channelId, fid, reason, kind }: RevokeRequest,
): Promise<View> {
  const { channel, by } = await authorizeAction(context, context.actor, channelId, "invite");
  const found = whatToRevoke(await readStanding(context, channel, fid));
  if (found && found !== kind) {
    throw new AppError(
      "expired",
      "They answered the invite in the meantime, so nothing was done. Run the command again to see what it would do now.",
    );
  }
  return runCase(context, {
    channelId,
    kind,
    role: "member",
    targetFid: fid,
    publicReason: reason,
    actor: by,
  });
}

/** Throws if only the owner can do it. */
function whatToRevoke({ role, invitedAs }: Standing): "revoke_invite" | "remove_member" | undefined {
  if (role === "owner")
    throw new AppError("cannot_remove_owner", "The owner of a channel cannot be removed.");
  if (role === "moderator" || invitedAs === "moderator") {
    throw new AppError(
      "not_owner",
      "Only the channel's owner can remove moderators or revoke their invites, in their own app.",
    );
  }
  if (role === "member") return "remove_member";
  return invitedAs === undefined ? undefined : "revoke_invite";
}
