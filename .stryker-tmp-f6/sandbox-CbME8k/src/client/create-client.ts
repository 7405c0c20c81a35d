// @ts-nocheck
import { bindCalls } from "../contract/bind-calls.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { contract, type Network } from "../contract/index.ts";
import { systemClock } from "../clock.ts";
import { AppError } from "../errors.ts";
import { assertSafeForTokens, readAddress } from "./address.ts";
import { createCaller, type CallerOptions, type Route } from "./create-caller.ts";
import { createTokenSource, type Signer } from "./token.ts";

export interface ClientOptions extends CallerOptions {
  clientUrl: string;
  registryUrl: string;
  hubUrl: string;
  /** The shard that hub calls name where their input does not. */
  hubShard?: number;
  /** Without it only what is public can be called. */
  signer?: Signer | undefined;
}

/** The network over HTTP: ours on another machine, or the live one. Throws `invalid_configuration` for bad addresses. */
export function createClient(options: ClientOptions): Network {
  const call = createCaller(options);
  const addresses = {
    client: readAddress(options.clientUrl),
    registry: readAddress(options.registryUrl),
    hub: readAddress(options.hubUrl),
  };
  if (options.signer) assertSafeForTokens(addresses.client);
  const token = options.signer && createTokenSource(options.signer, options.clock ?? systemClock);

  function findRoute(endpoint: Endpoint): Route {
    if (endpoint.interface === "operator") throw new Error("operator routes have a client of their own");
    const address = addresses[endpoint.interface];
    if (endpoint.auth === "none") return { address };
    if (!token) throw new AppError("invalid_auth_token", "This call needs a bearer token.");
    return { address, token };
  }

  return bindCalls(contract, async (endpoint, input, callOptions) => {
    const shard = endpoint.interface === "hub" ? options.hubShard : undefined;
    const complete = shard === undefined ? input : Object.assign({ shard_index: shard }, input);
    return call(endpoint, findRoute(endpoint), complete, callOptions);
    // bindCalls makes one function per endpoint of the contract, as Network says.
  }) as Network;
}
