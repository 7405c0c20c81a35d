import type { Endpoint, ParsedInputOf, ResultOf } from "../contract/endpoint.ts";
import type { Queryable, Tx } from "../database/database.ts";
import type { Authenticator } from "./authenticate.ts";
import type { ApiContext } from "./context.ts";
import type { RegistryWriter } from "./registry-writer.ts";

/** The in-memory state of a running network. */
export interface ApiState {
  authenticator: Authenticator;
  registryWriter: RegistryWriter;
}

/** Arguments of an operation: single statements outside transactions. */
export interface ReadScope extends ApiState {
  context: ApiContext;
  db: Queryable;
  /** The acting fid; 0 if the endpoint needs none. */
  caller: number;
  /** UNIX seconds. */
  now: number;
}

/** Arguments of a writing operation, with its transaction. */
export interface WriteScope extends ReadScope {
  db: Tx;
}

/** The implementation of one endpoint. */
export type Operation<E extends Endpoint> = ReadOperation<E> | WriteOperation<E> | UnmanagedOperation<E>;

/** Reads, outside transactions. */
export interface ReadOperation<E extends Endpoint> {
  kind: "read";
  run(scope: ReadScope, input: ParsedInputOf<E>): Promise<ResultOf<E>>;
  /** The result as JSON text, if it is stored that way. */
  text?(scope: ReadScope, input: ParsedInputOf<E>): Promise<string>;
}

/** Writes in one transaction. */
export interface WriteOperation<E extends Endpoint> {
  kind: "write";
  /** Runs before the transaction: for limits with their own transaction, and signatures. Throws to reject the call. */
  before?(scope: ReadScope, input: ParsedInputOf<E>): Promise<void>;
  run(scope: WriteScope, input: ParsedInputOf<E>): Promise<ResultOf<E>>;
}

/** Manages its own writes: several transactions, single statements, or work after the commit. */
export interface UnmanagedOperation<E extends Endpoint> {
  kind: "unmanaged";
  run(scope: ReadScope, input: ParsedInputOf<E>): Promise<ResultOf<E>>;
}

export function read<E extends Endpoint>(run: ReadOperation<E>["run"]): ReadOperation<E> {
  return { kind: "read", run };
}

/** For results that are stored as the text to send, validated when written. */
export function readText<E extends Endpoint>(text: Required<ReadOperation<E>>["text"]): ReadOperation<E> {
  return {
    kind: "read",
    // The writer validated it against this type.
    run: async (scope, input) => JSON.parse(await text(scope, input)) as ResultOf<E>,
    text,
  };
}

export function write<E extends Endpoint>(
  run: WriteOperation<E>["run"],
  before?: WriteOperation<E>["before"],
): WriteOperation<E> {
  return { kind: "write", run, ...(before && { before }) };
}

export function unmanaged<E extends Endpoint>(run: UnmanagedOperation<E>["run"]): UnmanagedOperation<E> {
  return { kind: "unmanaged", run };
}

type EndpointGroup = Record<string, Endpoint>;

/** An operation for each endpoint of a group. */
export type Operations<Group extends EndpointGroup> = { [N in keyof Group]: Operation<Group[N]> };

/** A group of the contract with its implementations. */
export interface Implementation<Group extends EndpointGroup = EndpointGroup> {
  endpoints: Group;
  operations: Operations<Group>;
}

/** Implements the endpoints of a group; a missing one does not compile. */
export function implement<Group extends EndpointGroup>(
  endpoints: Group,
  operations: Operations<Group>,
): Implementation<Group> {
  return { endpoints, operations };
}
