import type { Selectable } from "kysely";
import type { ReviewItemTable } from "./rules-acts.ts";

/** How often a review's items were decided and reopened so far: the same number means that nothing has changed. */
export function countChanges(items: readonly Pick<Selectable<ReviewItemTable>, "round" | "state">[]): number {
  return items.reduce((sum, { round, state }) => sum + 2 * round + (state === "open" ? 0 : 1), 0);
}
