import pino, { type DestinationStream } from "pino";
import { insist } from "./last-words.ts";

/** Bytes that wait for a slow reader. */
const maxWaiting = 4 * 1024 * 1024;
/** Milliseconds until a reader that took nothing is tried again. */
const pause = 10;
/** The reader is slow, or the disk that the log goes to is full: that may pass. */
const passing: ReadonlySet<unknown> = new Set(["EAGAIN", "EBUSY", "ENOSPC", "EDQUOT"]);

/**
 * Standard error as a log's destination. A reader that is slow or has stopped neither stops the process nor fills its
 * memory: so much waits for it, further lines are dropped, and `onDropped` tells how many when it reads again. One that
 * is gone costs nothing. What waits when the process ends is offered for another two seconds.
 */
export function standardError(onDropped: (lines: number) => void): DestinationStream {
  // Asked for its stream, Node makes a pipe one that does not block; else a reader that stops would stop the process.
  process.stderr.on("error", () => {});
  const stream = pino.destination({
    dest: process.stderr.fd,
    sync: true,
    maxLength: maxWaiting,
    // It would sleep, and everybody with it.
    retryEAGAIN: () => false,
  });
  let dropped = 0;
  let isGone = false;
  let isWaiting = false;
  let again: NodeJS.Timeout | undefined;

  stream.on("drop", () => (dropped += 1));
  stream.on("drain", announceDropped);
  stream.on("error", (error: unknown) => {
    isWaiting = error instanceof Error && "code" in error && passing.has(error.code);
    isGone = !isWaiting;
    if (isWaiting) again ??= setTimeout(goOn, pause).unref();
  });
  process.once("exit", () => {
    const isDone = () => {
      goOn();
      return !isWaiting;
    };
    insist(isDone);
    announceDropped();
    insist(isDone);
  });

  function goOn(): void {
    again = undefined;
    isWaiting = false;
    // Nothing new: what waits is written.
    if (!isGone) stream.write("");
  }

  function announceDropped(): void {
    if (dropped === 0 || isWaiting || isGone) return;
    const lines = dropped;
    dropped = 0;
    onDropped(lines);
  }

  return { write: (line) => void (isGone || stream.write(line)) };
}
