import type { Occurrence } from "../evaluate/occurrence.ts";
import type { Rule } from "../evaluate/rule-set.ts";

/** Whether a rule can do something about an event, and not only hold it for a person. */
export function actsOn({ actions }: Pick<Rule, "actions">, occurrence: Occurrence): boolean {
  return actions.some((action) => {
    const aimed = action.aim(occurrence);
    return !("impossible" in aimed) && aimed.kind !== "review";
  });
}
