// @ts-nocheck
import { bindCalls } from "../contract/bind-calls.ts";
import { contract, operatorContract, type Network, type Operator } from "../contract/index.ts";
import type { Endpoint, EndpointGroups, ParsedInputOf } from "../contract/endpoint.ts";
import { AppError } from "../errors.ts";
import { seconds } from "../clock.ts";
import type { ApiContext, ReadScope } from "./context.ts";
import type { KeptAnswer } from "./kept/kept-answer.ts";
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
  /** The same, as JSON text: what is stored as text is not parsed on its way. */
  callText(endpoint: Endpoint, input: unknown, caller?: number): Promise<string>;
  /** The whole answer as HTTP sends it, where it is kept made. */
  callKept(endpoint: Endpoint, input: unknown): Promise<KeptAnswer | undefined>;
}

/** A call that may go on to its operation. */
interface Admitted {
  operation: Operation<Endpoint>;
  parsed: ParsedInputOf<Endpoint>;
  scope: ReadScope;
}

export function createApi(context: ApiContext): Api {
  const operations = new Map([
    ...pairOperations(contract, networkOperations),
    ...pairOperations(operatorContract, operatorOperations),
  ]);

  function admit(endpoint: Endpoint, input: unknown, caller: number): Admitted {
    const operation = operations.get(endpoint);
    if (!operation) throw new Error(`no operation stands behind ${endpoint.method} ${endpoint.path}`);
    if (endpoint.auth === "app_key" && caller === 0) {
      throw new AppError("invalid_auth_token", "This call needs a bearer token.");
    }
    const scope: ReadScope = { context, db: context.database.query, caller, now: seconds(context.clock) };
    return { operation, parsed: parseInput(endpoint, input), scope };
  }

  async function perform({ operation, parsed, scope }: Admitted): Promise<unknown> {
    if (operation.kind === "read") return operation.run(scope, parsed);
    const prepared = await operation.prepare?.(context, parsed, scope.caller);
    return context.database.transaction((db) => operation.run({ ...scope, db }, parsed, prepared));
  }

  async function call(endpoint: Endpoint, input: unknown, caller = 0): Promise<unknown> {
    return perform(admit(endpoint, input, caller));
  }

  async function callText(endpoint: Endpoint, input: unknown, caller = 0): Promise<string> {
    const admitted = admit(endpoint, input, caller);
    const { operation, parsed, scope } = admitted;
    if (operation.kind === "read" && operation.text) return operation.text(scope, parsed);
    return JSON.stringify(await perform(admitted));
  }

  async function callKept(endpoint: Endpoint, input: unknown): Promise<KeptAnswer | undefined> {
    const kept = operations.get(endpoint);
    if (kept?.kind !== "read" || !kept.kept) return undefined;
    const { parsed, scope } = admit(endpoint, input, 0);
    return kept.kept(scope, parsed);
  }

  return {
    call,
    callText,
    callKept,
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
