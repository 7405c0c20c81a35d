/** The names of the starter rules. */
// @ts-nocheck

export type StarterId =
  "scam-links" | "impostor-names" | "flood" | "duplicates" | "repeat-offenders" | "invite-regulars";

/** A rule that a server can begin with, as its file would have it but for the mode: it is added in shadow. */
export interface StarterRule {
  id: StarterId;
  /** What it is for, in one sentence. */
  what: string;
  entry: Readonly<Record<string, unknown>>;
}
