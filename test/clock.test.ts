import { afterEach, expect, test, vi } from "vitest";
import { systemClock, watchClock, type ClockJump, type ClockWatch } from "../src/clock.ts";
import { createTestClock, type TestClock } from "./support/world.ts";
import { collectLog } from "./support/log.ts";

const day = 86_400;
let watch: ClockWatch | undefined;

afterEach(() => watch?.close());

/** The jumps that are noticed, and what is logged, when `happen` happens between two looks. */
function watchWhile(happen: (clock: TestClock) => void) {
  const clock = createTestClock();
  const { log, lines } = collectLog();
  watch = watchClock(clock, log);
  const jumps: ClockJump[] = [];
  watch.onJump((jump) => jumps.push(jump));
  happen(clock);
  watch.look();
  watch.look();
  return { clock, jumps, lines, latest: watch.latest() };
}

test.each([30, -30, 7200, -3600, day, -day])("a clock set by %i s is noticed once and remembered", (by) => {
  const { clock, jumps, lines, latest } = watchWhile((own) => {
    own.advance(1);
    own.jump(by);
  });
  expect(jumps).toEqual([{ at: clock.now(), by: by * 1000 }]);
  expect(latest).toEqual(jumps[0]);
  expect(lines).toMatchObject([{ seconds: by }]);
});

test.each([
  ["time that passes, however long a look is late", (own: TestClock) => own.advance(3 * day)],
  ["a small correction", (own: TestClock) => own.jump(-2)],
])("%s is no jump", (_, happen) => {
  const { jumps, lines, latest } = watchWhile(happen);
  expect({ jumps, lines, latest }).toEqual({ jumps: [], lines: [], latest: undefined });
});

test("a listener that fails keeps none of the others from hearing", () => {
  const clock = createTestClock();
  const { log, lines } = collectLog();
  watch = watchClock(clock, log);
  const heard: string[] = [];
  watch.onJump(() => {
    throw new Error("broken");
  });
  const leave = watch.onJump(() => heard.push("gone"));
  watch.onJump(() => heard.push("there"));
  leave();
  clock.jump(60);
  watch.look();
  expect(heard).toEqual(["there"]);
  expect(lines.at(-1)).toMatchObject({ err: { message: "broken" } });
});

test("the watch checks the clock periodically", async () => {
  const clock = createTestClock();
  watch = watchClock(clock, collectLog().log, 5);
  clock.jump(-3600);
  await vi.waitFor(() => expect(watch?.latest()?.by).toBe(-3_600_000), { timeout: 60_000 });
});

test("the machine's own time passes without jumps", async () => {
  const before = systemClock.monotonic();
  await vi.waitFor(() => expect(systemClock.monotonic()).toBeGreaterThan(before), { timeout: 60_000 });
});
