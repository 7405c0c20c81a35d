import { amount } from "./amount.ts";

export interface HiddenByLockdown {
  casts: number;
  /** How many of them have authors whose membership the network did not report. */
  inDoubt: number;
}

/** "It hid 3 casts, which stay hidden.", and how many of them are in doubt; `howTo` explains how to show them again. */
export function describeHiddenByLockdown({ casts, inDoubt }: HiddenByLockdown, howTo = ""): string {
  if (casts === 0) return "It hid no cast.";
  const doubt =
    inDoubt === 0
      ? ""
      : ` ${amount(inDoubt, "cast")} of them ${inDoubt === 1 ? "was" : "were"} hidden although the author's membership could not be read.`;
  return `It hid ${amount(casts, "cast")}, which ${casts === 1 ? "stays" : "stay"} hidden${howTo}.${doubt}`;
}
