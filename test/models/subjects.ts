import { castVisibility } from "./casts.ts";
import { keyRequests } from "./key-requests.ts";
import { membership } from "./membership.ts";
import { type Runs, runAtOnce, runInOrder } from "./run-model.ts";
import { names } from "./names.ts";
import type { Subject } from "./model.ts";

/** A state of interface.md that has a model, ready to run. */
export interface ModelRun {
  title: string;
  inOrder: (runs: Runs) => Promise<number>;
  atOnce: (runs: Runs) => Promise<number>;
}

const ready = <Call>(subject: Subject<Call>): ModelRun => ({
  title: subject.title,
  inOrder: (runs) => runInOrder(subject, runs),
  atOnce: (runs) => runAtOnce(subject, runs),
});

export const modelRuns: ModelRun[] = [
  ready(membership),
  ready(castVisibility),
  ready(names),
  ready(keyRequests),
];
