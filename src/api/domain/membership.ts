import type { Role } from "../../contract/values.ts";
import { AppError, type ClientReason } from "../../errors.ts";

export type ChannelRole = "owner" | Role;

/**
 * What one user is in one channel. Roles, invites, the restriction and the ban exclude each other, all but one pair:
 * a member may hold an invite to become a moderator.
 */
export type State =
  | "stranger"
  /** Holds an outstanding invite as a member. */
  | "invited"
  /** Becomes a member by an invite only, never by a link. */
  | "restricted"
  | "banned"
  | "member"
  /** A member with an outstanding invite as a moderator. */
  | "nominated"
  /** A moderator who was a member before, and is one again when the role ends. */
  | "moderator"
  /** A moderator who never was a member: an allowlisted bot, a founder. */
  | "appointed"
  | "owner";

export type Answer = "accepted" | "declined";

export interface Standing {
  state: State;
  /** For each role its last event, where that is an answer: it stands until the next event. */
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

/** interface.md, "Channel invite", "Channel role and restriction" and "Channel ban" in one: event × state. */
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
    restricted: refuse("not_permitted", "The user was removed and can come back by an invite only."),
    banned: isBanned,
    otherwise: "unchanged",
  },
};

/** What becomes of a standing; the same object where nothing changes. Throws where the step is illegal. */
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

/** Whether a step is an event of this role: the role or the invite to it comes or goes. */
function touches(role: Role, before: State, after: State): boolean {
  return holds(role, before) !== holds(role, after) || invited(role, before) !== invited(role, after);
}

/** Whoever has a role is a member too. */
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
