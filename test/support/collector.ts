import { z } from "zod";
import { startFarNetwork, type FarNetwork } from "./far-network.ts";

const Attributes = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .default([])
  .transform((pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]])));

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const nanoseconds = z.string().regex(/^\d{19}$/);

/** A span as OTLP over HTTP carries it in JSON (opentelemetry.io/docs/specs/otlp, opentelemetry/proto/trace/v1). */
const Span = z.object({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: hex(16).optional(),
  name: z.string(),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes: Attributes,
  events: z.array(z.object({ name: z.string(), attributes: Attributes })).default([]),
  status: z.object({ code: z.int().optional() }).default({}),
});
export type CollectedSpan = z.output<typeof Span>;

const Sent = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
});

export interface Collector extends FarNetwork {
  /** What was sent so far. */
  spans(): CollectedSpan[];
  resource(): Record<string, unknown>;
}

/** A collector of OpenTelemetry's traces on loopback, which accepts everything at first. */
export async function startCollector(): Promise<Collector> {
  const far = await startFarNetwork();
  far.answer([200, {}]);
  const sent = () =>
    far.requests
      .filter(({ method, path }) => method === "POST" && path === "/v1/traces")
      .flatMap(({ body }) => Sent.parse(body).resourceSpans);
  return {
    ...far,
    spans: () => sent().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resource: () => sent()[0]?.resource.attributes ?? {},
  };
}

/** Of each span its name, below the name of its parent: "parent > child". */
export function shapeOf(spans: readonly CollectedSpan[]): string[] {
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  return spans
    .map(({ parentSpanId, name }) =>
      parentSpanId === undefined ? name : `${names.get(parentSpanId) ?? "unknown"} > ${name}`,
    )
    .toSorted();
}
