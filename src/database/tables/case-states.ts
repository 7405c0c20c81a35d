import { sql, type RawBuilder } from "kysely";

export const caseStates = ["requested", "applied", "already", "failed", "outside", "reverted"] as const;
export type CaseState = (typeof caseStates)[number];

/** In effect on the network, as far as Castellan knows. */
export const inForce = ["applied", "already", "outside"] as const satisfies CaseState[];

/** In force, or about to be: neither failed nor undone. */
export const requestedOrInForce = ["requested", ...inForce] as const;

/** Settled without failing, even if undone since. */
export const succeeded = [...inForce, "reverted"] as const;

/** Applied by a call of Castellan, even if undone since. */
export const everApplied = ["applied", "reverted"] as const satisfies CaseState[];

/** Changed something, even if undone since: not cases that failed, are under way, or changed nothing. */
export const tookEffect = ["applied", "outside", "reverted"] as const satisfies CaseState[];

export function isInForce(state: CaseState): boolean {
  return isOneOf(inForce, state);
}

export function isOneOf(states: readonly CaseState[], state: CaseState): boolean {
  return states.includes(state);
}

/** Kinds or states for `in (…)`. Literals rather than parameters, so that PostgreSQL plans with the values. */
export function literals(values: readonly string[]): RawBuilder<unknown> {
  return sql.join(values.map((value) => sql.lit(value)));
}
