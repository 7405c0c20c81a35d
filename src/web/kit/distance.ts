const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

interface Unit {
  name: Intl.RelativeTimeFormatUnit;
  seconds: number;
  /** Seconds in the next larger unit. */
  larger: number;
}

const years: Unit = { name: "year", seconds: 31_536_000, larger: Infinity };
const units: readonly Unit[] = [
  { name: "second", seconds: 1, larger: 60 },
  { name: "minute", seconds: 60, larger: 3600 },
  { name: "hour", seconds: 3600, larger: 86_400 },
  { name: "day", seconds: 86_400, larger: 2_592_000 },
  { name: "month", seconds: 2_592_000, larger: 31_536_000 },
  years,
];

/** "3 hours ago"; UNIX milliseconds. Rounded like Discord: in 59 minutes and 50 seconds becomes "in 1 hour". */
export function describeDistance(moment: number, now: number): string {
  const { amount, unit } = measure(moment, now);
  return relative.format(amount, unit.name);
}

/** Milliseconds until the result of `describeDistance` changes. */
export function untilOtherWords(moment: number, now: number): number {
  const { amount, unit } = measure(moment, now);
  const length = unit.seconds;
  const smaller = units[units.indexOf(unit) - 1]?.seconds;
  const seconds = (moment - now) / 1000;
  if (amount <= 0) return ((0.5 - amount) * length + seconds) * 1000 + 1;
  // The range of a unit's last number ends where the smaller unit takes over.
  const end =
    amount === 1 && smaller ? (Math.round(length / smaller) - 0.5) * smaller : (amount - 0.5) * length;
  return (seconds - end) * 1000 + 1;
}

/** In the smallest unit whose count is less than one of the next unit. */
function measure(moment: number, now: number): { amount: number; unit: Unit } {
  const seconds = (moment - now) / 1000;
  const countOf = (unit: Unit) => Math.round(Math.abs(seconds) / unit.seconds);
  const unit = units.find((one) => countOf(one) < Math.round(one.larger / one.seconds)) ?? years;
  const count = countOf(unit);
  return { amount: seconds < 0 && count > 0 ? -count : count, unit };
}
