import { z } from "zod";
import type { Refusal } from "../errors.ts";

/** The interface that an endpoint belongs to: one of interface.md's three HTTP interfaces, or our operator routes. */
export type Interface = "client" | "registry" | "hub" | "operator";
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Auth = "none" | "app_key" | "operator";

export interface Paging {
  default: number;
  max: number;
}

/**
 * One endpoint of the network, declared once. The Fastify route, the in-process call and the HTTP client are all
 * derived from it. `input` is one flat object: path parameters, then the query (GET) or the body.
 */
export interface Endpoint<
  Input extends z.ZodObject = z.ZodObject,
  Result extends z.ZodType = z.ZodType,
  Pages extends Paging | undefined = Paging | undefined,
> {
  interface: Interface;
  method: Method;
  /** Path with parameters in braces: `/operator/casts/{hash}`. */
  path: string;
  /** Further paths that serve the same endpoint. */
  aliases: readonly string[];
  /** The path that the client calls, if live services serve a different one than specified. */
  clientPath?: string | undefined;
  auth: Auth;
  summary: string;
  /** Where the input is sent, except path parameters. */
  carrier: "query" | "body";
  input: Input;
  result: Result;
  paginated: Pages;
  /** Calls that one source address can make over HTTP in that many seconds; unlimited if absent. */
  sourceLimit?: SourceLimit | undefined;
  /** Calls that a caller can make in one channel within an hour, all writes to the path together; unknown if absent. */
  channelLimit?: number | undefined;
  /** Whether responses over HTTP have an ETag for conditional requests. */
  tagged?: boolean | undefined;
  /** The errors that a well-formed call can return, besides those that every such endpoint has. */
  refusals: readonly Refusal[];
}

export interface SourceLimit {
  calls: number;
  seconds: number;
}

/** A published limit of the calls in one channel within an hour. */
export interface ChannelLimit {
  /** Of the channel's calls in the budget. */
  name: string;
  calls: number;
}

/** Between the path and the channel in a name; no route has it. */
export const ofChannel = " of ";

interface EndpointDeclaration<Input, Result> {
  interface?: Interface;
  method: Method;
  path: string;
  aliases?: readonly string[];
  clientPath?: string;
  auth?: Auth;
  summary: string;
  carrier?: "query" | "body";
  input?: Input;
  result: Result;
  sourceLimit?: SourceLimit;
  channelLimit?: number;
  tagged?: boolean;
  refusals?: readonly Refusal[];
}

type NoInput = z.ZodObject<Record<never, never>>;

/** Declares an endpoint; GET reads its input from the query, every other method from the body. */
export function endpoint<Result extends z.ZodType, Input extends z.ZodObject = NoInput>(
  declaration: EndpointDeclaration<Input, Result> & { paginated: Paging },
): Endpoint<Input, Result, Paging>;
export function endpoint<Result extends z.ZodType, Input extends z.ZodObject = NoInput>(
  declaration: EndpointDeclaration<Input, Result>,
): Endpoint<Input, Result, undefined>;
export function endpoint(
  declaration: EndpointDeclaration<z.ZodObject, z.ZodType> & { paginated?: Paging },
): Endpoint {
  return {
    interface: "client",
    aliases: [],
    auth: "none",
    carrier: declaration.method === "GET" ? "query" : "body",
    input: z.object({}),
    paginated: undefined,
    refusals: [],
    ...declaration,
  };
}

export interface PageInput {
  /** Page size; default and maximum are the endpoint's. */
  limit?: number | string | undefined;
  /** `next.cursor` of the previous page. */
  cursor?: string | undefined;
}

/** A page as sent: `next` is absent on the last one. */
export interface Page<T> {
  result: T;
  next?: { cursor: string };
}

/** The input that an endpoint's caller passes. */
export type InputOf<E extends Endpoint> = z.input<E["input"]> &
  (E["paginated"] extends Paging ? PageInput : unknown);

/** The input that an operation receives: parsed, with a definite page size. */
export type ParsedInputOf<E extends Endpoint> = z.output<E["input"]> &
  (E["paginated"] extends Paging ? { limit: number; cursor?: string } : unknown);

/** The result that an endpoint's caller receives: the payload, in a page if the endpoint is paginated. */
export type ResultOf<E extends Endpoint> = E["paginated"] extends Paging
  ? Page<z.output<E["result"]>>
  : z.output<E["result"]>;

/** The person or server for which a remote network is called. */
export interface Requester {
  guildId: string;
  userId?: string;
  /** Whether they are known to have rights in the server, which gives their calls precedence. */
  hasRights(this: void): Promise<boolean>;
}

export interface CallOptions<Result = unknown> {
  /** Ignored in process, where calls cost nothing. */
  by?: Requester | undefined;
  /** Aborts the call. In-process calls are short and always finish. */
  signal?: AbortSignal | undefined;
  /** Maximum number of attempts for a call that can be repeated and gets no response. In-process calls are made once. */
  attempts?: number | undefined;
  /** Whether a hub's response is good enough. If not, another hub is called; if none has a better one, it is returned. */
  accepts?(this: void, answer: Result): boolean;
  /**
   * Called for each hub event that is omitted from a response or reduced to its id and type, and for each row omitted
   * from a list (`type` is then the list's name). Never called in process.
   */
  onUnreadable?: ((event: UnreadableEvent) => void) | undefined;
}

/** A hub event that does not match its type. */
export interface UnreadableEvent {
  /** null if there is no usable id; the event is then omitted. */
  id: number | null;
  type: string;
  reason: string;
}

export type EndpointGroups = Record<string, Record<string, Endpoint>>;

/** The calls of a contract: `network.channelBans.ban({ channelId, banFid })`. */
export type Calls<Groups extends EndpointGroups> = {
  [G in keyof Groups]: {
    [N in keyof Groups[G]]: (
      input: InputOf<Groups[G][N]>,
      options?: CallOptions<ResultOf<Groups[G][N]>>,
    ) => Promise<ResultOf<Groups[G][N]>>;
  };
};

export type BoundCall = (input: unknown, options?: CallOptions) => Promise<unknown>;

/** One function per endpoint, grouped like the endpoints: an implementation of `Calls` over any transport. */
export function bindCalls(
  groups: EndpointGroups,
  call: (endpoint: Endpoint, input: unknown, options?: CallOptions) => Promise<unknown>,
): Record<string, Record<string, BoundCall>> {
  return mapValues(groups, (endpoints) =>
    mapValues(
      endpoints,
      (endpoint): BoundCall =>
        (input, options) =>
          call(endpoint, input, options),
    ),
  );
}

function mapValues<T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

/** The name of a route in budgets and reports: its path, with the method if it writes. */
export function routeName({ method, path }: Pick<Endpoint, "method" | "path">): string {
  return method === "GET" ? path : `${method} ${path}`;
}
