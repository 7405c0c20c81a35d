const day = 24 * 3_600_000;
const week = 7 * day;
/** 1 January 1970 was a Thursday. */
const epochWeekday = 4;
const hour = 17;

/** Weekday (0 is Sunday) on which a week's winners are published, at 17:00 UTC (interface.md, "Limits"). */
export const refreshWeekdays = { creators: 2, developers: 3 } as const;

/** The time of the latest refresh, in UNIX milliseconds: periods that ended before it are visible. */
export function lastRefresh(now: number, weekday: number): number {
  const first = ((weekday - epochWeekday + 7) % 7) * day + hour * 3_600_000;
  return now - ((((now - first) % week) + week) % week);
}
