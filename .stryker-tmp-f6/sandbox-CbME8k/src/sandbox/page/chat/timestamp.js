// @ts-nocheck
import { useEffect, useState } from "preact/hooks";
import { html } from "htm/preact";

const formats = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};

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
  useEffect(() => {
    if (style !== "R") return undefined;
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [style]);
  const moment = new Date(date);
  if (Number.isNaN(moment.getTime())) return html`<span>an unknown time</span>`;
  const full = new Intl.DateTimeFormat("en", formats.F).format(moment);
  const text =
    style === "R"
      ? relative(moment)
      : new Intl.DateTimeFormat("en", formats[style] ?? formats.f).format(moment);
  return html`<time datetime=${moment.toISOString()} title=${full}>${text}</time>`;
}

function relative(moment) {
  const seconds = Math.round((moment - Date.now()) / 1000);
  const [unit, length] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.trunc(seconds / length), unit);
}
