import pino, { type DestinationStream } from "pino";
import { insist } from "./last-words.ts";

/** Bytes buffered for a slow reader. */
const maxWaiting = 4 * 1024 * 1024;
/** Milliseconds before retrying a reader that accepted nothing. */
const pause = 10;
/** The reader is slow, or the log's disk is full; both may pass. */
const passing: ReadonlySet<unknown> = new Set(["EAGAIN", "EBUSY", "ENOSPC", "EDQUOT"]);

/**
 * Standard error as a log's destination. A slow or stopped reader neither blocks the process nor fills its memory: the
 * buffer is limited, further lines are dropped, and `onDropped` gets their number when the reader resumes. A closed
 * reader costs nothing. When the process ends, the buffer is offered for another two seconds.
 */
export function standardError(onDropped: (lines: number) => void): DestinationStream {
  // Accessing its stream makes Node set a pipe to non-blocking; otherwise a reader that stops would block the process.
  process.stderr.on("error", () => {});
  const stream = pino.destination({
    dest: process.stderr.fd,
    sync: true,
    maxLength: maxWaiting,
    // Pino's own retry would sleep and block the event loop.
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
    // Writing nothing flushes the buffer.
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
