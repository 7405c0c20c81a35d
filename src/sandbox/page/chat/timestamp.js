import { useEffect, useState } from "preact/hooks";
import { wakeIn } from "./ticker.js";
import { html } from "htm/preact";

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
