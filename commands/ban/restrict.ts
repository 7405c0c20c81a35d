import { z } from "zod";
import type { Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeAction } from "../../src/moderation/authorize.ts";
import { whyNotBanned } from "../../src/moderation/bulks/find-users.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import { expireBansOf } from "../../src/moderation/cases/expire.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { describeUser, type User } from "../../src/observe/people.ts";
import { escapeText } from "../../src/text/message-text.ts";
import { describeHistory } from "../shared/describe-history.ts";
import { describeStanding, readStanding } from "../shared/preview.ts";
import { showDone } from "../shared/show-case.ts";

/* A ban that is lifted at once: the user ends up restricted, and none of their casts stay hidden. */

export const RestrictRequest = z.strictObject({
  channelId: z.string(),
  fid: z.int(),
  reason: z.string().optional(),
});
type RestrictRequest = z.infer<typeof RestrictRequest>;

export async function previewRestrict(
  context: CommandContext,
  channelId: string,
  { user, reason }: { user: User; reason: string | undefined },
): Promise<Preview<RestrictRequest>> {
  const { channel } = await authorizeAction(context, context.actor, channelId, "ban");
  const why = whyNotBanned(channel, context.botFid, user.fid);
  if (why !== undefined) throw new AppError("invalid_input", `Not possible: ${why}.`);
  const standing = await readStanding(context, channel, user.fid);
  if (standing.banned) {
    const description = `${describeUser(user)} is banned from /${channelId}. </undo> lifts the ban and leaves them restricted.`;
    return { view: textView("plain", description) };
  }
  const lines = [
    `${describeUser(user)} · now: ${describeStanding(standing)}`,
    ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
    "",
    await describeHistory(context, channelId, user),
    "",
    "They lose role and invites. They can still reply, but new replies are folded away at the end of the thread. None of their casts stay hidden.",
    "**They stay restricted until somebody invites them.**",
  ];
  return {
    view: textView("warning", lines, { title: `Restrict in /${channelId}?` }),
    state: { channelId, fid: user.fid, reason },
    confirmLabel: "Restrict",
  };
}

export async function restrict(
  context: CommandContext,
  { channelId, fid, reason: publicReason }: RestrictRequest,
): Promise<View> {
  const { database, clock, actor } = context;
  const { by } = await authorizeAction(context, actor, channelId, "ban");
  const ban = { guildId: actor.guildId, channelId, kind: "ban" as const, targetFid: fid, forSeconds: 0 };
  const proposed = await database.transaction((tx) =>
    proposeCase(tx, clock, { ...ban, actor: by, publicReason }),
  );
  const banned = await applyCase(context, proposed.id);
  if (banned.state !== "applied") return showDone(context, banned);
  // If this process dies here, the worker that ends bans lifts it within seconds.
  const lifted = await expireBansOf(context, banned.target);
  return lifted
    ? showDone(context, lifted, "Banned and unbanned: the user is restricted.")
    : showDone(context, banned);
}
