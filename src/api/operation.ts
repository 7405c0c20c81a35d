import type { Endpoint, EndpointGroups, ParsedInputOf, ResultOf } from "../contract/endpoint.ts";
import type { ApiContext, ReadScope, WriteScope } from "./context.ts";

/** What stands behind one endpoint. GET runs outside transactions, everything else inside one. */
export type Operation<E extends Endpoint> = ReadOperation<E> | WriteOperation<E>;

export interface ReadOperation<E extends Endpoint> {
  kind: "read";
  run(scope: ReadScope, input: ParsedInputOf<E>): Promise<ResultOf<E>>;
}

export interface WriteOperation<E extends Endpoint> {
  kind: "write";
  /**
   * Runs before the transaction what must not run inside it: limits with a transaction of their own, signatures.
   * `caller` is the acting fid. Throws to refuse.
   */
  prepare?(context: ApiContext, input: ParsedInputOf<E>, caller: number): Promise<void>;
  run(scope: WriteScope, input: ParsedInputOf<E>): Promise<ResultOf<E>>;
}

/** One operation for every endpoint of some groups: a missing one does not compile. */
export type Operations<Groups extends EndpointGroups> = {
  [G in keyof Groups]: { [N in keyof Groups[G]]: Operation<Groups[G][N]> };
};

export function read<E extends Endpoint>(_endpoint: E, run: ReadOperation<E>["run"]): ReadOperation<E> {
  return { kind: "read", run };
}

export function write<E extends Endpoint>(
  _endpoint: E,
  run: WriteOperation<E>["run"],
  prepare?: WriteOperation<E>["prepare"],
): WriteOperation<E> {
  return prepare ? { kind: "write", run, prepare } : { kind: "write", run };
}
