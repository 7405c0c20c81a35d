import { describe, expect, it } from "vitest";
import {
  answerInvite,
  inviteUser,
  type Answer,
  type InviteFacts,
  type Standing,
  type State,
} from "../../../src/api/domain/membership.ts";
import type { ErrorCode } from "../../../src/errors.ts";

function standing(state: State, answers: Partial<Record<"member" | "moderator", Answer>> = {}): Standing {
  return { state, answers: { member: undefined, moderator: undefined, ...answers } };
}

function refusal(code: ErrorCode) {
  return expect.objectContaining({ code, message: expect.stringMatching(/^[A-Z].+\.$/) });
}

const asMember: InviteFacts = {
  callerRole: "moderator",
  role: "member",
  isFollowing: true,
  isAllowlistedBot: false,
  moderatorCount: 0,
};
const asModerator: InviteFacts = { ...asMember, callerRole: "owner", role: "moderator" };
const asBot: InviteFacts = { ...asModerator, isAllowlistedBot: true, isFollowing: false };

describe("an invite as a member", () => {
  it.each(["owner", "moderator"] as const)("of a follower by the %s is outstanding", (callerRole) => {
    expect(inviteUser(standing("stranger"), { ...asMember, callerRole })).toEqual(standing("invited"));
  });

  it.each(["member", undefined] as const)("by a caller who is %s is not permitted", (callerRole) => {
    const facts = { ...asMember, callerRole };
    expect(() => inviteUser(standing("stranger"), facts)).toThrow(refusal("not_permitted"));
    // Permission comes before everything else, even where nothing would change.
    expect(() => inviteUser(standing("invited"), facts)).toThrow(refusal("not_permitted"));
    expect(() => inviteUser(standing("banned"), facts)).toThrow(refusal("not_permitted"));
  });

  it("needs the invitee to follow the channel or the caller", () => {
    const facts = { ...asMember, isFollowing: false };
    expect(() => inviteUser(standing("stranger"), facts)).toThrow(refusal("invitee_not_following"));
    expect(() => inviteUser(standing("restricted"), facts)).toThrow(refusal("invitee_not_following"));
  });

  it.each(["invited", "member", "nominated", "moderator", "appointed", "owner"] as const)(
    "of a user who is already %s succeeds, unfollowing as he may be",
    (state) => {
      const before = standing(state);
      expect(inviteUser(before, { ...asMember, isFollowing: false })).toBe(before);
    },
  );

  it("of the banned is refused before his follows are looked at", () => {
    const facts = { ...asMember, isFollowing: false };
    expect(() => inviteUser(standing("banned"), facts)).toThrow(refusal("banned_from_channel"));
  });

  it("does not count moderators", () => {
    expect(inviteUser(standing("stranger"), { ...asMember, moderatorCount: 10 })).toEqual(
      standing("invited"),
    );
  });

  it("of an allowlisted bot is an invite like any other", () => {
    const facts = { ...asMember, isAllowlistedBot: true };
    expect(inviteUser(standing("stranger"), facts)).toEqual(standing("invited"));
  });
});

function inviteNominated(callerRole: InviteFacts["callerRole"]): Standing {
  return inviteUser(standing("nominated"), { ...asModerator, callerRole });
}

describe("an invite as a moderator", () => {
  it("of a member by the owner is outstanding, whom he follows or not", () => {
    const facts = { ...asModerator, isFollowing: false };
    expect(inviteUser(standing("member"), facts)).toEqual(standing("nominated"));
  });

  it("by a moderator takes the owner; by anybody else it is not permitted", () => {
    expect(() => inviteNominated("moderator")).toThrow(refusal("not_owner"));
    expect(() => inviteNominated("member")).toThrow(refusal("not_permitted"));
    expect(() => inviteNominated(undefined)).toThrow(refusal("not_permitted"));
  });

  it("keeps moderators and outstanding invites at ten", () => {
    expect(inviteUser(standing("member"), { ...asModerator, moderatorCount: 9 }).state).toBe("nominated");
    const full = { ...asModerator, moderatorCount: 10 };
    expect(() => inviteUser(standing("member"), full)).toThrow(refusal("too_many_moderators"));
    expect(() => inviteUser(standing("member"), { ...asModerator, moderatorCount: 11 })).toThrow(
      expect.objectContaining({ message: expect.stringContaining("10 moderators") }),
    );
  });

  it("is refused for its condition before the ten are counted", () => {
    const full = { ...asModerator, moderatorCount: 10 };
    expect(() => inviteUser(standing("stranger"), full)).toThrow(refusal("invitee_not_member"));
    expect(() => inviteUser(standing("banned"), full)).toThrow(refusal("banned_from_channel"));
  });

  it.each(["nominated", "moderator", "appointed", "owner"] as const)(
    "of a user who is already %s succeeds, full as the ten may be",
    (state) => {
      const before = standing(state);
      expect(inviteUser(before, { ...asModerator, moderatorCount: 10 })).toBe(before);
      expect(inviteUser(before, { ...asBot, moderatorCount: 10 })).toBe(before);
    },
  );

  it.each([
    ["stranger", "appointed"],
    ["invited", "appointed"],
    ["restricted", "appointed"],
    ["member", "moderator"],
  ] as const)("makes an allowlisted bot that is %s a moderator at once", (before, after) => {
    expect(inviteUser(standing(before), asBot)).toEqual(standing(after));
  });

  it("of an allowlisted bot takes the owner and a place among the ten", () => {
    expect(() => inviteUser(standing("stranger"), { ...asBot, callerRole: "moderator" })).toThrow(
      refusal("not_owner"),
    );
    expect(() => inviteUser(standing("stranger"), { ...asBot, moderatorCount: 10 })).toThrow(
      refusal("too_many_moderators"),
    );
    expect(() => inviteUser(standing("banned"), asBot)).toThrow(refusal("banned_from_channel"));
  });
});

describe("an answer to an invite", () => {
  it.each([
    ["member", true, "invited", "member", "accepted"],
    ["member", false, "invited", "stranger", "declined"],
    ["moderator", true, "nominated", "moderator", "accepted"],
    ["moderator", false, "nominated", "member", "declined"],
  ] as const)("as a %s, accept %s, of a user who is %s: %s", (role, accept, before, after, answer) => {
    expect(answerInvite(standing(before), role, accept)).toEqual(standing(after, { [role]: answer }));
  });

  it("keeps what was answered for the other role", () => {
    const nominated = standing("nominated", { member: "accepted" });
    expect(answerInvite(nominated, "moderator", true)).toEqual(
      standing("moderator", { member: "accepted", moderator: "accepted" }),
    );
  });

  it.each([
    ["accepted", true],
    ["declined", false],
  ] as const)("that was %s may be given again and cannot be changed", (given, accept) => {
    const before = standing("stranger", { member: given });
    expect(answerInvite(before, "member", accept)).toBe(before);
    expect(() => answerInvite(before, "member", !accept)).toThrow(refusal("invite_already_answered"));
    expect(() => answerInvite(before, "member", !accept)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(given) }),
    );
  });

  it("without an invite to that role is refused", () => {
    expect(() => answerInvite(standing("invited"), "moderator", true)).toThrow(refusal("no_active_invite"));
    expect(() => answerInvite(standing("nominated"), "member", false)).toThrow(refusal("no_active_invite"));
    expect(() => answerInvite(standing("banned"), "member", true)).toThrow(refusal("no_active_invite"));
  });
});
