// @ts-nocheck
import { describe, expect, it } from "vitest";
import { inviteIn, roleIn, type State } from "../../../src/api/domain/standing.ts";

describe("a standing", () => {
  it.each<[State, role: string | undefined, invite: string | undefined]>([
    ["stranger", undefined, undefined],
    ["invited", undefined, "member"],
    ["restricted", undefined, undefined],
    ["banned", undefined, undefined],
    ["member", "member", undefined],
    ["nominated", "member", "moderator"],
    ["moderator", "moderator", undefined],
    ["appointed", "moderator", undefined],
    ["owner", "owner", undefined],
  ])("as %s carries the role %s and an invite as %s", (state, role, invite) => {
    expect([roleIn(state), inviteIn(state)]).toEqual([role, invite]);
  });
});
