import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { scrapeEverything } from "../support/every-metric.ts";
import { readMetrics } from "../support/metrics.ts";

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const { text, metrics } = await scrapeEverything();
const own = metrics.filter(({ name }) => name.startsWith("castellan_"));
const series = [...readMetrics(text).keys()].filter((name) => name.startsWith("castellan_"));

/** By metric, the labels that its series have. */
const labels = new Map(
  own.map(({ name }) => {
    const one = series.find((each) => each.replace(/_count(?=\{)/, "").startsWith(`${name}{`)) ?? "";
    return [name, [...one.matchAll(/(\w+)="/g)].map(([, label = ""]) => label)];
  }),
);

describe("metrics", () => {
  it("are named as Prometheus wants it, by what they count", () => {
    const wrong = own.filter(({ name, type }) => {
      if (type === "counter") return !name.endsWith("_total");
      if (type === "histogram") return !name.endsWith("_seconds");
      return /_(total|count|ms)$/.test(name);
    });
    expect(wrong).toEqual([]);
  });

  it("have labels of few values, none of which is a server, a room or a person", () => {
    const bounded =
      "role version collector check pool state shard kind rank waiting_reason queue route upstream command result server method code worker task outcome";
    expect([...new Set([...labels.values()].flat())].toSorted()).toEqual(bounded.split(" ").toSorted());
  });

  it("are all in docs/operate/monitoring.md, with their labels, and no others", () => {
    const rows = read("docs/operate/monitoring.md").matchAll(
      /^\| `(castellan_\w+)` +\| (\w+) +\| ([^|]*?) +\| (.*?) +\|$/gm,
    );
    const told = [...rows].map(([, name = "", type, given = "", help]) => [
      name,
      type,
      [...given.matchAll(/\w+/g)].map(([label]) => label),
      help,
    ]);
    const registered = own.map(({ name, type, help }) => [name, type, labels.get(name), help]);
    const byName = (one: unknown[], other: unknown[]) => String(one[0]).localeCompare(String(other[0]));
    expect(told.toSorted(byName)).toEqual(registered.toSorted(byName));
  });
});

const Alerts = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          annotations: z.object({ summary: z.string(), description: z.string(), runbook_url: z.string() }),
        }),
      ),
    }),
  ),
});
const alerts = Alerts.parse(parse(read("deploy/monitoring/alerts.yml"))).groups.flatMap(({ rules }) => rules);

describe("deploy/monitoring", () => {
  it.each(["alerts.yml", "dashboard.json"])("asks in %s only for metrics that there are", (file) => {
    const names = new Set(metrics.map(({ name }) => name));
    const asked = read(`deploy/monitoring/${file}`).matchAll(/\b(castellan|process|nodejs)_[a-z0-9_]+/g);
    const missing = [...asked].filter(([name]) => !names.has(name.replace(/_(bucket|count|sum)$/, "")));
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it("has for each alert a paragraph that says what to do", () => {
    const page = read("docs/operate/monitoring.md");
    const headings = [...page.matchAll(/^### (\w+)$/gm)].map(([, heading = ""]) => heading);
    expect(headings.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
    const wrong = alerts.filter(
      ({ alert, annotations }) =>
        annotations.runbook_url !== `docs/operate/monitoring.md#${alert.toLowerCase()}`,
    );
    expect(wrong).toEqual([]);
  });
});
