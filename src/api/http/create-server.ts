import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from "fastify";
import type { Endpoint, EndpointGroups, Interface, SourceLimit } from "../../contract/endpoint.ts";
import { contract, operatorContract } from "../../contract/index.ts";
import { networkFileLimit } from "../../contract/operator.ts";
import { AppError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Api } from "../create-api.ts";
import { acceptJsonOnly } from "./accept-json.ts";
import { addApprovalPage } from "./add-approval-page.ts";
import { addReference } from "./add-reference.ts";
import { allowAnyOrigin, answerOptions, isForAnyOrigin } from "./cross-origin.ts";
import { answerError, refuseBrokenRequest } from "./errors.ts";
import { guardOperator, type OperatorGuard } from "./guard-operator.ts";
import { limitSources, toRateLimit } from "./limit-sources.ts";
import { createTurns, type TakeTurn } from "./turns.ts";
import { refuseUnknownRoutes } from "./unknown-route.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Decides the shape of this route's errors. */
    interface?: Interface;
  }
}

export interface ServerOptions {
  api: Pick<Api, "callText" | "authenticate">;
  log: Log;
  /** Until it is true, every call is answered 503. */
  isReady: () => boolean;
  /** One sentence for each part of this process that does not work; without it nothing is checked. */
  findTrouble?: (forReadiness: boolean) => Promise<string[]>;
  /** Without it there are no operator routes. */
  operator?: OperatorGuard | undefined;
  /** Begins a backup of this instance, a gzipped tar archive; absent where its data is on a database server. */
  backUp?: (() => Promise<Readable>) | undefined;
  /** Looks at all that this instance needs, for its operator. */
  examine?: (() => Promise<unknown>) | undefined;
  /** Compares or stores a server's rule file, for its operator; gives nothing where this process has no bot. */
  takeRuleFile?: ((body: unknown) => Promise<unknown>) | undefined;
  /** Calls that one source address may make in so many seconds; unlimited when absent. */
  sourceLimit?: SourceLimit;
  /** Addresses or networks of proxies, whose X-Forwarded-For is believed. */
  trustedProxies?: readonly string[] | undefined;
}

/** Largest body in bytes; the network file has its own. */
const bodyLimit = 64 * 1024;
/** The same for a rule file of 128 KiB, in which a character may take six bytes as JSON. */
const ruleFileLimit = 6 * 128 * 1024 + 1024;
/** A request that is still coming in after this is dropped (milliseconds). */
const headersTimeout = 10_000;
const requestTimeout = 120_000;
/** How long calls in flight may take to finish after `close()` (milliseconds). */
const closingTimeout = 4_000;

/** The three interfaces and the operator's routes on one origin, made from the contract. Does not listen yet. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const answer = answerError(options.log);
  const server = Fastify({
    bodyLimit,
    requestTimeout,
    http: { headersTimeout },
    trustProxy: options.trustedProxies ? [...options.trustedProxies] : false,
    return503OnClosing: false,
    clientErrorHandler: refuseBrokenRequest,
    frameworkErrors: answer,
  });
  acceptJsonOnly(server);
  server.setErrorHandler(answer);
  refuseUnknownRoutes(server);
  server.addHook("onRequest", (_request, reply, done) => {
    reply.header("x-content-type-options", "nosniff");
    if (options.isReady()) done();
    else done(new AppError("not_ready", "The network is starting.", { retryAfter: 1 }));
  });
  server.addHook("preClose", (done) => {
    setTimeout(() => server.server.closeAllConnections(), closingTimeout).unref();
    done();
  });
  await limitSources(server, options.sourceLimit);
  addRoutes(server, options);
  addApprovalPage(server, options.api);
  addReference(server);
  return server;
}

const jsonType = "application/json; charset=utf-8";

/** Liveness, which says whether to restart Castellan, and readiness, which says whether it does all its work. */
const healthRoutes = [
  ["/healthcheck", false],
  ["/readycheck", true],
] as const;

/** Every endpoint of the contract, the health checks, and what OPTIONS answers about each path. */
function addRoutes(server: FastifyInstance, options: ServerOptions): void {
  const endpoints = listEndpoints(contract);
  const takeTurn = createTurns();
  for (const endpoint of endpoints) addNetworkEndpoint(server, endpoint, options, takeTurn);
  if (options.operator) addOperatorEndpoints(server, options, options.operator);
  for (const [path, forReadiness] of healthRoutes) {
    server.get(path, { onRequest: allowAnyOrigin }, async (_request, reply) => {
      const trouble = (await options.findTrouble?.(forReadiness)) ?? [];
      reply.header("content-type", jsonType);
      if (trouble.length === 0) return `{"result":{"status":"ok"}}`;
      reply.code(503);
      return JSON.stringify({ errors: trouble.map((message) => ({ message, reason: "not_ready" })) });
    });
  }
  answerOptions(server, endpoints);
}

function listEndpoints(groups: EndpointGroups): Endpoint[] {
  return Object.values(groups).flatMap((group) => Object.values(group));
}

