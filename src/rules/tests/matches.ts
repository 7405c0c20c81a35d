import { PatternText } from "../pattern.ts";
import type { TextTestKind } from "./text-test.ts";

/** Fits an RE2 pattern, as normalised or as written: who looks for invisible characters finds them in the latter. */
export const matches: TextTestKind = {
  name: "matches",
  schema: PatternText.transform((pattern) => ({
    holds: (text) => pattern.matches(text.plain) || (text.raw !== text.plain && pattern.matches(text.raw)),
    cost: 10 + pattern.size,
    sentence: `matches /${pattern.source}/`,
  })),
};
