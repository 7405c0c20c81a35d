import type { VerdictChange } from "./compare-verdicts.ts";

/** What a change of the rules does to an event, in the words that follow a number or stand before an event. */
export const changeWords = {
  newly: "newly hit",
  no_longer: "no longer hit",
  same: "hit as before",
} as const satisfies Record<VerdictChange, string>;

/** What a reader of these numbers has to know. */
export const rehearsalNote =
  "Nothing was done. The history of a channel begins when it is linked: what was before is not looked at. Roles and membership are as they are now; what rules would cause in turn is not played through.";
