// @ts-nocheck
import type { Network } from "../../src/contract/index.ts";

/** The same network, which writes down every call: "channels.get". */
export function watchNetwork(network: Network, called: string[]): Network {
  const groups = Object.entries(network).map(([group, calls]) => {
    // Every entry of a group is a call.
    const entries = Object.entries(calls as Record<string, (...given: unknown[]) => unknown>);
    const watched = entries.map(([name, call]) => [
      name,
      (...given: unknown[]) => {
        called.push(`${group}.${name}`);
        return call(...given);
      },
    ]);
    return [group, Object.fromEntries(watched)];
  });
  return Object.fromEntries(groups) as Network; // the groups and calls of the one given
}
