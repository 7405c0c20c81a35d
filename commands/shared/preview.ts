import type { Channel } from "../../src/contract/channels.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { findStandingBans } from "../../src/moderation/cases/standing-bans.ts";
import { lastsAfterBan } from "../../src/moderation/cases/effects.ts";
import { findName, type FoundCast } from "../../src/moderation/find-target.ts";
import { describeUser, type User } from "../../src/observe/people.ts";
import { colors } from "../../src/text/colors.ts";
import { codeBlock, describeTime, escapeText, inlineCode } from "../../src/text/message-text.ts";
import { nameCase } from "./describe-case.ts";
import { describeHistory } from "./describe-history.ts";

export async function describeCast(context: CommandContext, { hash, known }: FoundCast): Promise<string> {
  if (!known) return `${inlineCode(hash)}\nCastellan has never seen this cast, so it cannot show it.`;
  const author = describeUser({ fid: known.fid, name: await findName(context, known.fid) });
  const kind = known.parentHash === null ? "cast" : "reply";
  const hidden = known.hidden ? " · hidden now" : "";
  return `${author} · ${kind} ${describeTime(known.castAt)}${hidden}\n${codeBlock(known.text)}`;
}

/** Where a user stands in a channel, as the network shows it now. */
export interface Standing {
  role: "owner" | "moderator" | "member" | undefined;
  invitedAs: "member" | "moderator" | undefined;
  banned: boolean;
  restricted: boolean;
}

export async function readStanding(
  { network }: CommandContext,
  channel: Channel,
  fid: number,
): Promise<Standing> {
  const asked = { channelId: channel.id, fid };
  const [members, invites, bans, restricted] = await Promise.all([
    network.channelMembers.list(asked),
    network.channelInvites.list(asked),
    network.channelBans.list(asked),
    network.channelRestrictedUsers.list(asked),
  ]);
  return {
    role: roleOf(channel, fid, members.result.members.length > 0),
    invitedAs: invites.result.invites[0]?.role,
    banned: bans.result.bannedUsers.length > 0,
    restricted: restricted.result.restrictedUsers.length > 0,
  };
}

function roleOf(channel: Channel, fid: number, isMember: boolean): Standing["role"] {
  if (channel.leadFid === fid) return "owner";
  if (channel.moderatorFids.includes(fid)) return "moderator";
  return isMember ? "member" : undefined;
}

export function describeStanding({ role, invitedAs, banned, restricted }: Standing): string {
  const parts = [
    ...(banned ? ["banned"] : []),
    ...(restricted ? ["restricted"] : []),
    ...(role === undefined ? [] : [role]),
    ...(invitedAs === undefined ? [] : [`invited as ${invitedAs}`]),
  ];
  return parts.length === 0 ? "no role, no invite" : parts.join(", ");
}

interface Ban {
  channel: Channel;
  user: User;
  /** For good when left out; "asked" where buttons under it ask for how long. */
  forSeconds?: number | "asked" | undefined;
  reason?: string | undefined;
  /** The user's own casts that go with it, and how many there are; undefined where they stay. */
  hiding?: { hidden: number; visible: number } | undefined;
}

/** What a ban would come to: whom it hits, where, until when, and what cannot be undone. */
export interface BanPreview {
  view: View;
  /** It would change nothing: the user is banned for as long, or longer, and no cast would be hidden. */
  needless: boolean;
}

/** Throws `cannot_ban_owner`, `cannot_ban_moderator`. */
export async function previewBan(context: CommandContext, ban: Ban): Promise<BanPreview> {
  const { channel, user, reason, hiding } = ban;
  const standing = await readStanding(context, channel, user.fid);
  refuseStaff(context, ban, standing);
  const end = await describeBanEnd(context, ban, standing);
  const needless = end.isSo && !hiding?.hidden;
  const lines = [
    `${describeUser(user)} · now: ${describeStanding(standing)}`,
    ...end.lines,
    ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
    "",
    await describeHistory(context, channel.id, user),
    "",
    ...(needless
      ? ["There is nothing to confirm."]
      : [
          "The user can no longer reply, and all their replies are hidden.",
          describeHiding(hiding),
          `**${lastsAfterBan}**`,
        ]),
  ];
  const title = needless ? `Banned from /${channel.id} already` : `Ban from /${channel.id}?`;
  const color = needless ? colors.plain : colors.warning;
  return { view: { embeds: [{ title, description: lines.join("\n"), color }] }, needless };
}

function refuseStaff({ botFid }: CommandContext, { channel, user }: Ban, { role }: Standing): void {
  if (role === "owner") throw new AppError("cannot_ban_owner", "The owner of a channel cannot be banned.");
  if (role !== "moderator" || channel.leadFid === botFid) return;
  const who = user.fid === botFid ? "Castellan itself" : describeUser(user);
  throw new AppError(
    "cannot_ban_moderator",
    `${who} moderates the channel. Only the channel's owner can ban a moderator, on the network, or take the role away first.`,
  );
}

/** Until when the ban would hold, beside the one that stands already; `isSo` where it would change nothing. */
async function describeBanEnd(
  { database, clock, actor }: CommandContext,
  { channel, user, forSeconds }: Ban,
  { banned }: Standing,
): Promise<{ lines: string[]; isSo: boolean }> {
  const now = clock.now();
  const wanted = typeof forSeconds === "number" ? now + forSeconds * 1000 : null;
  const asked = describeWish(wanted, forSeconds);
  if (!banned) return { lines: [asked], isSo: false };
  const found = (await findStandingBans(database.query, channel.id, [user.fid])).get(user.fid);
  if (!found) {
    const stays = "Castellan does not know of it, and will not lift it: it stays until somebody does.";
    return { lines: [`The user is banned already. ${stays}`], isSo: true };
  }
  const { by, untilMs } = found;
  const name = nameCase(by, { guildId: actor.guildId });
  const until = untilMs === null ? "for good" : `until ${showEnd(untilMs)}`;
  const already = `The user is banned already, ${until} (${name}).`;
  if (untilMs !== null && (wanted === null || wanted > untilMs)) {
    return {
      lines: [
        already,
        forSeconds === "asked"
          ? asked
          : `After this: ${wanted === null ? "for good" : `until ${showEnd(wanted)}`}.`,
      ],
      isSo: false,
    };
  }
  const change = by.guildId === actor.guildId ? ` /case duration number:${name} changes when it ends.` : "";
  return { lines: [`${already} That stays: a shorter ban does not end a longer one.${change}`], isSo: true };
}

function showEnd(ms: number): string {
  return `${describeTime(ms / 1000, "f")} (${describeTime(ms / 1000)})`;
}

function describeHiding(hiding: Ban["hiding"]): string {
  if (!hiding) return "Their own casts stay visible.";
  const { hidden, visible } = hiding;
  if (visible === 0) return "They have no visible casts of their own to hide.";
  if (hidden === visible) {
    const all = visible === 1 ? "Their 1 visible cast" : `All ${visible} visible casts of theirs`;
    return `${all} will be hidden as well.`;
  }
  return `The latest ${hidden} of their ${visible} visible casts will be hidden as well; **${visible - hidden} older ones stay**. The same command again hides the next ${Math.min(hidden, visible - hidden)}.`;
}

function describeWish(untilMs: number | null, forSeconds: Ban["forSeconds"]): string {
  if (forSeconds === "asked") return "For how long? Choose below.";
  return untilMs === null ? "Permanently." : `Until ${showEnd(untilMs)}.`;
}
