import type { Channel } from "../../src/contract/channels.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { findHiddenByBan } from "../../src/moderation/count-casts.ts";
import { findName, type FoundCast } from "../../src/moderation/find-target.ts";
import { describeUser, readNames } from "../../src/observe/people.ts";
import { describeTime, inlineCode } from "../../src/text/message-text.ts";
import { castLink, showCast } from "../../src/text/show-cast.ts";

export async function describeCast(context: CommandContext, { hash, known }: FoundCast): Promise<string> {
  const link = castLink(context.settings.linkBase, hash);
  if (!known) {
    return `${inlineCode(hash)} · ${link}\nCastellan has not seen this cast, so it cannot show it.`;
  }
  const author = describeUser({ fid: known.fid, name: await findName(context, known.fid) });
  const kind = known.parentHash === null ? "cast" : "reply";
  const byBan = await findHiddenByBan(context.database.query, [hash]);
  const hidden = known.hidden ? " · hidden now" : byBan.has(hash) ? " · hidden now by the author's ban" : "";
  const head = `${author} · ${kind} ${describeTime(known.castAt)}${hidden} · ${link}`;
  if (known.erasedAtMs !== null) return `${head}\nIts text is not stored any more.`;
  return `${head}\n${showCast(known, await readNames(context.database.query, known.mentions))}`;
}

/** A user's role in a channel, as the network shows it now. */
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
