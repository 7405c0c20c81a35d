// @ts-nocheck
import type { Model } from "./model.ts";

/** A call, and what came back. */
export interface Performed<Call> {
  call: Call;
  answered: string;
}

/**
 * An order of the calls, each caller's own in his order, in which the model gives every answer that came back and ends
 * where the network did. Undefined where there is none: then no order of one call after the other explains what happened.
 */
export function findSerialOrder<Call>(
  model: Model<Call>,
  lanes: readonly (readonly Performed<Call>[])[],
  seen: unknown,
): Call[] | undefined {
  const end = JSON.stringify(seen);
  const barren = new Set<string>();

  function explore(before: Model<Call>, positions: readonly number[]): Call[] | undefined {
    const open = lanes.flatMap((lane, index) => {
      const next = lane[positions[index] ?? 0];
      return next ? [{ index, next }] : [];
    });
    if (open.length === 0) return JSON.stringify(before.view()) === end ? [] : undefined;
    const place = `${positions.join()} ${before.memory()}`;
    if (barren.has(place)) return undefined;
    for (const { index, next } of open) {
      const after = before.copy();
      if (after.apply(next.call) !== next.answered) continue;
      const rest = explore(
        after,
        positions.map((position, lane) => (lane === index ? position + 1 : position)),
      );
      if (rest) return [next.call, ...rest];
    }
    barren.add(place);
    return undefined;
  }

  return explore(
    model,
    lanes.map(() => 0),
  );
}
