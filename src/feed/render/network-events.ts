import type { ChannelEvent, ChannelEventOf } from "../../observe/events.ts";
import { bodyOf } from "../../observe/cast-body.ts";
import { colors } from "../../text/colors.ts";
import { escapeText, inlineCode } from "../../text/message-text.ts";
import { isBanned, type Lookups } from "./lookups.ts";
import {
  actor,
  channel,
  lines,
  person,
  quote,
  reason,
  standing,
  when,
  type Announcement,
  type Renderers,
} from "./phrases.ts";

/** Events of the network: names, casts, people, the channel itself. */
export const networkRenderers: Renderers<
  | "username_proof.merged"
  | "cast.created"
  | "cast.removed"
  | "record.hidden"
  | "record.unhidden"
  | "user.banned"
  | "user.unbanned"
  | "user.restricted"
  | "user.unrestricted"
  | "member.joined"
  | "member.left"
  | "invite.created"
  | "invite.ended"
  | "pin.changed"
  | "channel.edited"
> = {
  "username_proof.merged": (event) => ({
    title: `Name ${event.data.change}: ${escapeText(event.data.name, 64)}`,
    description: `${nameChanges[event.data.change](event)} ${when(event)}`,
    color: event.data.change === "registered" ? colors.plain : colors.warning,
  }),

  "cast.created": (event, lookups) => ({
    title: `${event.data.threadDepth === 0 ? "Cast" : "Reply"} in ${channel(lookups, event)}`,
    description: lines(
      `${person(lookups, event.subjectFid)} · ${when(event)}`,
      quote(lookups, event.data.castHash, bodyOf(event.data)),
    ),
    color: colors.muted,
  }),
  "cast.removed": (event, lookups) => ({
    title: `Cast removed in ${channel(lookups, event)}`,
    description: lines(
      `${person(lookups, event.subjectFid)} · removed ${when(event)}`,
      quote(lookups, event.data.castHash),
    ),
    color: colors.muted,
  }),
  "record.hidden": (event, lookups) =>
    announceCast(event, lookups, event.data.castHash, "Cast hidden in", colors.warning),
  "record.unhidden": (event, lookups) =>
    announceCast(event, lookups, event.data.castHash, "Cast shown again in", colors.good),

  "user.banned": (event, lookups) => announcePerson(event, lookups, "Banned from", colors.bad),
  "user.unbanned": (event, lookups) => {
    const isOver = lookups.cases.get(event.id)?.isExpiry === true;
    return announcePerson(event, lookups, isOver ? "Ban over in" : "Ban lifted in", colors.good);
  },
  "user.restricted": (event, lookups) =>
    announcePerson(event, lookups, "Restricted in", colors.warning, "Can join again only by invite."),
  "user.unrestricted": (event, lookups) =>
    announcePerson(
      event,
      lookups,
      "No longer restricted in",
      colors.muted,
      isBanned(event, lookups) ? "Banned instead." : undefined,
    ),
  "member.joined": (event, lookups) => ({
    title: `Joined ${channel(lookups, event)}`,
    description: `${person(lookups, event.subjectFid)} became a member ${when(event)}`,
    color: colors.good,
  }),
  "member.left": (event, lookups) =>
    event.caseId === null
      ? {
          title: `No longer a member of ${channel(lookups, event)}`,
          description: `${person(lookups, event.subjectFid)} · left, or was removed by others · ${when(event)}`,
          color: colors.muted,
        }
      : announcePerson(event, lookups, "Removed from", colors.warning),
  "invite.created": (event, lookups) => {
    const what = event.data.role === "moderator" ? "Invited to moderate" : "Invited to join";
    // If Castellan sent the invite, the case names the inviter.
    const inviter =
      event.caseId === null ? `Invited by ${person(lookups, event.data.inviterFid)}.` : undefined;
    return announcePerson(event, lookups, what, colors.plain, inviter);
  },
  "invite.ended": (event, lookups) => ({
    title: `Invite ended in ${channel(lookups, event)}`,
    // The listing shows only pending invites, not how one ended.
    description: `${person(lookups, event.subjectFid)} answered the invite to become ${event.data.role}, or it was withdrawn · ${when(event)}`,
    color: colors.muted,
  }),

  "pin.changed": (event, lookups) => {
    const { castHash, previousHash } = event.data;
    const shown = castHash ?? previousHash;
    const author = shown === null ? undefined : lookups.casts.get(shown)?.fid;
    const whose = author === undefined ? "" : `Author: ${person(lookups, author)} · `;
    return {
      title: `${castHash === null ? "Unpinned" : "Pinned"} in ${channel(lookups, event)}`,
      description: lines(
        `${whose}${actor(lookups, event)} · ${when(event)}`,
        shown === null ? [] : quote(lookups, shown),
      ),
      color: colors.plain,
    };
  },
  "channel.edited": (event, lookups) => ({
    title: `${channel(lookups, event)} was edited`,
    description: `Changed: ${escapeText(event.data.fields.join(", "))} · ${when(event)}`,
    color: colors.plain,
  }),
};

type Proof = ChannelEventOf<"username_proof.merged">;

/** Only fids here, because the names are what changes. */
const nameChanges: Record<Proof["data"]["change"], (event: Proof) => string> = {
  registered: ({ subjectFid, data }) => `${inlineCode(data.name, 64)} now belongs to fid ${subjectFid}.`,
  transferred: ({ subjectFid, data }) =>
    `${inlineCode(data.name, 64)} went from fid ${data.previousFid} to fid ${subjectFid}.`,
  released: ({ subjectFid, data }) =>
    `${inlineCode(data.name, 64)} is free again${subjectFid === null ? "" : `; it was fid ${subjectFid}'s`}.`,
  replaced: ({ subjectFid, data }) =>
    data.previousName === undefined
      ? `fid ${subjectFid} renewed the proof of ${inlineCode(data.name, 64)}.`
      : `fid ${subjectFid} is now ${inlineCode(data.name, 64)} instead of ${inlineCode(data.previousName, 64)}.`,
};

/** An action on a cast, with the cast as evidence. */
function announceCast(
  event: ChannelEvent,
  lookups: Lookups,
  castHash: string,
  what: string,
  color: number,
): Announcement {
  return {
    title: `${what} ${channel(lookups, event)}`,
    description: lines(
      `Author: ${person(lookups, event.subjectFid)} · ${actor(lookups, event)} · ${when(event)}`,
      reason(lookups, event),
      standing(lookups, event),
      quote(lookups, castHash),
    ),
    color,
  };
}

/** An action on a user. */
function announcePerson(
  event: ChannelEvent,
  lookups: Lookups,
  what: string,
  color: number,
  more?: string,
): Announcement {
  return {
    title: `${what} ${channel(lookups, event)}`,
    description: lines(
      `${person(lookups, event.subjectFid)} · ${actor(lookups, event)} · ${when(event)}`,
      more ?? [],
      reason(lookups, event),
      standing(lookups, event),
    ),
    color,
  };
}
