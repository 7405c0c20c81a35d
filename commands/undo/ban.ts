import { z } from "zod";
import type { Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { authorizeAction } from "../../src/moderation/authorize.ts";
import { describeUser, type User } from "../../src/observe/people.ts";
import { describeHistory } from "../shared/describe-history.ts";
import { readStanding } from "../shared/preview.ts";
import { runCase } from "../shared/show-case.ts";
import type { Asked } from "./describe-undo.ts";

export const BanState = z.object({
  kind: z.literal("person"),
  channelId: z.string(),
  fid: z.int(),
  reason: z.string().optional(),
});
type BanState = z.infer<typeof BanState>;

/** Lifts a ban, no matter who set it. */
export async function previewLift(
  context: CommandContext,
  user: User,
  { channelId, reason }: Asked,
): Promise<Preview<BanState>> {
  const { channel } = await authorizeAction(context, context.actor, channelId, "ban");
  const standing = await readStanding(context, channel, user.fid);
  if (!standing.banned) {
    const description = `${describeUser(user)} is not banned from /${channelId}. Nothing to lift.`;
    return { view: textView("plain", description) };
  }
  const lines = [
    describeUser(user),
    "",
    await describeHistory(context, channelId, user),
    "",
    "Their replies show again, and new ones are folded away at the end of the thread: the user stays **restricted**.",
    "**What this does not bring back:** the role they had. For that, invite them; they must accept.",
    "Casts that were hidden one by one stay hidden.",
  ];
  return {
    view: textView("warning", lines, { title: `Lift the ban from /${channelId}?` }),
    state: { kind: "person", channelId, fid: user.fid, reason },
    confirmLabel: "Lift the ban",
  };
}

export async function liftBan(context: CommandContext, { channelId, fid, reason }: BanState): Promise<View> {
  const { by } = await authorizeAction(context, context.actor, channelId, "ban");
  return runCase(context, {
    channelId,
    kind: "unban",
    targetFid: fid,
    publicReason: reason,
    actor: by,
  });
}
