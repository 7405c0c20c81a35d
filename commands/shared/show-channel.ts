import { inviteCallLimit } from "../../src/contract/membership.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { readChannel } from "../../src/moderation/find-target.ts";
import { becomeModerator } from "../../src/moderation/become-moderator.ts";
import { botModerates, describeOnboarding } from "../../src/moderation/channel-links.ts";
import { describeMethod, listProofs } from "../../src/moderation/proofs/staff-proofs.ts";
import { staffOf } from "../../src/moderation/staff.ts";
import { countInviteCalls } from "../../src/moderation/cases/case.ts";
import { describeUser, readNames } from "../../src/observe/people.ts";
import { describeTime, escapeText } from "../../src/text/message-text.ts";
import { count } from "../../src/text/amount.ts";
import { castLink } from "../../src/text/show-cast.ts";
import { textView, type View } from "../../src/discord/view.ts";

/** A channel as the network shows it now. Throws as `authorize` does. */
export async function showChannel(context: CommandContext, channelId: string): Promise<View> {
  const right = await authorize(context, context.actor, channelId, "view");
  const channel = right.channel ?? (await readChannel(context, channelId));
  const names = await readNames(context.database.query, staffOf(channel));
  const user = (fid: number) => describeUser({ fid, name: names.get(fid) });
  const used = (await countInviteCalls(context, [channelId])).get(channelId) ?? 0;
  const shown = botModerates(context.botFid, channel);
  // Stored rows are as old as the last poll, so this reads the network to include an invite of a moment ago.
  const reached = shown ? undefined : await becomeModerator(context, channel);
  const moderates = shown || reached?.way === "moderator";
  const { moderatorFids: others } = channel;
  const moderatorFids =
    moderates && !others.includes(context.botFid) && channel.leadFid !== context.botFid
      ? [...others, context.botFid]
      : others;
  const moderators = moderatorFids.map((fid) =>
    fid === context.botFid ? `${user(fid)}, the bot` : user(fid),
  );
  const proofs = await listProofs(context.database.query, context.actor.guildId, channelId);
  const proven = proofs.map(
    (proof) =>
      `Proven: <@${proof.userId}> is ${user(proof.fid)}, ${describeMethod(proof)}, ${describeTime(Math.floor(proof.provenAtMs / 1000), "f")}`,
  );
  const lines = [
    ...(channel.description ? [escapeText(channel.description, 500), ""] : []),
    `Owner: ${channel.leadFid === undefined ? "not shown" : user(channel.leadFid)}`,
    `Moderators: ${moderators.join("; ") || "none"}`,
    "Only the owner changes who moderates: in their Farcaster app, among the channel's members. There are ten at most, invites included.",
    `Castellan moderates it: ${moderates ? "yes" : `**no**: ${describeOnboarding(context.botFid, reached?.way ?? right.linked.onboardingStage, reached?.refusal)}`}`,
    `Followers: ${count(channel.followerCount)} · members: ${count(channel.memberCount)}`,
    `Casting: ${channel.publicCasting ? "everyone" : "members only"}`,
    `Pinned: ${channel.pinnedCastHash ? castLink(context.settings.linkBase, channel.pinnedCastHash) : "nothing"}`,
    `Created: ${describeTime(channel.createdAt, "f")}`,
    `Invite calls in the last hour: ${used} of ${inviteCallLimit}`,
    ...proven,
  ];
  return textView("plain", lines, { title: `${escapeText(channel.name, 100)} (/${channel.id})` });
}
