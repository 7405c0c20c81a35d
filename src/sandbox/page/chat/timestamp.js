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

/** "3 hours ago"; UNIX milliseconds. */
export function describeDistance(moment, now) {
  const { amount, unit } = measure(moment, now);
  return relative.format(amount, unit);
}

/** Milliseconds until `describeDistance` says something else; at most a little too few. */
export function untilOtherWords(moment, now) {
  const { amount, length, larger } = measure(moment, now);
  // The next whole seconds of distance with other words; ahead of us they become fewer, behind us more.
  const next = amount > 0 ? amount * length - 1 : -Math.min((Math.abs(amount) + 1) * length, larger);
  return moment - (next + 0.5) * 1000 - now + 1;
}

function measure(moment, now) {
  const seconds = Math.round((moment - now) / 1000);
  const found = steps.findIndex(([, size]) => Math.abs(seconds) >= size);
  const at = found === -1 ? steps.length - 1 : found;
  const [unit, length] = steps[at];
  return { amount: Math.trunc(seconds / length), unit, length, larger: steps[at - 1]?.[1] ?? Infinity };
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
