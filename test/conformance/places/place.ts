/** A sentence or a table row of interface.md. */
export interface Place {
  /** The section that it is in. */
  section: string;
  /** What it says, in short. */
  says: string;
  /** Matches `group · title` of the tests that show it. */
  shownBy: RegExp;
  /** What is asked beyond it, where it narrows the sentence on purpose. */
  narrowed?: string;
}

type Line = [says: string, shownBy: RegExp, narrowed?: string];

export function section(name: string, lines: readonly Line[]): Place[] {
  return lines.map(([says, shownBy, narrowed]) => ({
    section: name,
    says,
    shownBy,
    ...(narrowed !== undefined && { narrowed }),
  }));
}
