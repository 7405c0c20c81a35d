import { describe, expect, it } from "vitest";
import { markOnEntry, moderateCast, type CastMarks } from "../../../src/api/domain/cast-marks.ts";
import type { State } from "../../../src/api/domain/standing.ts";

/** M: hidden by moderation, B: by a ban, E: on entry. */
const marks = (letters: string): CastMarks => ({
  hiddenByModeration: letters.includes("M"),
  hiddenByBan: letters.includes("B"),
  hiddenOnEntry: letters.includes("E"),
});

describe("moderation of a cast, state × action", () => {
  it.each([
    ["", "hide", "M"],
    ["B", "hide", "MB"],
    ["E", "hide", "ME"],
    ["M", "unhide", ""],
    ["MB", "unhide", "B"],
    ["ME", "unhide", ""],
    ["E", "unhide", ""],
  ] as const)("[%s] %s gives [%s]", (before, action, after) => {
    expect(moderateCast(marks(before), action)).toEqual(marks(after));
  });

  it.each([
    ["M", "hide"],
    ["MB", "hide"],
    ["ME", "hide"],
    ["", "unhide"],
    ["B", "unhide"],
  ] as const)("[%s] %s changes nothing", (before, action) => {
    const state = marks(before);
    expect(moderateCast(state, action)).toBe(state);
  });
});

describe("marks of a cast that enters a channel", () => {
  const states: State[] = [
    "stranger",
    "invited",
    "restricted",
    "banned",
    "member",
    "nominated",
    "moderator",
    "appointed",
    "owner",
  ];
  const strangers = new Set<State>(["stranger", "invited", "restricted", "banned"]);

  it.each(states)("by one who is %s", (author) => {
    const reply = { isReply: true };
    const root = { isReply: false };
    expect(markOnEntry(reply, author, true)).toEqual(marks(author === "banned" ? "B" : ""));
    expect(markOnEntry(reply, author, false)).toEqual(marks(author === "banned" ? "B" : ""));
    expect(markOnEntry(root, author, true)).toEqual(marks(""));
    expect(markOnEntry(root, author, false)).toEqual(marks(strangers.has(author) ? "E" : ""));
  });
});
