import type { Role } from "../../contract/values.ts";
import { AppError } from "../../errors.ts";
import { roleIn, type ChannelRole, type Standing } from "./standing.ts";
import { step } from "./transitions.ts";

/** Refuses a caller who neither owns nor moderates the channel. */
export function requireModerator(callerRole: ChannelRole | undefined): void {
  if (callerRole !== "owner" && callerRole !== "moderator") {
    throw new AppError("not_permitted", "Only the owner and the moderators of the channel may do this.");
  }
}

/** Refuses everybody but the owner; a moderator learns that it takes the owner. */
function requireOwner(callerRole: ChannelRole | undefined): void {
  requireModerator(callerRole);
  if (callerRole !== "owner") {
    throw new AppError("not_owner", "Only the owner of the channel may do this.");
  }
}

/** Active moderators plus outstanding moderator invites, without the owner (interface.md, "Limits"). */
export const maxModerators = 10;

export interface InviteFacts {
  callerRole: ChannelRole | undefined;
  role: Role;
  /** The invitee follows the channel or the caller. */
  isFollowing: boolean;
  isAllowlistedBot: boolean;
  /** Active moderators plus outstanding moderator invites, without the owner. */
  moderatorCount: number;
}

/** POST /fc/channel-invites: the invitee's standing afterwards. */
export function inviteUser(invitee: Standing, facts: InviteFacts): Standing {
  return facts.role === "member" ? inviteMember(invitee, facts) : inviteModerator(invitee, facts);
}

function inviteMember(invitee: Standing, { callerRole, isFollowing }: InviteFacts): Standing {
  requireModerator(callerRole);
  const next = step(invitee, "inviteAsMember");
  if (next !== invitee && !isFollowing) {
    throw new AppError("invitee_not_following", "The user follows neither the channel nor you.");
  }
  return next;
}

function inviteModerator(invitee: Standing, facts: InviteFacts): Standing {
  requireOwner(facts.callerRole);
  const next = step(invitee, facts.isAllowlistedBot ? "appointBot" : "inviteAsModerator");
  if (next !== invitee && facts.moderatorCount >= maxModerators) {
    throw new AppError(
      "too_many_moderators",
      `The channel has ${maxModerators} moderators, outstanding invites included. Remove one first.`,
    );
  }
  return next;
}

const answerEvents = {
  member: { accepted: "acceptMember", declined: "declineMember" },
  moderator: { accepted: "acceptModerator", declined: "declineModerator" },
} as const;

/** PATCH /fc/channel-invites: an answer stands; giving it again is no error, changing it is. */
export function answerInvite(invitee: Standing, role: Role, accept: boolean): Standing {
  const answer = accept ? "accepted" : "declined";
  const given = invitee.answers[role];
  if (given === answer) return invitee;
  if (given) {
    throw new AppError("invite_already_answered", `The invite was ${given}; that cannot be changed.`);
  }
  const next = step(invitee, answerEvents[role][answer]);
  return { ...next, answers: { ...next.answers, [role]: answer } };
}

/** DELETE /fc/channel-invites: takes the role back, or the outstanding invite to it. */
export function removeUser(target: Standing, role: Role, callerRole: ChannelRole | undefined): Standing {
  if (role === "member") {
    requireModerator(callerRole);
    return step(target, "removeMember");
  }
  requireOwner(callerRole);
  return step(target, "removeModerator");
}

/** POST /fc/channel-bans. Moderators are banned by the owner only, so that none can unseat another. */
export function banUser(target: Standing, callerRole: ChannelRole | undefined): Standing {
  requireModerator(callerRole);
  if (callerRole !== "owner" && roleIn(target.state) === "moderator") {
    throw new AppError("cannot_ban_moderator", "Only the owner of the channel may ban a moderator.");
  }
  return step(target, "ban");
}

/** DELETE /fc/channel-bans. */
export function unbanUser(target: Standing, callerRole: ChannelRole | undefined): Standing {
  requireModerator(callerRole);
  return step(target, "unban");
}
