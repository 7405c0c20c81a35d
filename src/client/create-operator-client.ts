import { bindCalls } from "../contract/bind-calls.ts";
import { operatorContract, type Operator } from "../contract/index.ts";
import { assertSafeForTokens, readAddress } from "./address.ts";
import { createCaller, type CallerOptions } from "./create-caller.ts";

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
