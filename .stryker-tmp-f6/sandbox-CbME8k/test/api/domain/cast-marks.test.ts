// @ts-nocheck
import { describe, expect, it } from "vitest";
import {
  addressedBy,
  markOnEntry,
  moderateCast,
  type CastMarks,
} from "../../../src/api/domain/cast-marks.ts";
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
    const reply = { isReply: true, isBlocked: false };
    const root = { isReply: false, isBlocked: false };
    for (const publicCasting of [true, false]) {
      expect(markOnEntry(reply, { author, publicCasting })).toEqual(marks(author === "banned" ? "B" : ""));
    }
    expect(markOnEntry(root, { author, publicCasting: true })).toEqual(marks(""));
    expect(markOnEntry(root, { author, publicCasting: false })).toEqual(
      marks(strangers.has(author) ? "E" : ""),
    );
  });

  it("by one whom somebody addressed blocks, in a channel or none", () => {
    const everyone = { author: "owner", publicCasting: true } as const;
    for (const channel of [everyone, undefined]) {
      expect(markOnEntry({ isReply: true, isBlocked: true }, channel)).toEqual(marks("E"));
      expect(markOnEntry({ isReply: false, isBlocked: true }, channel)).toEqual(marks("E"));
      expect(markOnEntry({ isReply: false, isBlocked: false }, channel)).toEqual(marks(""));
    }
  });
});

describe("whom a cast addresses", () => {
  const cast = { hash: "0x01", fid: 1, timestamp: 0, text: "", mentions: [7], embeds: [] };
  const quoted = `0x${"ab".repeat(20)}`;

  it("are those it mentions and replies to", () => {
    expect(addressedBy(cast)).toEqual({ fids: [7], quoted: [] });
    expect(addressedBy({ ...cast, parent: { fid: 9, hash: quoted } })).toEqual({ fids: [9, 7], quoted: [] });
  });

  it("and the authors of casts whose whole hash ends an embedded link", () => {
    const embeds = [
      `https://a.test/~/conversations/0x${"AB".repeat(20)}`,
      `https://a.test/${quoted}/more`,
      "https://a.test/0xabcd",
    ].map((url) => ({ url }));
    expect(addressedBy({ ...cast, embeds }).quoted).toEqual([quoted]);
  });
});
