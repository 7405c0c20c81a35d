import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";

const styles = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};

/** Making one takes longer than all the rest of a moment's text. */
const formats = Object.fromEntries(
  Object.entries(styles).map(([style, options]) => [style, new Intl.DateTimeFormat("en", options)]),
);
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

const steps = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** A moment in one of Discord's styles; "R" says how long ago it is, and keeps saying so. */
export function Clock({ date, style }) {
  const [, tick] = useState(0);
  const moment = new Date(date);
  const known = !Number.isNaN(moment.getTime());
  useEffect(() => {
    if (style !== "R" || !known) return undefined;
    return wakeIn(untilOtherWords(moment.getTime(), Date.now()), () => tick((count) => count + 1));
  });
  if (!known) return html`<span>an unknown time</span>`;
  const text =
    style === "R"
      ? describeDistance(moment.getTime(), Date.now())
      : (formats[style] ?? formats.f).format(moment);
  return html`<time datetime=${moment.toISOString()} title=${formats.F.format(moment)}>${text}</time>`;
}

/** "3 hours ago"; UNIX milliseconds. Rounded as Discord does: in 59 minutes and 50 seconds is "in 1 hour". */
export function describeDistance(moment, now) {
  const { amount, unit } = measure(moment, now);
  return relative.format(amount, unit);
}

/** Milliseconds until `describeDistance` says something else. */
export function untilOtherWords(moment, now) {
  const { amount, at } = measure(moment, now);
  const seconds = (moment - now) / 1000;
  const [, length] = steps[at];
  const smaller = steps[at + 1]?.[1];
  if (amount <= 0) return ((0.5 - amount) * length + seconds) * 1000 + 1;
  // The last of a unit ends where the smaller units begin to be counted.
  const end =
    amount === 1 && smaller ? (Math.round(length / smaller) - 0.5) * smaller : (amount - 0.5) * length;
  return (seconds - end) * 1000 + 1;
}

/** From the smallest unit: the first of which fewer are counted than make one of the next. */
function measure(moment, now) {
  const seconds = (moment - now) / 1000;
  for (let at = steps.length - 1; ; at -= 1) {
    const [unit, length] = steps[at];
    const count = Math.round(Math.abs(seconds) / length);
    const enough = at === 0 ? Infinity : Math.round(steps[at - 1][1] / length);
    if (count < enough) return { amount: seconds < 0 && count > 0 ? -count : count, unit, at };
  }
}

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
