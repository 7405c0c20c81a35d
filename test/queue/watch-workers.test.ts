import { afterEach, expect, test, vi } from "vitest";
import { createRunRecord, type RunRecord } from "../../src/queue/rest-after-failure.ts";
import { watchWorkers } from "../../src/queue/watch-workers.ts";
import { collectLog } from "../support/log.ts";

afterEach(() => vi.useRealTimers());

const limits = { check: 1_000, reconnect: 10_000, giveUp: 30_000, longestRun: 100_000 };

/** A worker that should run each second, under watch; `pass` lets time go by, during which `live` is done each second. */
function watched({ every }: { every?: number } = { every: 1_000 }) {
  vi.useFakeTimers();
  let now = 0;
  const record: RunRecord = createRunRecord();
  const { log, lines } = collectLog();
  const renewals: number[] = [];
  const ended: string[] = [];
  const watch = watchWorkers([{ name: "deliver", every, record, reconnect: () => renewals.push(now) }], {
    clock: { now: () => 0, monotonic: () => now },
    log,
    onFatal: ({ message }) => ended.push(message),
    limits,
  });
  return {
    record,
    renewals,
    ended,
    lines,
    late: () => watch.status()[0]?.late,
    pass: (seconds: number, live: () => void = () => {}) => {
      for (let second = 0; second < seconds; second += 1) {
        live();
        now += 1_000;
        vi.advanceTimersByTime(1_000);
      }
    },
    halt: (seconds: number) => {
      now += seconds * 1_000;
      vi.advanceTimersByTime(1_000);
    },
  };
}

test("a worker that runs is left alone, however long it has been up", () => {
  const { record, pass, renewals, ended, late } = watched();
  pass(600, () => (record.alive = true));
  expect([renewals, ended, late()]).toEqual([[], [], false]);
});

test("one that does not run is connected anew once, then the process ends with the reason, once", () => {
  const { pass, renewals, ended, late, lines } = watched();
  pass(14);
  expect([renewals.length, ended, late()]).toEqual([1, [], true]);
  pass(60);
  expect(renewals).toHaveLength(1);
  expect(ended).toEqual([expect.stringMatching(/^The worker deliver has not run for 3\d s: /)]);
  expect(lines).toHaveLength(1);
});

test("one that comes back is well again, and its next loss counts from the beginning", () => {
  const { record, pass, renewals, ended, late } = watched();
  pass(20);
  pass(1, () => (record.alive = true));
  expect(late()).toBe(false);
  pass(25);
  expect([renewals.length, ended]).toEqual([2, []]);
});

test("a process that was halted does not take that for its workers' fault", () => {
  const { pass, halt, record, ended, renewals } = watched();
  pass(3, () => (record.alive = true));
  halt(3600);
  pass(3, () => (record.alive = true));
  expect([renewals, ended]).toEqual([[], []]);
});

test("a long run is no silence; one that never ends is", () => {
  const { record, pass, ended, late } = watched();
  record.running = 1;
  record.alive = true;
  pass(90);
  expect(ended).toEqual([]);
  expect(late()).toBe(true);
  pass(20);
  expect(ended).toEqual([expect.stringMatching(/^A run of the worker deliver has not ended for 10\d s/)]);
});

test("runs that follow each other without a pause are not one long run", () => {
  const { record, pass, ended } = watched();
  record.running = 1;
  pass(300, () => (record.alive = true));
  expect(ended).toEqual([]);
});

test("a worker that only runs when woken is not missed", () => {
  const { pass, ended, renewals, late } = watched({});
  pass(600);
  expect([renewals, ended, late()]).toEqual([[], [], false]);
});
