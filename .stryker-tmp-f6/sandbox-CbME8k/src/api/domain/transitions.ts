// @ts-nocheck
import { AppError, type ClientReason } from "../../errors.ts";
import type { Role } from "../../contract/values.ts";
import { inviteIn, roleIn, type Standing, type State } from "./standing.ts";

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
