import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { TimedAnswer } from "./exchange.ts";

/**
 * The time by which a network stamps what happens in it: what to compare its times with, whatever the machine's own clock
 * says. Between answers it goes on by time that cannot jump; until the first answer it is the machine's.
 */
export interface NetworkClock extends Clock {
  /** The time that an answer of the network names, to a call that began at `began` of `monotonic()`. */
  addSample(answer: Pick<TimedAnswer, "date" | "age">, began: number): void;
  /** How far the machine's clock is ahead of the network's, in milliseconds, to about a second; 0 before any answer. */
  machineAhead(): number;
  /** Forgets what older answers said, as when the machine slept: the next one counts alone. */
  reset(): void;
  /** Calls `listener` with the milliseconds by which this clock was moved; negative when it was set back. */
  onCorrected(listener: (by: number) => void): void;
}

/** Answers whose middle is believed: one that lies, or comes late, moves nothing. */
const maxSamples = 7;
/** An answer names whole seconds, and took a while: what differs by less is the same time. Milliseconds. */
const tolerance = 2_000;
/** A correction that is worth a line in the log, in milliseconds. */
const worthALine = 5_000;

export function createNetworkClock(machine: Clock, log: Log): NetworkClock {
  const listeners: ((by: number) => void)[] = [];
  /** Of what answers said lately: the network's time less `monotonic()`. */
  let samples: number[] = [];
  let ahead = machine.now() - machine.monotonic();
  // Whole, as the times of any clock are: columns take nothing else.
  const now = () => Math.round(machine.monotonic() + ahead);

  const correct = (wanted: number) => {
    const by = wanted - ahead;
    if (Math.abs(by) < tolerance) return;
    ahead = wanted;
    if (Math.abs(by) >= worthALine) {
      const machineAhead = Math.round((machine.now() - now()) / 1000);
      log.warn({ seconds: Math.round(by / 1000), machineAhead }, "the time is corrected by the network's");
    }
    for (const listener of listeners) listener(by);
  };

  return {
    now,
    monotonic: () => machine.monotonic(),
    addSample({ date, age }, began) {
      const named = Date.parse(date ?? "");
      if (Number.isNaN(named)) return;
      // A cache gives the time of the answer that it keeps, and how old it is.
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
