import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Clock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import type { QueueHandle } from "../../src/queue/backend.ts";
import { createRunRecord } from "../../src/queue/rest-after-failure.ts";
import { runOnSchedule, type Schedule } from "../../src/queue/run-on-schedule.ts";

const every = 1_000;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A worker, of the only process where nothing else is said. Its queue tells when a run was asked for, as the nth interval; no run begins by itself. */
function startSchedule(given: Pick<Schedule, "isDue" | "hasNews">, alone = true) {
  const began = Date.now();
  const asked: number[] = [];
  const interval = () => Math.round((Date.now() - began) / every);
  const add = async () => void asked.push(interval());
  // Timers are early by a hair, as Node's are by up to a millisecond.
  const clock: Clock = { now: () => Date.now(), monotonic: () => (Date.now() - began) * 0.999 };
  const record = createRunRecord();
  const records = { getCompleted: async () => [], getJobCounts: async () => ({}) };
  const queue = { add, ...records } as unknown as QueueHandle;
  const { stop } = runOnSchedule({ ...given, queue, every, record, alone, clock, log: silentLog });
  return { asked, interval, record, stop };
}

test.each([
  ["of the only process", true],
  ["of several processes", false],
])(
  "whether a worker %s is due is asked after one interval, two and four, then every five seconds",
  async (_, alone) => {
    const questions: number[] = [];
    const isDue = async () => {
      questions.push(schedule.interval());
      return false;
    };
    const schedule = startSchedule({ isDue }, alone);
    await vi.advanceTimersByTimeAsync(19.5 * every);
    expect(schedule.asked).toEqual([0]);
    expect(questions).toEqual([1, 2, 4, 8, 13, 18]);
    schedule.stop();
  },
);

test("news that come while a run is at work are another run's, once", async () => {
  let news = false;
  const hasNews = () => {
    const had = news;
    news = false;
    return had;
  };
  const schedule = startSchedule({ hasNews });
  const { record, asked } = schedule;
  await vi.advanceTimersByTimeAsync(0.5 * every);
  record.begun = 1;
  news = true;
  // The queue drops what is asked for while a run is at work.
  await vi.advanceTimersByTimeAsync(3 * every);
  expect(asked).toEqual([0, 1, 2, 3]);
  record.begun = 2;
  await vi.advanceTimersByTimeAsync(10 * every);
  expect(asked).toEqual([0, 1, 2, 3]);
  schedule.stop();
});

test.each([60_000, 300_000])(
  "of several processes each hears soon that another did the run that it asked for, every %i ms",
  async (interval) => {
    const record = createRunRecord();
    let finishedOn = 0;
    const run = async () => {
      // Another process takes it, and is quick: by the next look of this one nobody is at it any more.
      setTimeout(() => (finishedOn = Date.now()), 100);
    };
    const queue = {
      add: run,
      getCompleted: async () => (finishedOn === 0 ? [] : [{ finishedOn, remove: async () => {} }]),
      getJobCounts: async () => ({ active: 0 }),
    } as unknown as QueueHandle;
    const clock: Clock = { now: () => Date.now(), monotonic: () => Date.now() };
    const { stop } = runOnSchedule({ queue, every: interval, record, alone: false, clock, log: silentLog });
    let idle = 0;
    let longest = 0;
    for (let second = 0; second < 1_200; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      idle = record.alive ? 0 : idle + 1;
      longest = Math.max(longest, idle);
      record.alive = false;
    }
    // It looks once a minute; watchWorkers worries 20 s after that.
    expect(longest).toBeLessThan(70);
    stop();
  },
);

test("a queue that does not answer is asked again soon, however long the interval", async () => {
  let isDown = false;
  let asked = 0;
  const answer = async <T>(value: T) => {
    asked += 1;
    if (isDown) throw new Error("the connection is lost");
    return value;
  };
  const queue = {
    add: () => answer(undefined),
    getCompleted: () => answer([{ finishedOn: Date.now(), remove: async () => {} }]),
    getJobCounts: () => answer({}),
  } as unknown as QueueHandle;
  const clock: Clock = { now: () => Date.now(), monotonic: () => Date.now() };
  const shared = { queue, every: 60_000, alone: false, clock, log: silentLog };
  const { stop } = runOnSchedule({ ...shared, record: createRunRecord() });
  await vi.advanceTimersByTimeAsync(1_000);
  isDown = true;
  asked = 0;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(1);
  isDown = false;
  await vi.advanceTimersByTimeAsync(6_000);
  expect(asked).toBe(2);
  stop();
});
