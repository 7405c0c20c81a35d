import { amount } from "./amount.ts";

export interface HiddenByLockdown {
  casts: number;
  /** Of them, those of authors of whom the network did not say whether they are members. */
  inDoubt: number;
}

/** "It hid 3 casts, which stay hidden.", and how many of them in doubt; `howTo` is said where something can be shown again. */
export function describeHidden({ casts, inDoubt }: HiddenByLockdown, howTo = ""): string {
  if (casts === 0) return "It hid no cast.";
  const doubt =
    inDoubt === 0
      ? ""
      : ` ${amount(inDoubt, "cast")} of them ${inDoubt === 1 ? "was" : "were"} hidden because it could not be read whether the author is a member.`;
  return `It hid ${amount(casts, "cast")}, which ${casts === 1 ? "stays" : "stay"} hidden${howTo}.${doubt}`;
}
