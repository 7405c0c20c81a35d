/** How long ago something was, in the unit that fits: "vor 3 Std.", "hace 3 h". */
export function createAgo(locale: string): (seconds: number) => string {
  const format = new Intl.RelativeTimeFormat(locale, { style: "short" });
  return (seconds) => {
    if (seconds < 60) return format.format(-Math.max(Math.round(seconds), 1), "second");
    const hours = seconds / 3600;
    if (hours < 1) return format.format(-Math.round(seconds / 60), "minute");
    return hours < 48
      ? format.format(-Math.round(hours), "hour")
      : format.format(-Math.round(hours / 24), "day");
  };
}
