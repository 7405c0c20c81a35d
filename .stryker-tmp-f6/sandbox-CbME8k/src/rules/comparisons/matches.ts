// @ts-nocheck
import { PatternText } from "../text/pattern.ts";
import { literalsOf } from "../text/pattern-literals.ts";
import type { TextTestKind } from "./text-test.ts";

/**
 * Fits an RE2 pattern: as normalised, with borrowed letters read as Latin, or as written, where who looks for invisible
 * characters finds them.
 */
export const matches: TextTestKind = {
  name: "matches",
  schema: PatternText.transform((pattern) => {
    const literals = literalsOf(pattern.source);
    return {
      holds: (text) =>
        pattern.matches(text.plain) ||
        (text.latin !== text.folded && pattern.matches(text.latin)) ||
        (text.raw !== text.plain && pattern.matches(text.raw)),
      cost: 10 + pattern.size,
      sentence: `matches /${pattern.source}/`,
      ...(literals && { literals }),
    };
  }),
};
