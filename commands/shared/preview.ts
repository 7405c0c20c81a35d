import type { Channel } from "../../src/contract/channels.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { listLatestCases } from "../../src/moderation/cases/case.ts";
import { lastsAfterBan } from "../../src/moderation/cases/effects.ts";
import { countCasts, findName, type FoundCast } from "../../src/moderation/find-target.ts";
import { describeUser, type User } from "../../src/observe/people.ts";
import { countStrikes, listNotes } from "../../src/rules/decide/strikes-and-notes.ts";
import { amount } from "../../src/text/amount.ts";
import { colors } from "../../src/text/colors.ts";
import { codeBlock, describeTime, escapeText, inlineCode } from "../../src/text/message-text.ts";
import { describeCaseLine } from "./show-case.ts";

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

/** What this server knows of a person in a channel: what to have in mind before acting. */
export async function describeHistory(
  context: CommandContext,
  channelId: string,
  fid: number,
): Promise<string> {
  const { database, actor } = context;
  const cases = await listLatestCases(database.query, { guildId: actor.guildId, channelId }, fid, 5);
  const { seen, hidden } = await countCasts(database.query, channelId, fid);
  return [
    `${seen} casts seen in /${channelId}, ${hidden} of them hidden.`,
    ...(await describeMarks(context, channelId, fid)),
    cases.length === 0 ? "No earlier cases." : "Earlier cases:",
    ...cases.map((subject) => describeCaseLine(subject, new Map())),
  ].join("\n");
}

/** What rules gave and noted: strike points that count, the latest notes. */
async function describeMarks(
  { database, clock, actor }: CommandContext,
  channelId: string,
  fid: number,
): Promise<string[]> {
  const points = await countStrikes(database.query, clock, actor.guildId, channelId, fid);
  const notes = await listNotes(database.query, actor.guildId, channelId, fid, 3);
  return [
    ...(points > 0 ? [`${amount(points, "strike point")}.`] : []),
    ...notes.map(({ text, rule_id }) => `Note of rule ${inlineCode(rule_id, 40)}: ${escapeText(text, 200)}`),
  ];
}

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
    `**${lastsAfterBan}**`,
  ];
  return {
    embeds: [{ title: `Ban from /${channel.id}?`, description: lines.join("\n"), color: colors.warning }],
  };
}
