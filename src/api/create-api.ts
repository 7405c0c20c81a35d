import { bindCalls } from "../contract/bind-calls.ts";
import { contract, operatorContract, type Network, type Operator } from "../contract/index.ts";
import type { Endpoint, EndpointGroups } from "../contract/endpoint.ts";
import { AppError } from "../errors.ts";
import { seconds } from "../clock.ts";
import type { ApiContext } from "./context.ts";
import type { Operation, Operations } from "./operation.ts";
import { networkOperations, operatorOperations } from "./operations/index.ts";
import { parseInput } from "./parse-input.ts";

/** The embedded network: one implementation behind the in-process calls and behind HTTP. */
export interface Api {
  /** The network as a user sees it; without `fid` only what is public. */
  network(fid?: number): Network;
  operator: Operator;
  /** Calls an endpoint with unparsed input. `caller` is the fid that a token proved, if any. */
  call(endpoint: Endpoint, input: unknown, caller?: number): Promise<unknown>;
}

export function createApi(context: ApiContext): Api {
  const operations = new Map([
    ...pairOperations(contract, networkOperations),
    ...pairOperations(operatorContract, operatorOperations),
  ]);

  async function call(endpoint: Endpoint, input: unknown, caller = 0): Promise<unknown> {
    const operation = operations.get(endpoint);
    if (!operation) throw new Error(`no operation stands behind ${endpoint.method} ${endpoint.path}`);
    if (endpoint.auth === "app_key" && caller === 0) {
      throw new AppError("invalid_auth_token", "This call needs a bearer token.");
    }
    const parsed = parseInput(endpoint, input);
    const now = seconds(context.clock);
    if (operation.kind === "read") {
      return operation.run({ context, db: context.database.query, caller, now }, parsed);
    }
    const prepared = await operation.prepare?.(context, parsed, caller);
    return context.database.transaction((db) =>
      operation.run({ context, db, caller, now }, parsed, prepared),
    );
  }

  return {
    call,
    // The calls below are made from the same declarations that Network and Operator are derived from.
    network: (fid) => bindCalls(contract, (endpoint, input) => call(endpoint, input, fid)) as Network,
    operator: bindCalls(operatorContract, (endpoint, input) => call(endpoint, input))["operator"] as Operator,
  };
}

function pairOperations<Groups extends EndpointGroups>(
  groups: Groups,
  operations: Partial<Operations<Groups>>,
): [Endpoint, Operation<Endpoint>][] {
  return Object.entries(groups).flatMap(([group, endpoints]) =>
    Object.entries(endpoints).map(([name, endpoint]): [Endpoint, Operation<Endpoint>] => {
      // Operations<Groups> has exactly the names of Groups; parseInput gives each its own input type.
      return [endpoint, operations[group]?.[name] as unknown as Operation<Endpoint>];
    }),
  );
}
