import { describe, expect, it } from "vitest";
import { addressedBy, moderateCast, type CastVisibility } from "../../../src/api/domain/cast-visibility.ts";

/** M: hidden by moderation, B: by a ban, E: on entry. */
const hidden = (letters: string): CastVisibility => ({
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
    expect(moderateCast(hidden(before), action)).toEqual(hidden(after));
  });

  it.each([
    ["M", "hide"],
    ["MB", "hide"],
    ["ME", "hide"],
    ["", "unhide"],
    ["B", "unhide"],
  ] as const)("[%s] %s changes nothing", (before, action) => {
    const state = hidden(before);
    expect(moderateCast(state, action)).toBe(state);
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