function addNetworkEndpoint(
  server: FastifyInstance,
  endpoint: Endpoint,
  options: ServerOptions,
  takeTurn: TakeTurn,
): void {
  const { api } = options;
  const call = async (readInput: () => unknown, authorization: string | undefined) => {
    if (endpoint.auth === "app_key") {
      const caller = await api.authenticate(authorization);
      return wrap(endpoint, await api.callText(endpoint, readInput(), caller));
    }
    return wrap(endpoint, await api.callText(endpoint, readInput()));
  };
  addEndpoint(server, endpoint, {
    onRequest: isForAnyOrigin(endpoint) ? [allowAnyOrigin] : [],
    answer: async (readInput, { ip, headers }) => {
      if (endpoint.path !== "/_health") return takeTurn(ip, () => call(readInput, headers.authorization));
      await requireHealth(options);
      return call(readInput, headers.authorization);
    },
  });
}

async function requireHealth({ findTrouble }: ServerOptions): Promise<void> {
  const [first] = (await findTrouble?.(false)) ?? [];
  if (first !== undefined) throw new AppError("not_ready", first, { retryAfter: 1 });
}

function addOperatorEndpoints(server: FastifyInstance, options: ServerOptions, guard: OperatorGuard): void {
  const { api } = options;
  const check = guardOperator(guard);
  const admit: onRequestHookHandler = (request, reply, done) => {
    check(request);
    reply.header("cache-control", "no-store");
    done();
  };
  addBackup(server, admit, options.backUp);
  server.get("/operator/doctor", { onRequest: [admit], exposeHeadRoute: false }, async () => {
    if (!options.examine) throw new AppError("not_found", "There is no such route.");
    return options.examine();
  });
  const ruleFiles = { onRequest: [admit], bodyLimit: ruleFileLimit };
  server.post("/operator/rules", ruleFiles, async ({ body }) => {
    const answer = await options.takeRuleFile?.(body);
    if (answer === undefined) throw new AppError("not_found", "This process has no bot.");
    return answer;
  });
  for (const endpoint of listEndpoints(operatorContract)) {
    addEndpoint(server, endpoint, {
      onRequest: [admit],
      ...(endpoint === operatorContract.operator.importNetwork && { bodyLimit: networkFileLimit }),
      answer: async (readInput) => wrap(endpoint, await api.callText(endpoint, readInput())),
    });
  }
}

/**
 * `GET /operator/backup`: everything that this instance keeps but its keys, which never leave by HTTP. Not in the
 * contract, whose endpoints answer JSON.
 */
function addBackup(
  server: FastifyInstance,
  admit: onRequestHookHandler,
  backUp: ServerOptions["backUp"],
): void {
  server.get("/operator/backup", { onRequest: [admit], exposeHeadRoute: false }, async (_request, reply) => {
    if (!backUp) {
      throw new AppError("not_found", "This instance keeps its data on a database server: use pg_dump.");
    }
    const archive = await backUp();
    return reply.header("content-type", "application/gzip").send(archive);
  });
}

interface EndpointHandling {
  /** Largest body in bytes, where it is not the server's. */
  bodyLimit?: number;
  /** Runs before the body is read. */
  onRequest: onRequestHookHandler[];
  /** Gives the answer, from the flat input and who asks for it. */
  answer: (readInput: () => unknown, request: Pick<FastifyRequest, "ip" | "headers">) => Promise<string>;
}

/** Serves one endpoint under its path and aliases. */
function addEndpoint(
  server: FastifyInstance,
  endpoint: Endpoint,
  { answer, ...options }: EndpointHandling,
): void {
  for (const path of [endpoint.path, ...endpoint.aliases]) {
    server.route({
      method: endpoint.method,
      url: path.replaceAll(/\{(\w+)\}/g, ":$1"),
      config: {
        interface: endpoint.interface,
        ...(endpoint.sourceLimit && { rateLimit: toRateLimit(endpoint.sourceLimit) }),
      },
      ...options,
      handler: async (request, reply) => {
        const text = await answer(() => readInput(endpoint, request), request);
        if (endpoint.tagged && isKnown(text, request, reply)) return reply.code(304).send();
        reply.header("content-type", jsonType);
        return text;
      },
    });
  }
}

/** Tags the answer, and says whether the client has one with this tag already. */
function isKnown(text: string, request: FastifyRequest, reply: FastifyReply): boolean {
  const tag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  reply.header("etag", tag).header("cache-control", "no-cache");
  const known = request.headers["if-none-match"]?.split(",").map((each) => each.trim().replace(/^W\//, ""));
  return known?.some((each) => each === tag || each === "*") ?? false;
}

/** One flat object: what the query or the body carries, and the path's parameters, which win. */
function readInput(endpoint: Endpoint, request: FastifyRequest): unknown {
  const carried = endpoint.carrier === "query" ? readQuery(request.query) : readBody(request.body);
  return endpoint.path.includes("{") ? Object.assign({}, carried, request.params) : carried;
}

function readQuery(query: unknown): object {
  // Fastify's parser gives an object, in which a repeated parameter is an array.
  const parameters = query as Record<string, string | string[]>;
  for (const name in parameters) {
    if (Array.isArray(parameters[name])) {
      throw new AppError("invalid_request", `${name}: is given more than once`, { instancePath: `/${name}` });
    }
  }
  return parameters;
}

function readBody(body: unknown): object {
  if (body === undefined) return {};
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  throw new AppError("invalid_request", "body: must be a JSON object", { instancePath: "/" });
}

/** The answer's text: the payload in `result`, a page as it is, registry and hub unwrapped. */
function wrap(endpoint: Endpoint, text: string): string {
  const isFlat = endpoint.paginated || endpoint.interface === "registry" || endpoint.interface === "hub";
  return isFlat ? text : `{"result":${text}}`;
}
