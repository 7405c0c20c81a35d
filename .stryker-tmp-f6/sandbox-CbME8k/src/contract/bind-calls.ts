// @ts-nocheck
import type { CallOptions, Endpoint, EndpointGroups } from "./endpoint.ts";

export type BoundCall = (input: unknown, options?: CallOptions) => Promise<unknown>;

/** One function per endpoint, grouped as the endpoints are: what `Calls` describes, over any transport. */
export function bindCalls(
  groups: EndpointGroups,
  call: (endpoint: Endpoint, input: unknown, options?: CallOptions) => Promise<unknown>,
): Record<string, Record<string, BoundCall>> {
  return mapValues(groups, (endpoints) =>
    mapValues(
      endpoints,
      (endpoint): BoundCall =>
        (input, options) =>
          call(endpoint, input, options),
    ),
  );
}

function mapValues<T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
