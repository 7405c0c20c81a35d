import { describe, expect, it } from "vitest";
import { banUser, unbanUser, type Standing, type State } from "../../../src/api/domain/membership.ts";

function standing(state: State): Standing {
  return { state, answers: { member: undefined, moderator: undefined } };
}

function refusal(code: string) {
  return expect.objectContaining({ code, message: expect.stringMatching(/^[A-Z].+\.$/) });
}

describe("a ban", () => {
  it.each(["owner", "moderator"] as const)("by the %s reaches everybody without an office", (caller) => {
    for (const state of ["stranger", "invited", "restricted", "member", "nominated"] as const) {
      expect(banUser(standing(state), caller).state).toBe("banned");
    }
  });

  it.each(["moderator", "appointed"] as const)("of a user who is %s takes the owner", (state) => {
    expect(() => banUser(standing(state), "moderator")).toThrow(refusal("cannot_ban_moderator"));
    expect(banUser(standing(state), "owner").state).toBe("banned");
  });

  it.each(["owner", "moderator"] as const)("of the owner is refused to the %s", (caller) => {
    expect(() => banUser(standing("owner"), caller)).toThrow(refusal("cannot_ban_owner"));
  });

  it.each(["member", undefined] as const)("by a caller who is %s is not permitted", (caller) => {
    for (const state of ["stranger", "moderator", "owner", "banned"] as const) {
      expect(() => banUser(standing(state), caller)).toThrow(refusal("not_permitted"));
    }
  });
});

describe("an unban", () => {
  it.each(["owner", "moderator"] as const)("by the %s leaves the user restricted", (caller) => {
    expect(unbanUser(standing("banned"), caller).state).toBe("restricted");
  });

  it.each(["member", undefined] as const)("by a caller who is %s is not permitted", (caller) => {
    expect(() => unbanUser(standing("banned"), caller)).toThrow(refusal("not_permitted"));
    expect(() => unbanUser(standing("stranger"), caller)).toThrow(refusal("not_permitted"));
  });
});
