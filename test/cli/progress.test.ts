import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createProgress } from "../../src/cli/progress.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What is written to a stream that is a terminal or not. */
function listen(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY });
  // The parts of a terminal that are used.
  const out = stream as unknown as NodeJS.WriteStream;
  return { progress: createProgress(out), read: () => String(stream.read() ?? "") };
}

it("on a terminal writes one line over and over, with the seconds of what is waited for", () => {
  const { progress, read } = listen(true);
  progress.say("[###] 10 KiB sent");
  progress.wait("Storing");
  vi.advanceTimersByTime(2000);
  expect(read()).toBe(
    `\r[###] 10 KiB sent\r${"Storing: 0 s".padEnd(17)}\r${"Storing: 1 s".padEnd(17)}\r${"Storing: 2 s".padEnd(17)}`,
  );
  progress.end();
  expect(read()).toBe("\n");
  vi.advanceTimersByTime(60_000);
  expect(read()).toBe("");
});

it("elsewhere says every ten seconds that it waits, and nothing of what is quick", () => {
  const { progress, read } = listen(false);
  progress.say("[###] 10 KiB sent");
  progress.wait("Storing");
  expect(read()).toBe("");
  vi.advanceTimersByTime(20_000);
  expect(read()).toBe("Storing: 10 s\nStoring: 20 s\n");
  progress.end();
  expect(read()).toBe("");
});
