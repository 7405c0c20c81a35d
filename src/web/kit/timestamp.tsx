import { useEffect, useState } from "preact/hooks";
import { describeDistance, untilOtherWords } from "./distance.ts";

const full = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "short" });
const usual = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short" });
/** Discord's styles. Formats are reused, because creating one takes longer than everything else about a timestamp. */
const formats: Readonly<Record<string, Intl.DateTimeFormat>> = {
  t: new Intl.DateTimeFormat("en", { timeStyle: "short" }),
  T: new Intl.DateTimeFormat("en", { timeStyle: "medium" }),
  d: new Intl.DateTimeFormat("en", { dateStyle: "short" }),
  D: new Intl.DateTimeFormat("en", { dateStyle: "long" }),
  f: usual,
  F: full,
};

/** A time in one of Discord's styles; "R" shows the distance from now and keeps it current. */
export function Clock({ date, style }: { date: string | number; style: string }) {
  const [, tick] = useState(0);
  const moment = new Date(date);
  const known = !Number.isNaN(moment.getTime());
  useEffect(() => {
    if (style !== "R" || !known) return undefined;
    return wakeIn(untilOtherWords(moment.getTime(), Date.now()), () => tick((count) => count + 1));
  });
  if (!known) return <span>an unknown time</span>;
  const text =
    style === "R" ? describeDistance(moment.getTime(), Date.now()) : (formats[style] ?? usual).format(moment);
  return (
    <time datetime={moment.toISOString()} title={full.format(moment)}>
      {text}
    </time>
  );
}

interface Waiting {
  /** UNIX milliseconds. */
  due: number;
  wake: () => void;
}

/** All share one timer, for the earliest. */
const waiting = new Set<Waiting>();
let timer: ReturnType<typeof setTimeout> | undefined;
let setFor = Infinity;

/** Browsers limit delays to a few weeks. */
const maxDelayMs = 3600_000;

/** Calls `wake` once, after that many milliseconds; returns a function that cancels it. */
export function wakeIn(delay: number, wake: () => void): () => void {
  const one = { due: Date.now() + delay, wake };
  waiting.add(one);
  if (one.due < setFor) setTimer(one.due);
  return () => void waiting.delete(one);
}

function setTimer(due: number): void {
  clearTimeout(timer);
  setFor = due;
  timer = setTimeout(wakeDue, Math.min(Math.max(due - Date.now(), 0), maxDelayMs));
}

function wakeDue(): void {
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
