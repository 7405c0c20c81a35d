import { z } from "zod";
import { explainIssue } from "../text/explain-issue.ts";
import { contract, operatorContract, type Network, type Operator } from "../contract/index.ts";
import {
  bindCalls,
  routeName,
  type Endpoint,
  type Paging,
  type ParsedInputOf,
} from "../contract/endpoint.ts";
import { AppError } from "../errors.ts";
import { seconds } from "../clock.ts";
import { traced } from "../spans.ts";
import { cutText } from "../text/message-text.ts";
import { findNear } from "../text/suggest.ts";
import { createAuthenticator } from "./authenticate.ts";
import type { ApiContext } from "./context.ts";
import type { ApiState, Implementation, Operation, ReadScope } from "./operation.ts";
import { networkOperations, operatorOperations } from "./operations/index.ts";
import { createRegistryWriter } from "./registry-writer.ts";

/** The embedded network: one implementation for calls in this process and over HTTP. */
export interface Api {
  /** The network as the user `fid` sees it; without `fid`, only public data. */
  network(fid?: number): Network;
  operator: Operator;
  /** Returns the fid that an Authorization header proves. Throws `invalid_auth_token`. */
  authenticate(header: string | undefined): Promise<number>;
  /** Calls an endpoint with unparsed input. `caller` is the fid that a token proved, if any. */
  call(endpoint: Endpoint, input: unknown, caller?: number): Promise<unknown>;
  /** The same with the result as JSON text; results that are stored as text are not parsed on the way. */
  callText(endpoint: Endpoint, input: unknown, caller?: number): Promise<string>;
  /** Number of completed write calls, except to these endpoints: if it has not changed, nothing was missed. */
  writes(this: void, besides?: readonly Endpoint[]): number;
}

/** A call that has passed the checks before its operation. */
interface Admitted {
  operation: Operation<Endpoint>;
  parsed: ParsedInputOf<Endpoint>;
  scope: ReadScope;
}

export function createApi(context: ApiContext): Api {
  const { database } = context;
  const state: ApiState = {
    authenticator: createAuthenticator(context),
    registryWriter: createRegistryWriter(context),
  };
  const writes = new Map<Endpoint, number>();
  const groups: Implementation[] = Object.values({ ...networkOperations, ...operatorOperations });
  const operations = new Map(groups.flatMap(pairEndpoints));

  function admit(endpoint: Endpoint, input: unknown, caller: number): Admitted {
    const operation = operations.get(endpoint);
    if (!operation) throw new Error(`no operation implements ${endpoint.method} ${endpoint.path}`);
    if (endpoint.auth === "app_key" && caller === 0) {
      throw new AppError("invalid_auth_token", "This call needs a bearer token.");
    }
    const now = seconds(context.clock);
    const scope = { ...state, context, db: database.query, caller, now };
    return { operation, parsed: parseInput(endpoint, input), scope };
  }

  async function perform(endpoint: Endpoint, { operation, parsed, scope }: Admitted): Promise<unknown> {
    if (operation.kind === "read") return operation.run(scope, parsed);
    try {
      if (operation.kind === "unmanaged") return await operation.run(scope, parsed);
      await operation.before?.(scope, parsed);
      return await database.transaction((db) => operation.run({ ...scope, db }, parsed));
    } finally {
      // Failed calls count too, because they may have written something.
      writes.set(endpoint, (writes.get(endpoint) ?? 0) + 1);
    }
  }

  async function call(endpoint: Endpoint, input: unknown, caller = 0): Promise<unknown> {
    return perform(endpoint, admit(endpoint, input, caller));
  }

  async function callText(endpoint: Endpoint, input: unknown, caller = 0): Promise<string> {
    const admitted = admit(endpoint, input, caller);
    const { operation, parsed, scope } = admitted;
    if (operation.kind === "read" && operation.text) return operation.text(scope, parsed);
    return JSON.stringify(await perform(endpoint, admitted));
  }

  return {
    call,
    writes: (besides = []) =>
      [...writes].reduce((sum, [endpoint, count]) => sum + (besides.includes(endpoint) ? 0 : count), 0),
    callText,
    authenticate: state.authenticator.authenticate,
    // These calls are built from the declarations that Network and Operator are derived from.
    network: (fid) =>
      bindCalls(contract, (endpoint, input) =>
        traced({ name: `network ${routeName(endpoint)}` }, () => call(endpoint, input, fid)),
      ) as Network,
    operator: bindCalls(operatorContract, (endpoint, input) => call(endpoint, input))["operator"] as Operator,
  };
}

