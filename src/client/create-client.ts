import { liveContract, type LiveCalls } from "../contract/channel-events.ts";
import { bindCalls, type Endpoint } from "../contract/endpoint.ts";
import { contract, operatorContract, type Network, type Operator } from "../contract/index.ts";
import { systemClock } from "../clock.ts";
import { AppError } from "../errors.ts";
import { isThisMachine } from "../listening.ts";
import { createHubCaller, type Upstream } from "./choose-hub.ts";
import { createCaller, type CallerOptions, type Route } from "./create-caller.ts";
import { readAddress } from "./read-address.ts";
import { createTokenSource, type Signer } from "./token.ts";

export interface ClientOptions extends CallerOptions {
  clientUrl: string;
  registryUrl: string;
  /** The hub, or several of one network, tried in turn when one fails. */
  hubUrl: string | readonly Upstream[];
  /** The shard for hub calls whose input names none. */
  hubShard?: number;
  /** Without it, only public endpoints can be called. */
  signer?: Signer | undefined;
}

/** The network over HTTP: ours on another machine, or live. Throws `invalid_configuration` for invalid addresses. */
export function createClient(options: ClientOptions): Network & LiveCalls {
  const call = createCaller(options);
  const addresses = {
    client: readAddress(options.clientUrl),
    registry: readAddress(options.registryUrl),
  };
  const callHub = createHubCaller(call, options);
  if (options.signer) assertSafeForTokens(addresses.client);
  const token = options.signer && createTokenSource(options.signer, options.clock ?? systemClock);

  function findRoute(endpoint: Endpoint): Route {
    const { interface: of } = endpoint;
    if (of === "operator" || of === "hub") throw new Error(`${of} routes have a separate client`);
    const address = addresses[of];
    if (endpoint.auth === "none") return { address };
    if (!token) throw new AppError("invalid_auth_token", "This call needs a bearer token.");
    return { address, token };
  }

  return bindCalls({ ...contract, ...liveContract }, async (endpoint, input, callOptions) => {
    if (endpoint.interface === "hub") return callHub(endpoint, input, callOptions);
    return call(endpoint, findRoute(endpoint), input, callOptions);
    // bindCalls creates one function per endpoint of both contracts, as the types say.
  }) as Network & LiveCalls;
}

export interface OperatorClientOptions extends CallerOptions {
  url: string;
  /** The operator's token. */
  token: string;
}

/** Milliseconds; importing the largest file takes minutes. */
const defaultTimeouts = { attempt: 10 * 60_000, deadline: 15 * 60_000 };

/** Bytes; a network's export is as large as the network. */
const answerLimit = 2 ** 30;

/** The operator of a remote embedded network. Throws `invalid_configuration` if tokens are unsafe at the address. */
export function createOperatorClient(options: OperatorClientOptions): Operator {
  const address = readAddress(options.url);
  assertSafeForTokens(address);
  const call = createCaller({
    answerLimit,
    ...options,
    timeouts: { ...defaultTimeouts, ...options.timeouts },
  });
  const route = { address, token: async () => options.token };
  const calls = bindCalls(operatorContract, (endpoint, input, callOptions) =>
    call(endpoint, route, input, callOptions),
  );
  // bindCalls creates one function per endpoint of the contract, as Operator says.
  return calls["operator"] as Operator;
}

/** Tokens name no audience, so anyone who sees one can use it: only https or this machine is allowed. */
function assertSafeForTokens(address: string): void {
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:" || isThisMachine(hostname)) return;
  throw new AppError("invalid_configuration", `Tokens cannot be sent to ${address}: use https.`);
}
