import type { Endpoint, ParsedInputOf, ResultOf } from "../contract/endpoint.ts";
import type { Queryable, Tx } from "../database/database.ts";
import type { Authenticator } from "./authenticate.ts";
import type { ApiContext } from "./context.ts";
import type { RegistryWriter } from "./registry-writer.ts";

/** What a running network keeps in memory. */
export interface ApiState {
  authenticator: Authenticator;
  registryWriter: RegistryWriter;
}

/** What an operation works on: single statements outside transactions. */
export interface ReadScope extends ApiState {
  context: ApiContext;
  db: Queryable;
  /** The acting fid; 0 where the endpoint needs none. */
  caller: number;
  /** UNIX seconds. */
  now: number;
}

/** What a writing operation works on: its transaction. */
export interface WriteScope extends ReadScope {
  db: Tx;
}

/** What stands behind one endpoint. */
export type Operation<E extends Endpoint> = ReadOperation<E> | WriteOperation<E> | UnmanagedOperation<E>;

/** Reads, outside transactions. */
export interface ReadOperation<E extends Endpoint> {
  kind: "read";
  run(scope: ReadScope, input: ParsedInputOf<E>): Promise<ResultOf<E>>;
  /** The result as JSON text, where it is stored as that. */
  text?(scope: ReadScope, input: ParsedInputOf<E>): Promise<string>;
}

/** Writes in one transaction. */
export interface WriteOperation<E extends Endpoint> {
  kind: "write";
  /** What must not run inside the transaction: limits with one of their own, signatures. Throws to refuse the call. */
  before?(scope: ReadScope, input: ParsedInputOf<E>): Promise<void>;
  run(scope: WriteScope, input: ParsedInputOf<E>): Promise<ResultOf<E>>;
}

/** Writes in its own way: in several transactions, in single statements, or with something to do after the commit. */
export interface UnmanagedOperation<E extends Endpoint> {
  kind: "unmanaged";
  run(scope: ReadScope, input: ParsedInputOf<E>): Promise<ResultOf<E>>;
}

export function read<E extends Endpoint>(run: ReadOperation<E>["run"]): ReadOperation<E> {
  return { kind: "read", run };
}

/** For what is stored as the text that is sent, validated when it was written. */
export function readText<E extends Endpoint>(text: Required<ReadOperation<E>>["text"]): ReadOperation<E> {
  return {
    kind: "read",
    // Its writer made it of this type.
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

/** A group of the contract with what stands behind it. */
export interface Implementation<Group extends EndpointGroup = EndpointGroup> {
  endpoints: Group;
  operations: Operations<Group>;
}

/** Puts operations behind the endpoints of a group: a missing one does not compile. */
export function implement<Group extends EndpointGroup>(
  endpoints: Group,
  operations: Operations<Group>,
): Implementation<Group> {
  return { endpoints, operations };
}
