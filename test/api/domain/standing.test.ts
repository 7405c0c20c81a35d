import { describe, expect, it } from "vitest";
import {
  inviteIn,
  roleIn,
  step,
  type Standing,
  type StandingEvent,
  type State,
} from "../../../src/api/domain/membership.ts";
import { asAppError } from "../../../src/errors.ts";

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

const states = [
  "stranger",
  "invited",
  "restricted",
  "banned",
  "member",
  "nominated",
  "moderator",
  "appointed",
  "owner",
] as const satisfies State[];

const banned = "!banned_from_channel";
const noInvite = "!no_active_invite";
const notMember = "!invitee_not_member";

/** Columns as `states`; "=" is unchanged, "!" a refusal with its reason. */
const table: Record<StandingEvent, string[]> = {
  inviteAsMember: ["invited", "=", "invited", banned, "=", "=", "=", "=", "="],
  inviteAsModerator: [notMember, notMember, notMember, banned, "nominated", "=", "=", "=", "="],
  appointBot: ["appointed", "appointed", "appointed", banned, "moderator", "=", "=", "=", "="],
  acceptMember: [noInvite, "member", ...Array<string>(7).fill(noInvite)],
  declineMember: [noInvite, "stranger", ...Array<string>(7).fill(noInvite)],
  acceptModerator: [...Array<string>(5).fill(noInvite), "moderator", noInvite, noInvite, noInvite],
  declineModerator: [...Array<string>(5).fill(noInvite), "member", noInvite, noInvite, noInvite],
  removeMember: ["=", "stranger", "=", "=", "restricted", "restricted", "=", "=", "!cannot_remove_owner"],
  removeModerator: ["=", "=", "=", "=", "=", "member", "member", "stranger", "="],
  ban: ["banned", "banned", "banned", "=", "banned", "banned", "banned", "banned", "!cannot_ban_owner"],
  unban: ["=", "=", "=", "restricted", "=", "=", "=", "=", "="],
  joinByLink: ["member", "member", "!not_permitted", banned, "=", "=", "=", "=", "="],
};

const unanswered = { member: undefined, moderator: undefined };
const cases = Object.entries(table).flatMap(([event, row]) =>
  // Object.entries forgets that the keys are events.
  row.map((outcome, column) => [event as StandingEvent, states[column] ?? "owner", outcome] as const),
);

describe("a user's standing in a channel", () => {
  it("has a row for each event and a column for each state", () => {
    expect(cases).toHaveLength(12 * states.length);
  });

  it.each(cases)("%s of a user who is %s: %s", (event, state, outcome) => {
    expect(tryStep(state, event)).toBe(outcome);
  });

  it("keeps the standing itself where nothing changes", () => {
    const owner: Standing = { state: "owner", answers: unanswered };
    expect(step(owner, "unban")).toBe(owner);
  });

  it("says what is wrong in a sentence", () => {
    const owner: Standing = { state: "owner", answers: unanswered };
    expect(() => step(owner, "ban")).toThrow("The owner of a channel cannot be banned from it.");
    expect(() => step(owner, "removeMember")).toThrow("The owner of a channel cannot be removed from it.");
    expect(() => step(owner, "acceptMember")).toThrow("There is no outstanding invite to this role.");
    expect(() => step({ ...owner, state: "restricted" }, "joinByLink")).toThrow("only by invite");
  });
});

/** The next state, "=" or "!" and the reason, as the table above writes them. */
function tryStep(state: State, event: StandingEvent): string {
  const standing: Standing = { state, answers: unanswered };
  try {
    const next = step(standing, event);
    return next === standing ? "=" : next.state;
  } catch (error) {
    return `!${asAppError(error)?.code}`;
  }
}

describe("an answer", () => {
  const answers = { member: "accepted", moderator: "declined" } as const;

  it.each<[StandingEvent, State, forgotten: "member" | "moderator" | "both" | "none"]>([
    ["inviteAsMember", "stranger", "member"],
    ["inviteAsMember", "restricted", "member"],
    ["inviteAsModerator", "member", "moderator"],
    ["appointBot", "stranger", "both"],
    ["appointBot", "member", "moderator"],
    ["removeMember", "invited", "member"],
    ["removeMember", "member", "member"],
    ["removeMember", "nominated", "both"],
    ["removeModerator", "nominated", "moderator"],
    ["removeModerator", "moderator", "moderator"],
    ["removeModerator", "appointed", "both"],
    ["ban", "stranger", "none"],
    ["ban", "restricted", "none"],
    ["ban", "invited", "member"],
    ["ban", "member", "member"],
    ["ban", "nominated", "both"],
    ["ban", "moderator", "both"],
    ["unban", "banned", "none"],
    ["joinByLink", "stranger", "member"],
  ])("after %s of a user who is %s no longer stands: %s", (event, state, forgotten) => {
    expect(step({ state, answers }, event).answers).toEqual({
      member: forgotten === "member" || forgotten === "both" ? undefined : "accepted",
      moderator: forgotten === "moderator" || forgotten === "both" ? undefined : "declined",
    });
  });
});
