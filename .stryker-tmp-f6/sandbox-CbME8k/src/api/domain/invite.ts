// @ts-nocheck
import type { Role } from "../../contract/values.ts";
import { AppError } from "../../errors.ts";
import { requireModerator, requireOwner } from "./permission.ts";
import type { ChannelRole, Standing } from "./standing.ts";
import { step } from "./transitions.ts";

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
