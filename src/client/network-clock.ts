import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { TimedAnswer } from "./exchange.ts";

/**
 * The network's time, for comparisons with its timestamps, whatever the machine's clock says. Between responses it
 * advances by monotonic time; until the first response it is the machine's.
 */
export interface NetworkClock extends Clock {
  /** Adds the time in a response to a call that began at `began` of `monotonic()`. */
  addSample(answer: Pick<TimedAnswer, "date" | "age">, began: number): void;
  /** Milliseconds by which the machine's clock is ahead of the network's, to about a second; 0 before any response. */
  machineAhead(): number;
  /** Discards earlier samples, for example after the machine slept, so that the next one counts alone. */
  reset(): void;
  /** Calls `listener` with the milliseconds by which this clock was corrected; negative if it was set back. */
  onCorrected(listener: (by: number) => void): void;
}

/** The median of these samples counts, so that a wrong or late one has no effect. */
const maxSamples = 7;
/** Smaller differences count as equal, because responses state whole seconds and take time. Milliseconds. */
const tolerance = 2_000;
/** Minimum correction to log, in milliseconds. */
const worthALine = 5_000;

export function createNetworkClock(machine: Clock, log: Log): NetworkClock {
  const listeners: ((by: number) => void)[] = [];
  /** The network's time minus `monotonic()`, from recent responses. */
  let samples: number[] = [];
  let ahead = machine.now() - machine.monotonic();
  // An integer, as columns require.
  const now = () => Math.round(machine.monotonic() + ahead);

  const correct = (wanted: number) => {
    const by = wanted - ahead;
    if (Math.abs(by) < tolerance) return;
    ahead = wanted;
    if (Math.abs(by) >= worthALine) {
      const machineAhead = Math.round((machine.now() - now()) / 1000);
      log.warn({ seconds: Math.round(by / 1000), machineAhead }, "clock corrected to the network's time");
    }
    for (const listener of listeners) listener(by);
  };

  return {
    now,
    monotonic: () => machine.monotonic(),
    addSample({ date, age }, began) {
      const named = Date.parse(date ?? "");
      if (Number.isNaN(named)) return;
      // A cache sends the original time of its response and its age.
      const sinceThen = /^\d{1,9}$/.test(age ?? "") ? Number(age) * 1000 : 0;
      const middle = (began + machine.monotonic()) / 2;
      samples = [...samples, named + sinceThen + 500 - middle].slice(-maxSamples);
      const sorted = samples.toSorted((one, other) => one - other);
      const median = sorted[(sorted.length - 1) >> 1];
      if (median !== undefined) correct(median);
    },
    machineAhead: () => machine.now() - now(),
    reset: () => {
      samples = [];
    },
    onCorrected: (listener) => void listeners.push(listener),
  };
}
