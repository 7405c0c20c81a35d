// @ts-nocheck
import type { Endpoint, EndpointGroups, ParsedInputOf, ResultOf } from "../contract/endpoint.ts";
import type { ApiContext, ReadScope, WriteScope } from "./context.ts";
import type { KeptAnswer } from "./kept/kept-answer.ts";

/** What stands behind one endpoint. GET runs outside transactions, everything else inside one. */
export type Operation<E extends Endpoint> = ReadOperation<E> | WriteOperation<E>;

export interface ReadOperation<E extends Endpoint> {
  kind: "read";
  run(scope: ReadScope, input: ParsedInputOf<E>): Promise<ResultOf<E>>;
  /** The result as JSON text, where it is stored as that. */
  text?(scope: ReadScope, input: ParsedInputOf<E>): Promise<string>;
  /** The answer as HTTP sends it, where it is kept made; undefined for a question whose answers are not. */
  kept?(scope: ReadScope, input: ParsedInputOf<E>): Promise<KeptAnswer | undefined>;
}

export interface WriteOperation<E extends Endpoint, Prepared = unknown> {
  kind: "write";
  /**
   * Runs before the transaction what must not run inside it: limits with a transaction of their own, signatures.
   * `caller` is the acting fid. Throws to refuse; what it returns is handed to `run`.
   */
  prepare?(context: ApiContext, input: ParsedInputOf<E>, caller: number): Promise<Prepared>;
  run(scope: WriteScope, input: ParsedInputOf<E>, prepared: Prepared): Promise<ResultOf<E>>;
}

/** One operation for every endpoint of some groups: a missing one does not compile. */
export type Operations<Groups extends EndpointGroups> = {
  [G in keyof Groups]: { [N in keyof Groups[G]]: Operation<Groups[G][N]> };
};

export function read<E extends Endpoint>(_endpoint: E, run: ReadOperation<E>["run"]): ReadOperation<E> {
  return { kind: "read", run };
}

/** For what is stored as the text that is sent, validated when it was written. */
export function readText<E extends Endpoint>(
  _endpoint: E,
  text: Required<ReadOperation<E>>["text"],
  kept?: ReadOperation<E>["kept"],
): ReadOperation<E> {
  const run = async (scope: ReadScope, input: ParsedInputOf<E>) =>
    // Its writer made it of this type.
    JSON.parse(await text(scope, input)) as ResultOf<E>;
  return { kind: "read", run, text, ...(kept && { kept }) };
}

export function write<E extends Endpoint, Prepared = void>(
  _endpoint: E,
  run: WriteOperation<E, Prepared>["run"],
  prepare?: WriteOperation<E, Prepared>["prepare"],
): WriteOperation<E, Prepared> {
  return prepare ? { kind: "write", run, prepare } : { kind: "write", run };
}

/** An operation that opens transactions of its own: several, or one with something to do after its commit. */
export function ownTransactions<E extends Endpoint>(
  _endpoint: E,
  run: ReadOperation<E>["run"],
): ReadOperation<E> {
  return { kind: "read", run };
}
