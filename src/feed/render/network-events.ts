import { findText } from "../../languages/languages.ts";
import type { PostTexts } from "../../languages/posts/en.ts";
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
  "username_proof.merged": (event, { texts }) => {
    const { change, name, previousName } = event.data;
    const what = change === "replaced" && previousName === undefined ? "renewed" : change;
    return {
      title: texts.names.titles[what](escapeText(name, 64)),
      description: `${nameChanges[what](event, texts)} ${when(event)}`,
      color: what === "registered" || what === "renewed" ? colors.plain : colors.warning,
    };
  },

  "cast.created": (event, lookups) => ({
    title: titleOf(event.data.threadDepth === 0 ? "cast" : "reply", event, lookups),
    description: lines(
      `${person(lookups, event.subjectFid)} · ${when(event)}`,
      quote(lookups, event.data.castHash, bodyOf(event.data)),
    ),
    color: colors.muted,
  }),
  "cast.removed": (event, lookups) => ({
    title: titleOf("castRemoved", event, lookups),
    description: lines(
      `${person(lookups, event.subjectFid)} · ${lookups.texts.removedAt(when(event))}`,
      quote(lookups, event.data.castHash),
    ),
    color: colors.muted,
  }),
  "record.hidden": (event, lookups) =>
    announceCast(event, lookups, event.data.castHash, "hidden", colors.warning),
  "record.unhidden": (event, lookups) =>
    announceCast(event, lookups, event.data.castHash, "shown", colors.good),

  "user.banned": (event, lookups) => announcePerson(event, lookups, "banned", colors.bad),
  "user.unbanned": (event, lookups) => {
    const isOver = lookups.cases.get(event.id)?.isExpiry === true;
    return announcePerson(event, lookups, isOver ? "banOver" : "banLifted", colors.good);
  },
  "user.restricted": (event, lookups) =>
    announcePerson(event, lookups, "restricted", colors.warning, lookups.texts.onlyByInvite),
  "user.unrestricted": (event, lookups) =>
    announcePerson(
      event,
      lookups,
      "unrestricted",
      colors.muted,
      isBanned(event, lookups) ? lookups.texts.bannedInstead : undefined,
    ),
  "member.joined": (event, lookups) => ({
    title: titleOf("joined", event, lookups),
    description: lookups.texts.becameMember(person(lookups, event.subjectFid), when(event)),
    color: colors.good,
  }),
  "member.left": (event, lookups) =>
    event.caseId === null
      ? {
          title: titleOf("left", event, lookups),
          description: `${person(lookups, event.subjectFid)} · ${lookups.texts.leftOrRemoved} · ${when(event)}`,
          color: colors.muted,
        }
      : announcePerson(event, lookups, "removed", colors.warning),
  "invite.created": (event, lookups) => {
    const what = event.data.role === "moderator" ? "invitedToModerate" : "invited";
    // If Castellan sent the invite, the case names the inviter.
    const inviter =
      event.caseId === null ? lookups.texts.invitedBy(person(lookups, event.data.inviterFid)) : undefined;
    return announcePerson(event, lookups, what, colors.plain, inviter);
  },
  "invite.ended": (event, lookups) => ({
    title: titleOf("inviteEnded", event, lookups),
    // The listing shows only pending invites, not how one ended.
    description: `${lookups.texts.inviteEnded[event.data.role](person(lookups, event.subjectFid))} · ${when(event)}`,
    color: colors.muted,
  }),

  "pin.changed": (event, lookups) => {
    const { castHash, previousHash } = event.data;
    const shown = castHash ?? previousHash;
    const author = shown === null ? undefined : lookups.casts.get(shown)?.fid;
    const whose = author === undefined ? "" : `${lookups.texts.author(person(lookups, author))} · `;
    return {
      title: titleOf(castHash === null ? "unpinned" : "pinned", event, lookups),
      description: lines(
        `${whose}${actor(lookups, event)} · ${when(event)}`,
        shown === null ? [] : quote(lookups, shown),
      ),
      color: colors.plain,
    };
  },
  "channel.edited": (event, lookups) => ({
    title: titleOf("edited", event, lookups),
    description: `${lookups.texts.edited(nameFields(event.data.fields, lookups.texts))} · ${when(event)}`,
    color: colors.plain,
  }),
};

type Proof = ChannelEventOf<"username_proof.merged">;

/** Only fids here, because the names are what changes. */
const nameChanges: Record<Proof["data"]["change"] | "renewed", (event: Proof, texts: PostTexts) => string> = {
  registered: ({ subjectFid, data }, { names }) => names.registered(inlineCode(data.name, 64), subjectFid),
  transferred: ({ subjectFid, data }, { names }) =>
    names.transferred(inlineCode(data.name, 64), data.previousFid, subjectFid),
  released: ({ subjectFid, data }, { names }) =>
    subjectFid === null
      ? names.released(inlineCode(data.name, 64))
      : names.releasedBy(inlineCode(data.name, 64), subjectFid),
  renewed: ({ subjectFid, data }, { names }) => names.renewed(inlineCode(data.name, 64), subjectFid),
  replaced: ({ subjectFid, data }, { names }) =>
    names.replaced(inlineCode(data.name, 64), subjectFid, inlineCode(data.previousName ?? "", 64)),
};

type Title = keyof PostTexts["titles"];

function titleOf(title: Title, event: ChannelEvent, lookups: Lookups): string {
  return lookups.texts.titles[title](channel(lookups, event));
}

export function nameFields(fields: readonly string[], texts: PostTexts): string {
  return fields.map((field) => escapeText(findText(texts.fields, field) ?? field)).join(", ");
}

/** An action on a cast, with the cast as evidence. */
function announceCast(
  event: ChannelEvent,
  lookups: Lookups,
  castHash: string,
  what: Title,
  color: number,
): Announcement {
  return {
    title: titleOf(what, event, lookups),
    description: lines(
      `${lookups.texts.author(person(lookups, event.subjectFid))} · ${actor(lookups, event)} · ${when(event)}`,
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
  what: Title,
  color: number,
  more?: string,
): Announcement {
  return {
    title: titleOf(what, event, lookups),
    description: lines(
      `${person(lookups, event.subjectFid)} · ${actor(lookups, event)} · ${when(event)}`,
      more ?? [],
      reason(lookups, event),
      standing(lookups, event),
    ),
    color,
  };
}
