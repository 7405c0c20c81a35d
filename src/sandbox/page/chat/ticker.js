/** Who waits for a moment, and for which; all share one timer, for the earliest. */
const waiting = new Set();
let timer;
let setFor = Infinity;

/** Browsers take no longer delays than some weeks. Milliseconds. */
const longest = 3600_000;

/** Calls `wake` once, so many milliseconds from now; gives back how to call it off. */
export function wakeIn(delay, wake) {
  const one = { due: Date.now() + delay, wake };
  waiting.add(one);
  if (one.due < setFor) setTimer(one.due);
  return () => waiting.delete(one);
}

function setTimer(due) {
  clearTimeout(timer);
  setFor = due;
  timer = setTimeout(wakeDue, Math.min(Math.max(due - Date.now(), 0), longest));
}

function wakeDue() {
  setFor = Infinity;
  const now = Date.now();
  const due = [...waiting].filter((one) => one.due <= now);
  for (const one of due) {
    waiting.delete(one);
    one.wake();
  }
  let earliest = Infinity;
  for (const one of waiting) earliest = Math.min(earliest, one.due);
  if (earliest < setFor) setTimer(earliest);
}
