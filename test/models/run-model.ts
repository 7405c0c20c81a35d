import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import type { TestNetwork } from "../support/world.ts";
import type { Subject } from "./model.ts";
import { findSerialOrder } from "./serial-order.ts";

export interface Runs {
  network: TestNetwork;
  /** How many sequences. */
  runs: number;
  seed: number;
}

const callers = 8;
let scenes = 0;

/**
 * One call after the other: the network answers and ends as the model says. How many sequences were run; throws the
 * shrunk counterexample.
 */
export async function runInOrder<Call>(
  subject: Subject<Call>,
  { network, runs, seed }: Runs,
): Promise<number> {
  const before = scenes;
  await fc.assert(
    fc.asyncProperty(subject.calls, async (calls) => {
      const { model, perform, view } = await subject.prepare(network, ++scenes);
      for (const call of calls) {
        const expected = model.apply(call);
        const answered = await perform(call);
        if (answered !== expected)
          throw new Error(`${show(call)}: ${answered}, where the model says ${expected}`);
      }
      const [seen, expected] = [await view(), model.view()];
      if (!isDeepStrictEqual(seen, expected))
        throw new Error(`seen ${show(seen)}, expected ${show(expected)}`);
    }),
    { numRuns: runs, seed },
  );
  return scenes - before;
}

/** Eight callers at once: some order of one call after the other explains all answers and the end. As `runInOrder`. */
export async function runAtOnce<Call>(
  subject: Subject<Call>,
  { network, runs, seed }: Runs,
): Promise<number> {
  const before = scenes;
  const lane = (subject.callsAtOnce ?? subject.calls).map((calls) => calls.slice(0, 2));
  await fc.assert(
    fc.asyncProperty(fc.array(lane, { minLength: callers, maxLength: callers }), async (lanes) => {
      const { model, perform, view } = await subject.prepare(network, ++scenes);
      const performed = await Promise.all(
        lanes.map(async (calls) => {
          const answers = [];
          for (const call of calls) answers.push({ call, answered: await perform(call) });
          return answers;
        }),
      );
      const seen = await view();
      if (!findSerialOrder(model, performed, seen)) {
        throw new Error(`no order explains ${show(performed)} with the end ${show(seen)}`);
      }
    }),
    // What happened at once may not happen so again: a smaller case is worth little.
    { numRuns: runs, seed, endOnFailure: true },
  );
  return scenes - before;
}

const show = (value: unknown) => JSON.stringify(value);
