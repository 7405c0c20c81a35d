import { networkInterfaces } from "node:os";
import { bindCalls, type Endpoint } from "../contract/endpoint.ts";
import { contract, operatorContract, type Network, type Operator } from "../contract/index.ts";
import { systemClock } from "../clock.ts";
import { AppError } from "../errors.ts";
import { isLoopback } from "../listening.ts";
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

export interface OperatorClientOptions extends CallerOptions {
  url: string;
  /** The operator's token, as it is. */
  token: string;
}

/** An import of the largest file takes minutes (milliseconds). */
const patience = { attempt: 10 * 60_000, deadline: 15 * 60_000 };

/** The export of a network is as large as the network (bytes). */
const answerLimit = 2 ** 30;

/** The operator of an embedded network elsewhere. Throws `invalid_configuration` for an address unfit for tokens. */
export function createOperatorClient(options: OperatorClientOptions): Operator {
  const address = readAddress(options.url);
  assertSafeForTokens(address);
  const call = createCaller({
    answerLimit,
    ...options,
    timeouts: { ...patience, ...options.timeouts },
  });
  const route = { address, token: async () => options.token };
  const calls = bindCalls(operatorContract, (endpoint, input, callOptions) =>
    call(endpoint, route, input, callOptions),
  );
  // bindCalls makes one function per endpoint of the contract, as Operator says.
  return calls["operator"] as Operator;
}

/** A base address without trailing slash. Throws `invalid_configuration`. */
function readAddress(address: string): string {
  if (!URL.canParse(address) || !/^https?:/.test(address)) {
    throw new AppError("invalid_configuration", `"${address}" is not an http or https address.`);
  }
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/+$/, "");
}

/** Tokens name no audience, so whoever sees one may use it: https, or this machine, only. */
function assertSafeForTokens(address: string): void {
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:" || isLoopback(hostname) || isOfThisMachine(hostname)) return;
  throw new AppError("invalid_configuration", `Tokens are not sent to ${address}: use https.`);
}

/** What is sent to an address of one's own leaves the machine as little as what is sent to loopback. */
function isOfThisMachine(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  return Object.values(networkInterfaces()).some((own) => own?.some((each) => each.address === address));
}
