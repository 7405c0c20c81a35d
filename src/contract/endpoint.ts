import { z } from "zod";
import type { Refusal } from "../errors.ts";

/** Which of interface.md's three HTTP interfaces an endpoint belongs to, or our own operator routes. */
export type Interface = "client" | "registry" | "hub" | "operator";
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Auth = "none" | "app_key" | "operator";

export interface Paging {
  default: number;
  max: number;
}

/**
 * One endpoint of the network, declared once. The Fastify route, the in-process call and the HTTP client all
 * follow from it. `input` is one flat object: path parameters, then the query (GET) or the body.
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
  /** Further paths that serve the same. */
  aliases: readonly string[];
  /** The path that the client asks, where live services serve another than the specified one. */
  clientPath?: string | undefined;
  auth: Auth;
  summary: string;
  /** Where the input travels, path parameters apart. */
  carrier: "query" | "body";
  input: Input;
  result: Result;
  paginated: Pages;
  /** Calls that one source address may make over HTTP in so many seconds; unlimited when absent. */
  sourceLimit?: SourceLimit | undefined;
  /** Whether an answer over HTTP has an ETag, with which a client may ask whether it has changed. */
  tagged?: boolean | undefined;
  /** Reasons of its own for which a well-formed call may be refused, beside those that follow from its form. */
  refusals: readonly Refusal[];
}

export interface SourceLimit {
  calls: number;
  seconds: number;
}

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
  /** Page size; the endpoint's default when absent, clamped to its maximum. */
  limit?: number | string | undefined;
  /** `next.cursor` of the page before. */
  cursor?: string | undefined;
}

/** A page as it travels: `next` is absent on the last one. */
export interface Page<T> {
  result: T;
  next?: { cursor: string };
}

/** What the caller of an endpoint passes. */
export type InputOf<E extends Endpoint> = z.input<E["input"]> &
  (E["paginated"] extends Paging ? PageInput : unknown);

/** What an operation gets: parsed, with the page size settled. */
export type ParsedInputOf<E extends Endpoint> = z.output<E["input"]> &
  (E["paginated"] extends Paging ? { limit: number; cursor?: string } : unknown);

/** What the caller of an endpoint gets: the payload, in a page where the endpoint is paginated. */
export type ResultOf<E extends Endpoint> = E["paginated"] extends Paging
  ? Page<z.output<E["result"]>>
  : z.output<E["result"]>;

/** On whose behalf a network that is elsewhere is asked: a person, or a server as a whole. */
export interface Requester {
  guildId: string;
  userId?: string;
  /** Whether they are known to have rights in the server: then nobody without comes before them. */
  hasRights(this: void): Promise<boolean>;
}

export interface CallOptions<Result = unknown> {
  /** In-process calls cost nothing and go out whoever asks. */
  by?: Requester | undefined;
  /** Gives the call up. In-process calls are short and run to their end. */
  signal?: AbortSignal | undefined;
  /** How often it is asked at most, where no answer comes and it may be repeated. In-process calls are made once. */
  attempts?: number | undefined;
  /** Whether an answer of a hub will do: where not, another of several is asked. Where none has a better one, it is given. */
  accepts?(this: void, answer: Result): boolean;
  /**
   * Hears of each hub event that is left out of an answer, or reduced to its id and type; and of each row that is left out of
   * a list (`type` is the list's name then). In-process there is none.
   */
  onUnreadable?: ((event: UnreadableEvent) => void) | undefined;
}

/** A hub event of another make than its type says. */
export interface UnreadableEvent {
  /** null without a usable one: then the event is left out. */
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

/** One function per endpoint, grouped as the endpoints are: what `Calls` describes, over any transport. */
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
