import { afterEach, describe, expect, it } from "vitest";
import { silentLog } from "../../src/log.ts";
import { createMetrics, type Metrics } from "../../src/metrics/metrics.ts";
import { serveMetrics } from "../../src/metrics/serve-metrics.ts";
import { report } from "../../src/telemetry.ts";
import { readMetrics, valuesOf } from "../support/metrics.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

function open(): Metrics {
  const metrics = createMetrics({ role: "worker", version: "1.2.3" }, silentLog);
  opened.push(metrics);
  return metrics;
}

async function serve(metrics: Metrics): Promise<string> {
  const place = { host: "127.0.0.1", port: 0, hostSetting: "METRICS_HOST", portSetting: "METRICS_PORT" };
  const served = await serveMetrics(metrics, place, silentLog);
  opened.push(served);
  return served.address;
}

describe("GET /metrics", () => {
  it("says what runs, in a form that Prometheus reads, and is the only route", async () => {
    const address = await serve(open());
    const response = await fetch(address);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const found = readMetrics(await response.text());
    expect(found.get('castellan_build_info{role="worker",version="1.2.3"}')).toBe(1);
    expect(found.get("process_resident_memory_bytes")).toBeGreaterThan(0);
    expect((await fetch(new URL("/", address))).status).toBe(404);
    expect((await fetch(address, { method: "POST" })).status).toBe(404);
  });

  it("does not wait for what does not answer, nor ask it twice, and says so", async () => {
    const metrics = open();
    let asked = 0;
    metrics.addCollector("installation", () => {
      asked += 1;
      return new Promise(() => {});
    });
    metrics.addCollector("queues", () => Promise.reject(new Error("connect ECONNREFUSED")));
    metrics.addCollector("discord", () => [["castellan_discord_refused_calls", 7]]);
    const [one, other] = await Promise.all([metrics.scrape(), metrics.scrape()]);
    expect(one).toBe(other);
    const found = readMetrics(one);
    expect(found.get("castellan_database_up")).toBe(0);
    expect(valuesOf(one, "castellan_collector_ok")).toEqual({
      '{collector="installation"}': 0,
      '{collector="queues"}': 0,
      '{collector="discord"}': 1,
    });
    expect(found.get("castellan_discord_refused_calls")).toBe(7);
    expect(found.get("process_resident_memory_bytes")).toBeGreaterThan(0);
    expect(asked).toBe(1);
  });

  it("counts what is reported while it is open", async () => {
    const metrics = open();
    report("castellan:case.settled", { kind: "ban", state: "applied", outcome: "done" });
    report("castellan:interaction.acknowledged", { command: "ban", seconds: 0.2 });
    const text = await metrics.scrape();
    expect(valuesOf(text, "castellan_cases_settled_total")).toEqual({
      '{kind="ban",state="applied",outcome="done"}': 1,
    });
    expect(valuesOf(text, "castellan_command_acknowledgement_seconds_bucket")).toMatchObject({
      '{le="0.1",command="ban"}': 0,
      '{le="0.25",command="ban"}': 1,
    });
  });
});
