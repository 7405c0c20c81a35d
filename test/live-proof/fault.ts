import type { Replacement } from "../support/broken-copy.ts";

/** What the live services do, put back wrong into the product, and who must notice. */
export interface Fault extends Replacement {
  /** What Castellan does wrong then, in words for people. */
  broken: string;
  /** Test files, each with the tests, or groups of tests, of which one at least must fail: "group > test". */
  tests: Readonly<Record<string, readonly string[]>>;
  /** Two transactions at once need a PostgreSQL server. */
  needsServer?: true;
}

/** A fact about the live services, or a finding of a review. */
export interface Point {
  /** H1 to H14, C1 to C9, D1 to D10; R for findings. */
  id: string;
  /** What Castellan makes of it. */
  holds: string;
  faults: readonly Fault[];
}
