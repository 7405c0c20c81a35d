import { bindCalls, type Endpoint } from "../../contract/endpoint.ts";
import { contract, type Network } from "../../contract/index.ts";
import { AppError } from "../../errors.ts";

/** What a look may cost the network. */
export interface Budget {
  calls: number;
}

/** The same network, on which nothing can be done and only so much be asked; each call lowers what is left. */
export function readOnly(network: Network, budget: Budget): Network {
  const original: Record<string, Record<string, unknown>> = network;
  const names = new Map<Endpoint, [group: string, name: string]>();
  for (const [group, endpoints] of Object.entries(contract)) {
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) names.set(endpoint, [group, name]);
  }
  const calls = bindCalls(contract, async (endpoint, input, options) => {
    if (endpoint.method !== "GET") throw new Error(`a rehearsal called ${endpoint.method} ${endpoint.path}`);
    if (budget.calls <= 0) {
      throw new AppError("rate_limited", "The rehearsal has asked the network as often as it may.");
    }
    budget.calls -= 1;
    const [group = "", name = ""] = names.get(endpoint) ?? [];
    const call = original[group]?.[name];
    if (typeof call !== "function") throw new Error(`the network has no ${group}.${name}`);
    return call(input, options) as Promise<unknown>; // every call of a Network gives a promise
  });
  return calls as Network; // bindCalls gives for the contract what Network describes
}
