import { AsyncLocalStorage } from "node:async_hooks";
import { channel, type Channel } from "node:diagnostics_channel";

/**
 * A measured piece of work in a trace. Its name and attributes are of small fixed sets: none names a server, a room or a
 * person, and none contains a text that a person wrote.
 */
export interface Span {
  traceId: string;
  /** This span as the W3C's header. Work elsewhere that begins with it continues the trace. */
  traceparent: string;
  fail(): void;
  end(): void;
}

export interface NewSpan {
  name: string;
  kind?: "server" | "client" | "consumer";
  attributes?: Readonly<Record<string, string | number>>;
  /** The `traceparent` of the work it continues. Default: the current span's. */
  parent?: string | undefined;
}

/** The span that the code runs in; none without traces. */
export const currentSpan = new AsyncLocalStorage<Span | undefined>();

/** src/tracing binds `currentSpan` to this channel: running it with a new span starts the span. */
export const newSpans = channel("castellan:span.new") as Channel<Span | undefined, NewSpan>;

export const isTraced = (): boolean => newSpans.hasSubscribers;

/** Undefined without traces. The caller ends it. */
export function startSpan(begun: NewSpan): Span | undefined {
  return isTraced() ? newSpans.runStores(begun, () => currentSpan.getStore()) : undefined;
}

/** Runs work in a span of its own. */
export async function traced<T>(begun: NewSpan, work: () => Promise<T>): Promise<T> {
  const span = startSpan(begun);
  if (!span) return work();
  try {
    return await currentSpan.run(span, work);
  } catch (error) {
    span.fail();
    throw error;
  } finally {
    span.end();
  }
}
