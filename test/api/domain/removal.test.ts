import { describe, expect, it } from "vitest";
import {
  removeUser,
  type ChannelRole,
  type Standing,
  type State,
} from "../../../src/api/domain/membership.ts";

function standing(state: State): Standing {
  return { state, answers: { member: undefined, moderator: undefined } };
}

function removal(state: State, role: "member" | "moderator", callerRole: ChannelRole | undefined): State {
  return removeUser(standing(state), role, callerRole).state;
}

describe("a removal as a member", () => {
  it.each(["owner", "moderator"] as const)("by the %s restricts a member and revokes an invite", (caller) => {
    expect(removal("member", "member", caller)).toBe("restricted");
    expect(removal("invited", "member", caller)).toBe("stranger");
  });

  it.each(["member", undefined] as const)("by a caller who is %s is not permitted", (caller) => {
    for (const state of ["member", "invited", "stranger", "owner"] as const) {
      expect(() => removal(state, "member", caller)).toThrow(
        expect.objectContaining({ code: "not_permitted" }),
      );
    }
  });

  it("leaves moderators as they are and refuses the owner", () => {
    expect(removal("moderator", "member", "owner")).toBe("moderator");
    expect(removal("appointed", "member", "moderator")).toBe("appointed");
    expect(() => removal("owner", "member", "moderator")).toThrow(
      expect.objectContaining({ code: "cannot_remove_owner" }),
    );
  });
});

describe("a removal as a moderator", () => {
  it("by the owner ends the role or the invite and restricts nobody", () => {
    expect(removal("moderator", "moderator", "owner")).toBe("member");
    expect(removal("nominated", "moderator", "owner")).toBe("member");
    expect(removal("appointed", "moderator", "owner")).toBe("stranger");
  });

  it("is only for the owner: a moderator gets not_owner, a stranger not_permitted", () => {
    expect(() => removal("moderator", "moderator", "moderator")).toThrow(
      expect.objectContaining({ code: "not_owner" }),
    );
    expect(() => removal("moderator", "moderator", undefined)).toThrow(
      expect.objectContaining({ code: "not_permitted" }),
    );
  });
});
