import type { Role } from "../../src/contract/values.ts";
import type { ChannelView } from "../support/seed.ts";
import type { Model } from "./model.ts";

export type Call =
  | { call: "invite" | "remove"; caller: number; fid: number; role: Role }
  | { call: "answer"; caller: number; role: Role; accept: boolean }
  | { call: "ban" | "unban"; caller: number; fid: number }
  | { call: "follow" | "unfollow"; caller: number };

export interface Founders {
  owner: number;
  moderators: number[];
  members: number[];
  bots: number[];
  followers: number[];
}

interface Standing {
  /** Moderators, and whether they were members before. */
  moderators: Map<number, boolean>;
  members: Set<number>;
  invites: Map<number, Role>;
  restricted: Set<number>;
  banned: Set<number>;
  followers: Set<number>;
  /** By `fid role`. */
  answers: Map<string, boolean>;
}

/** A channel's people. */
export function createMembershipModel(founders: Founders): Model<Call> {
  return modelOf(founders, {
    moderators: new Map(founders.moderators.map((fid) => [fid, false])),
    members: new Set(founders.members),
    invites: new Map(),
    restricted: new Set(),
    banned: new Set(),
    followers: new Set(founders.followers),
    answers: new Map(),
  });
}

function modelOf(founders: Founders, standing: Standing): Model<Call> {
  const { owner, bots } = founders;
  const { moderators, members, invites, restricted, banned, followers, answers } = standing;

  const moderates = (fid: number) => fid === owner || moderators.has(fid);
  const isIn = (fid: number) => moderates(fid) || members.has(fid);
  const isFull = () =>
    moderators.size + [...invites.values()].filter((role) => role === "moderator").length >= 10;

  function invite(caller: number, fid: number, role: Role): string {
    if (!moderates(caller)) return "not_permitted";
    if (role === "moderator" && caller !== owner) return "not_owner";
    if (role === "member" ? isIn(fid) : moderates(fid)) return "ok";
    if (invites.get(fid) === role) return "ok";
    if (banned.has(fid)) return "banned_from_channel";
    const isBot = role === "moderator" && bots.includes(fid);
    if (role === "member" && !followers.has(fid)) return "invitee_not_following";
    if (role === "moderator" && !isBot && !members.has(fid)) return "invitee_not_member";
    if (role === "moderator" && isFull()) return "too_many_moderators";
    restricted.delete(fid);
    if (isBot) {
      if (invites.delete(fid)) answers.delete(`${fid} member`);
      if (!members.has(fid)) answers.delete(`${fid} member`);
      moderators.set(fid, members.delete(fid));
    } else {
      invites.set(fid, role);
    }
    answers.delete(`${fid} ${role}`);
    return "ok";
  }

  function answer(fid: number, role: Role, accept: boolean): string {
    if (invites.get(fid) !== role) {
      const given = answers.get(`${fid} ${role}`);
      if (given === undefined) return "no_active_invite";
      return given === accept ? "ok" : "invite_already_answered";
    }
    invites.delete(fid);
    answers.set(`${fid} ${role}`, accept);
    if (accept && role === "member") members.add(fid);
    if (accept && role === "moderator") moderators.set(fid, members.delete(fid));
    return "ok";
  }

  function remove(caller: number, fid: number, role: Role): string {
    if (!moderates(caller)) return "not_permitted";
    if (role === "moderator" && caller !== owner) return "not_owner";
    if (role === "member" && fid === owner) return "cannot_remove_owner";
    if (role === "member" && members.delete(fid)) {
      invites.delete(fid);
      answers.delete(`${fid} member`);
      restricted.add(fid);
    } else if (role === "moderator" && moderators.has(fid)) {
      if (moderators.get(fid)) members.add(fid);
      else answers.delete(`${fid} member`);
      moderators.delete(fid);
      answers.delete(`${fid} moderator`);
    } else if (invites.get(fid) === role) {
      invites.delete(fid);
    }
    return "ok";
  }

  function ban(caller: number, fid: number): string {
    if (!moderates(caller)) return "not_permitted";
    if (fid === owner) return "cannot_ban_owner";
    if (moderators.has(fid) && caller !== owner) return "cannot_ban_moderator";
    if (banned.has(fid)) return "ok";
    if (isIn(fid)) answers.delete(`${fid} member`);
    if (moderators.delete(fid)) answers.delete(`${fid} moderator`);
    members.delete(fid);
    invites.delete(fid);
    restricted.delete(fid);
    banned.add(fid);
    return "ok";
  }

  function unban(caller: number, fid: number): string {
    if (!moderates(caller)) return "not_permitted";
    if (banned.delete(fid)) restricted.add(fid);
    return "ok";
  }

  return {
    apply(call: Call): string {
      switch (call.call) {
        case "invite":
          return invite(call.caller, call.fid, call.role);
        case "answer":
          return answer(call.caller, call.role, call.accept);
        case "remove":
          return remove(call.caller, call.fid, call.role);
        case "ban":
          return ban(call.caller, call.fid);
        case "unban":
          return unban(call.caller, call.fid);
        case "follow":
          followers.add(call.caller);
          return "ok";
        case "unfollow":
          followers.delete(call.caller);
          return "ok";
      }
    },

    copy: () => modelOf(founders, structuredClone(standing)),

    memory: () => JSON.stringify(Object.values(standing).map((part: Iterable<unknown>) => [...part])),

    view(): ChannelView {
      const everybody = ascending([owner, ...moderators.keys(), ...members]);
      return {
        members: everybody,
        moderators: ascending(moderators.keys()),
        invites: [...invites].map(([fid, role]) => `${fid} ${role}`).toSorted((a, b) => a.localeCompare(b)),
        restricted: ascending(restricted),
        banned: ascending(banned),
        memberCount: everybody.length,
      };
    },
  };
}

function ascending(fids: Iterable<number>): number[] {
  return [...fids].toSorted((a, b) => a - b);
}
