import type { Moderator } from "./town.ts";

/** What the traffic was answered: all of it has to be there in the end. */
export interface Ledger {
  /** The fid that each name was last given to; 0 for given back. */
  names: Map<string, number>;
  /** Text by hash. */
  casts: Map<string, string>;
  /** What was done to each cast without Castellan, in order. */
  records: Map<string, ("hide" | "unhide")[]>;
  cases: AnsweredCase[];
  /** What nobody should have been told. */
  surprises: string[];
  /** How often nobody answered. */
  unanswered: number;
}

/** A case as a moderator was shown it. */
export interface AnsweredCase {
  by: Moderator;
  number: number;
  kind: CaseKind;
  /** The fid or cast hash. */
  target: string;
  /** In the card's words: "done", "nothing to do". */
  state: string;
}
export type CaseKind = "ban" | "unban" | "hide" | "unhide" | "pin" | "unpin";

export function openLedger(): Ledger {
  return { names: new Map(), casts: new Map(), records: new Map(), cases: [], surprises: [], unanswered: 0 };
}

/** Whether something of each kind was answered: on a slow machine few kills leave time for little. */
export function hasOfEach({ names, casts, records, cases }: Ledger): boolean {
  const made = new Set(cases.flatMap(({ kind, state }) => (state === "done" ? [kind] : [])));
  const kinds = ["ban", "hide", "pin"] as const;
  return [names, casts, records].every(({ size }) => size > 0) && kinds.every((kind) => made.has(kind));
}
