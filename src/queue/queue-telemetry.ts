import { SpanKind, type Telemetry } from "bullmq";
import { currentSpan, startSpan, type Span } from "../spans.ts";

/** A span, or the `traceparent` of the one that added a job. */
type TraceContext = Span | string | undefined;
type QueueSpan = ReturnType<Telemetry<TraceContext>["tracer"]["startSpan"]>;

/**
 * BullMQ's other steps, such as fetching a job, are not interesting enough for a span. And what BullMQ reports about a job
 * may contain texts; `castellan:job.ended` does not.
 */
const noSpan: QueueSpan = {
  setSpanOnContext: (context: TraceContext) => context,
  setAttribute() {},
  setAttributes() {},
  addEvent() {},
  recordException() {},
  end() {},
};

/** Makes each job a span of the trace that woke its worker. BullMQ stores the trace with the job. */
export const queueTelemetry: Telemetry<TraceContext> = {
  contextManager: {
    with: (context: TraceContext, work) =>
      currentSpan.run(typeof context === "string" ? undefined : context, work),
    active: () => currentSpan.getStore(),
    root: () => undefined,
    getMetadata: (context: TraceContext) =>
      (typeof context === "string" ? context : context?.traceparent) ?? "",
    fromMetadata: (_active, traceparent) => traceparent,
  },
  tracer: {
    startSpan(name, options, parent) {
      if (options?.kind !== SpanKind.CONSUMER) return noSpan;
      const span = startSpan({ name, kind: "consumer", ...(typeof parent === "string" && { parent }) });
      return { ...noSpan, setSpanOnContext: () => span, end: () => span?.end() };
    },
  },
};
