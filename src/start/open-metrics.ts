import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import { readChecks } from "../metrics/collectors.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Health } from "./health.ts";
import { metricsPlace } from "./network-settings.ts";
import type { Resources } from "./resources.ts";

/** Records this process's traces if OTEL_EXPORTER_OTLP_ENDPOINT is set. OpenTelemetry is loaded only then. */
export async function openTracing(
  build: { role: string; version: string },
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = {} }: Config,
  log: Log,
  resources: Resources,
): Promise<void> {
  if (endpoint === undefined) return;
  const { startTracing } = await import("../tracing/tracing.ts");
  resources.use(startTracing(build, { endpoint, headers }, log));
}

/** Serves this process's metrics if METRICS_PORT is set. The metrics code is loaded only then. */
export async function openMetrics(
  build: { role: string; version: string },
  { config, log, health }: { config: Config; log: Log; health: Health },
  resources: Resources,
): Promise<{ metrics: Metrics; address: string } | undefined> {
  const place = metricsPlace(config);
  if (!place) return undefined;
  const { createMetrics } = await import("../metrics/metrics.ts");
  const { serveMetrics } = await import("../metrics/serve-metrics.ts");
  const metrics = resources.use(createMetrics(build, log));
  metrics.addCollector("checks", async () => readChecks(await health.examineParts()));
  const { address } = resources.use(await serveMetrics(metrics, place, log));
  return { metrics, address };
}
