/** A plan as EXPLAIN gives it in JSON. */
export interface Plan {
  "Node Type": string;
  Schema?: string;
  "Relation Name"?: string;
  /** Where the statement was run: rows of each time, how many times, and rows that were read for nothing. */
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** Large tables that the plan reads from end to end. */
export function findScans(plan: Plan, large: ReadonlySet<string>): string[] {
  const own = plan["Node Type"] === "Seq Scan" ? [`${plan.Schema}.${plan["Relation Name"]}`] : [];
  return [
    ...own.filter((name) => large.has(name)),
    ...(plan.Plans ?? []).flatMap((inner) => findScans(inner, large)),
  ];
}

/** Rows of tables and indexes that were read. */
export function countRead(plan: Plan): number {
  const { "Actual Rows": found = 0, "Rows Removed by Filter": dropped = 0, "Actual Loops": times = 0 } = plan;
  const own = plan["Relation Name"] === undefined ? 0 : (found + dropped) * times;
  return (plan.Plans ?? []).reduce((sum, inner) => sum + countRead(inner), own);
}
