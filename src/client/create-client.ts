import { liveContract, type LiveCalls } from "../contract/channel-events.ts";
import { bindCalls, type CallOptions, type Endpoint } from "../contract/endpoint.ts";
import { contract, operatorContract, type Network, type Operator } from "../contract/index.ts";
import { systemClock } from "../clock.ts";
import { hub } from "../contract/hub.ts";
import { AppError, asAppError, isOfService } from "../errors.ts";
import { isThisMachine } from "../listening.ts";
import { silentLog } from "../log.ts";
import { createCaller, type Caller, type CallerOptions, type Route } from "./create-caller.ts";
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

/** A service with its own headers. */
export interface Upstream {
  address: string;
  headers?: Readonly<Record<string, string>>;
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

/** Milliseconds until the first of several hubs is tried again after another took over. */
const firstAgainAfter = 5 * 60_000;

/**
 * Calls the hub that responded last, and the others if it fails or its response is not good enough: nodes of one
 * network give the same events the same ids. Each hub is called once, because the next is the retry. Throws the first error.
 */
function createHubCaller(call: Caller, options: ClientOptions) {
  const { hubUrl, hubShard, log = silentLog, clock = systemClock } = options;
  const given = typeof hubUrl === "string" ? [{ address: hubUrl }] : hubUrl;
  const hubs: Route[] = given.map(({ address, headers }) => ({
    address: readAddress(address),
    ...(headers && { headers }),
  }));
  const [preferred] = hubs;
  let current = preferred;
  let leftAt = -Infinity;

  const choose = (next: Route, why: unknown) => {
    if (next === current) return;
    log.warn({ hub: next.address, err: why }, "switched to another hub");
    current = next;
    leftAt = clock.monotonic();
  };
  const inTurn = (): Route[] => {
    const first = clock.monotonic() - leftAt >= firstAgainAfter ? preferred : current;
    if (first === preferred) leftAt = clock.monotonic();
    return [...new Set([first, current, ...hubs])].filter((each) => each !== undefined);
  };

  return async (endpoint: Endpoint, input: unknown, callOptions: CallOptions = {}): Promise<unknown> => {
    const complete = hubShard === undefined ? input : Object.assign({ shard_index: hubShard }, input);
    const own = hubs.length > 1 ? { ...callOptions, attempts: callOptions.attempts ?? 1 } : callOptions;
    const failures: unknown[] = [];
    let poor: { from: Route; answer: unknown } | undefined;
    for (const route of inTurn()) {
      try {
        const answer = await call(endpoint, route, complete, own);
        if (callOptions.accepts?.(answer) !== false) {
          choose(route, failures[0] ?? "the previous hub lags behind");
          return answer;
        }
        poor ??= { from: route, answer };
      } catch (error) {
        failures.push(error);
        if (callOptions.signal?.aborted || !mayAnotherAnswer(endpoint, error)) break;
      }
    }
    if (!poor) throw failures[0];
    choose(poor.from, failures[0]);
    return poor.answer;
  };
}

/** Whether another hub may succeed. A server without these two routes is not a hub. */
function mayAnotherAnswer(endpoint: Endpoint, error: unknown): boolean {
  const isNoHub = (endpoint === hub.info || endpoint === hub.events) && asAppError(error)?.status === 404;
  return isNoHub || isOfService(error);
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

/** A base address without trailing slash. Throws `invalid_configuration`. */
function readAddress(address: string): string {
  if (!URL.canParse(address) || !/^https?:/.test(address)) {
    throw new AppError("invalid_configuration", `"${address}" is not an http or https address.`);
  }
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/+$/, "");
}

/** Tokens name no audience, so anyone who sees one can use it: only https or this machine is allowed. */
function assertSafeForTokens(address: string): void {
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:" || isThisMachine(hostname)) return;
  throw new AppError("invalid_configuration", `Tokens cannot be sent to ${address}: use https.`);
}
