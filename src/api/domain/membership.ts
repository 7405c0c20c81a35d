import type { Role } from "../../contract/values.ts";
import { AppError, type ClientReason } from "../../errors.ts";

export type ChannelRole = "owner" | Role;

/**
 * A user's state in a channel. Roles, invites, restriction and ban exclude each other, except that a member may have an
 * invite to become a moderator.
 */
export type State =
  | "stranger"
  /** Has an outstanding invite as a member. */
  | "invited"
  /** Can become a member through an invite only, not through a link. */
  | "restricted"
  | "banned"
  | "member"
  /** A member with an outstanding invite as a moderator. */
  | "nominated"
  /** A moderator who was a member before, and will be one again when the role ends. */
  | "moderator"
  /** A moderator who never was a member: an allowlisted bot, or a founder. */
  | "appointed"
  | "owner";

export type Answer = "accepted" | "declined";

export interface Standing {
  state: State;
  /** The answer for each role if its last event was an answer; valid until the next event. */
  answers: Readonly<Record<Role, Answer | undefined>>;
}

const roles: Partial<Record<State, ChannelRole>> = {
  member: "member",
  nominated: "member",
  moderator: "moderator",
  appointed: "moderator",
  owner: "owner",
};

export function roleIn(state: State): ChannelRole | undefined {
  return roles[state];
}

const invites: Partial<Record<State, Role>> = { invited: "member", nominated: "moderator" };

/** The role that an outstanding invite offers. */
export function inviteIn(state: State): Role | undefined {
  return invites[state];
}

export type StandingEvent =
  | "inviteAsMember"
  | "inviteAsModerator"
  | "appointBot"
  | "acceptMember"
  | "declineMember"
  | "acceptModerator"
  | "declineModerator"
  | "removeMember"
  | "removeModerator"
  | "ban"
  | "unban"
  | "joinByLink";

interface Refusal {
  refused: ClientReason;
  message: string;
}

type Row = Partial<Record<State, State | Refusal>> & { otherwise: "unchanged" | Refusal };

const isBanned = refuse("banned_from_channel", "The user is banned from the channel. Lift the ban first.");
const notMember = refuse("invitee_not_member", "Only a member of the channel can be invited as a moderator.");
const noInvite = refuse("no_active_invite", "There is no outstanding invite to this role.");

/** One table, event × state, for interface.md's "Channel invite", "Channel role and restriction" and "Channel ban". */
const transitions: Record<StandingEvent, Row> = {
  inviteAsMember: {
    stranger: "invited",
    restricted: "invited",
    banned: isBanned,
    otherwise: "unchanged",
  },
  inviteAsModerator: {
    stranger: notMember,
    invited: notMember,
    restricted: notMember,
    banned: isBanned,
    member: "nominated",
    otherwise: "unchanged",
  },
  appointBot: {
    stranger: "appointed",
    invited: "appointed",
    restricted: "appointed",
    banned: isBanned,
    member: "moderator",
    otherwise: "unchanged",
  },
  acceptMember: { invited: "member", otherwise: noInvite },
  declineMember: { invited: "stranger", otherwise: noInvite },
  acceptModerator: { nominated: "moderator", otherwise: noInvite },
  declineModerator: { nominated: "member", otherwise: noInvite },
  removeMember: {
    invited: "stranger",
    member: "restricted",
    nominated: "restricted",
    owner: refuse("cannot_remove_owner", "The owner of a channel cannot be removed from it."),
    otherwise: "unchanged",
  },
  removeModerator: {
    nominated: "member",
    moderator: "member",
    appointed: "stranger",
    otherwise: "unchanged",
  },
  ban: {
    stranger: "banned",
    invited: "banned",
    restricted: "banned",
    member: "banned",
    nominated: "banned",
    moderator: "banned",
    appointed: "banned",
    owner: refuse("cannot_ban_owner", "The owner of a channel cannot be banned from it."),
    otherwise: "unchanged",
  },
  unban: { banned: "restricted", otherwise: "unchanged" },
  joinByLink: {
    stranger: "member",
    invited: "member",
    restricted: refuse("not_permitted", "The user was removed and can return only by invite."),
    banned: isBanned,
    otherwise: "unchanged",
  },
};

/** The standing after a step; the same object if nothing changes. Throws if the step is not allowed. */
export function step(standing: Standing, event: StandingEvent): Standing {
  const row = transitions[event];
  const next = row[standing.state] ?? row.otherwise;
  if (next === "unchanged") return standing;
  if (typeof next !== "string") throw new AppError(next.refused, next.message);
  return {
    state: next,
    answers: {
      member: touches("member", standing.state, next) ? undefined : standing.answers.member,
      moderator: touches("moderator", standing.state, next) ? undefined : standing.answers.moderator,
    },
  };
}

/** Whether a step is an event of this role: the role or its invite begins or ends. */
function touches(role: Role, before: State, after: State): boolean {
  return holds(role, before) !== holds(role, after) || invited(role, before) !== invited(role, after);
}

/** Any role includes membership. */
function holds(role: Role, state: State): boolean {
  const held = roleIn(state);
  return role === "member" ? held !== undefined : held === role;
}

function invited(role: Role, state: State): boolean {
  return inviteIn(state) === role;
}

function refuse(refused: ClientReason, message: string): Refusal {
  return { refused, message };
}

/** Rejects callers who are neither the channel's owner nor a moderator. */
export function requireModerator(callerRole: ChannelRole | undefined): void {
  if (callerRole !== "owner" && callerRole !== "moderator") {
    throw new AppError("not_permitted", "Only the owner and the moderators of the channel may do this.");
  }
}

/** Rejects everyone except the owner; a moderator learns that only the owner can do this. */
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
  moderatorCount: number;
}

/** POST /fc/channel-invites: the invitee's new standing. */
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

/** PATCH /fc/channel-invites: repeating an answer succeeds, changing it is an error. */
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

/** DELETE /fc/channel-invites: removes the role, or the outstanding invite to it. */
export function removeUser(target: Standing, role: Role, callerRole: ChannelRole | undefined): Standing {
  if (role === "member") {
    requireModerator(callerRole);
    return step(target, "removeMember");
  }
  requireOwner(callerRole);
  return step(target, "removeModerator");
}

/** POST /fc/channel-bans. Only the owner can ban moderators, so that no moderator can unseat another. */
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
