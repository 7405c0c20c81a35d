import { subscribe, unsubscribe } from "node:diagnostics_channel";
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span as OpenTelemetrySpan,
  type Tracer,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import { withTimeout } from "../async.ts";
import type { Log } from "../log.ts";
import { currentSpan, newSpans, type NewSpan, type Span } from "../spans.ts";
import { reportRules, type Fields, type ReportRule } from "./report-rules.ts";

export interface Collector {
  /** The base address of OTLP over HTTP; /v1/traces is added. */
  endpoint: string;
  headers: Record<string, string>;
}

/** Milliseconds for the last spans when the process ends. */
const flushTimeoutMs = 900;
/** Milliseconds between two log lines about a collector that accepts no spans. */
const quietForMs = 60_000;

/**
 * Records spans and sends them to a collector in the background. If it is slow or away, spans are dropped and nothing
 * waits. OpenTelemetry reads its other variables, such as OTEL_TRACES_SAMPLER, from the environment.
 */
export function startTracing(
  { role, version }: { role: string; version: string },
  { endpoint, headers }: Collector,
  log: Log,
): { close(): Promise<void> } {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces`, headers });
  const own = { "service.name": "castellan", "service.version": version, "castellan.role": role };
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(own))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(logFailures(exporter, log))],
  });
  const tracer = provider.getTracer("castellan", version);
  newSpans.bindStore(currentSpan, (begun) => open(tracer, begun));
  const ends = reportRules.map(([name, rule]) => listen(name, rule, tracer));
  return {
    async close() {
      newSpans.unbindStore(currentSpan);
      for (const end of ends) end();
      const flushed = provider.shutdown().catch(() => {});
      await withTimeout(flushed, flushTimeoutMs, () => {});
    },
  };
}

class RecordedSpan implements Span {
  readonly #span: OpenTelemetrySpan;
  readonly traceId: string;
  readonly traceparent: string;

  constructor(span: OpenTelemetrySpan) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.#span = span;
    this.traceId = traceId;
    this.traceparent = `00-${traceId}-${spanId}-0${traceFlags & 1}`;
  }

  describe(attributes: Attributes, name: string | undefined): void {
    this.#span.setAttributes(attributes);
    if (name !== undefined) this.#span.updateName(name);
  }

  addEvent(name: string, attributes: Attributes): void {
    this.#span.addEvent(name, attributes);
  }

  /** Without the error, whose message may contain a text or a name. */
  fail(): void {
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(atMs?: number): void {
    this.#span.end(atMs);
  }
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

function open(tracer: Tracer, { name, kind, attributes, parent }: NewSpan, startTime?: number): RecordedSpan {
  const options = {
    ...(kind && { kind: kinds[kind] }),
    ...(attributes && { attributes }),
    ...(startTime !== undefined && { startTime }),
  };
  return new RecordedSpan(tracer.startSpan(name, options, contextOf(parent)));
}

/** Of this `traceparent`, or of the current span. */
function contextOf(parent = currentSpan.getStore()?.traceparent): Context {
  const [, traceId, spanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-0([01])$/.exec(parent ?? "") ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number(flags) });
}

/** Adds a kind of report to the traces. Returns a function that stops it. */
function listen(name: string, { as, name: nameOf, isFailed }: ReportRule, tracer: Tracer): () => void {
  const onReport = (message: unknown) => {
    const reported = message as Fields; // as `report` publishes it
    const { seconds = 0, ...fields } = reported;
    const attributes: Attributes = Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [`castellan.${field}`, value]),
    );
    const isOwn = as === "call" || as === "work";
    const nowMs = Date.now();
    const begun: NewSpan = { name, ...(as === "call" && { kind: "client" }) };
    const span = isOwn ? open(tracer, begun, nowMs - Number(seconds) * 1000) : currentSpan.getStore();
    if (!(span instanceof RecordedSpan)) return;
    if (as === "event") return span.addEvent(name, attributes);
    span.describe(attributes, nameOf?.(reported));
    if (isFailed?.(reported)) span.fail();
    if (isOwn) span.end(nowMs);
  };
  subscribe(name, onReport);
  return () => unsubscribe(name, onReport);
}

function logFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let quietUntil = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error && performance.now() >= quietUntil) {
          quietUntil = performance.now() + quietForMs;
          log.warn({ err: result.error }, "spans could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT");
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
