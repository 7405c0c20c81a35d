import { bindCalls, type CallOptions, type Endpoint, type Requester } from "./endpoint.ts";
import { contract, type Network } from "./index.ts";

/** The same network, with calls on behalf of `by` unless a call says otherwise. */
export function onBehalfOf(network: Network, by: Requester): Network {
  return withOptions(network, (_, options) => ({ by, ...options }));
}

/** The same network, whose calls get the options that `change` returns; it may refuse a call by throwing. */
export function withOptions(
  network: Network,
  change: (endpoint: Endpoint, options: CallOptions | undefined) => CallOptions | undefined,
): Network {
  const original: Record<string, Record<string, unknown>> = network;
  const names = new Map<Endpoint, [group: string, name: string]>();
  for (const [group, endpoints] of Object.entries(contract)) {
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) names.set(endpoint, [group, name]);
  }
  const calls = bindCalls(contract, async (endpoint, input, options) => {
    const [group = "", name = ""] = names.get(endpoint) ?? [];
    const call = original[group]?.[name];
    if (typeof call !== "function") throw new Error(`the network has no ${group}.${name}`);
    return call(input, change(endpoint, options)) as Promise<unknown>; // every call of a Network returns a promise
  });
  return calls as Network; // bindCalls of the contract returns a Network
}
