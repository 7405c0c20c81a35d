/** What Prometheus reads of a scrape: values by series, `castellan_feed_waiting{rank="0"}`. Throws for a line that is none. */
export function readMetrics(text: string): ReadonlyMap<string, number> {
  const series = text.split("\n").flatMap((line): [string, number][] => {
    if (line === "" || /^# (HELP|TYPE) /.test(line)) return [];
    const [, name = "", value = ""] = /^([a-z_][a-z0-9_]*(?:\{[^}]*\})?) (\S+)$/.exec(line) ?? [];
    if (name === "") throw new Error(`not a line of metrics: ${line}`);
    return [[name, value === "Nan" ? Number.NaN : Number(value)]];
  });
  return new Map(series);
}

/** Of one metric: values by the text of its labels. */
export function valuesOf(text: string, metric: string): Record<string, number> {
  const found = [...readMetrics(text)].filter(([name]) => name === metric || name.startsWith(`${metric}{`));
  return Object.fromEntries(found.map(([name, value]) => [name.slice(metric.length), value]));
}
