// @ts-nocheck
import type { Role } from "../../contract/values.ts";

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