function pairEndpoints({ endpoints, operations }: Implementation): [Endpoint, Operation<Endpoint>][] {
  return Object.entries(endpoints).flatMap(([name, endpoint]) => {
    const operation = operations[name];
    return operation ? [[endpoint, operation]] : [];
  });
}

const PageFields = z.object({
  limit: z
    .union([
      z.int().min(1),
      z
        .string()
        .regex(/^[1-9][0-9]{0,15}$/, "must be a whole number, at least 1, in digits")
        .transform(Number),
    ])
    .optional(),
  cursor: z.string().min(1).max(1024).optional(),
});

/** Parses a caller's input by the endpoint's schema; `invalid_request` names the first invalid field. */
export function parseInput(endpoint: Endpoint, input: unknown): ParsedInputOf<Endpoint> {
  const parsed = endpoint.input.safeParse(input ?? {});
  if (!parsed.success) throw describeIssue(findIssue(endpoint.input, input), endpoint, input);
  if (!endpoint.paginated) return parsed.data;
  return { ...parsed.data, ...parsePage(endpoint, endpoint.paginated, input) };
}

function parsePage(endpoint: Endpoint, paging: Paging, input: unknown): { limit: number; cursor?: string } {
  const page = PageFields.safeParse(input ?? {});
  if (!page.success) {
    const issue = findIssue(PageFields, input);
    if (issue?.path[0] === "cursor") {
      throw new AppError("invalid_cursor", "The cursor does not come from this endpoint.", {
        instancePath: "/cursor",
      });
    }
    throw describeIssue(issue, endpoint, input);
  }
  const { limit = paging.default, cursor } = page.data;
  return { limit: Math.min(limit, paging.max), ...(cursor === undefined ? {} : { cursor }) };
}

/** Explains the issue in our words. That is expensive, so it parses only rejected input. */
function findIssue(schema: z.ZodObject, input: unknown): z.core.$ZodIssue | undefined {
  return schema.safeParse(input ?? {}, { error: explainIssue }).error?.issues[0];
}

function describeIssue(issue: z.core.$ZodIssue | undefined, endpoint: Endpoint, input: unknown): AppError {
  const path = (issue?.path ?? []).map(String);
  const field = path.length > 0 ? path.join(".") : endpoint.carrier;
  const ignored = nameIgnored(path, endpoint, input);
  return new AppError("invalid_request", `${field}: ${issue?.message ?? "is not valid"}${ignored}`, {
    instancePath: `/${path.join("/")}`,
  });
}

/** Endpoints ignore unknown fields, which the message should say if another field is missing. */
function nameIgnored(
  [field, ...deeper]: string[],
  { input: known, paginated }: Endpoint,
  input: unknown,
): string {
  if (typeof input !== "object" || input === null || deeper.length > 0) return "";
  if (field !== undefined && Object.hasOwn(input, field)) return "";
  const fields = new Set([...Object.keys(known.shape), ...(paginated ? Object.keys(PageFields.shape) : [])]);
  const ignored = Object.keys(input).filter((name) => !fields.has(name));
  const near = findNear(field ?? "", ignored);
  const told = (near === undefined ? ignored.slice(0, 3) : [near]).map((name) => cutText(name, 40));
  return told.length > 0 ? `; no field of this call, and ignored: ${told.join(", ")}` : "";
}
