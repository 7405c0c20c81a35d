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
import { networkFileLimit, taskBodyLimit } from "../../contract/operator.ts";
import { createTurns, type TakeTurn } from "../../web/turns.ts";
import { AppError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Api } from "../create-api.ts";
import { acceptJsonOnly } from "./accept-json.ts";
import { addApprovalPage } from "./add-approval-page.ts";
import { addReference } from "./add-reference.ts";
import { allowOrigins, answerOptions, isForAnyOrigin } from "./cross-origin.ts";
import { answerError, refuseBrokenRequest } from "./errors.ts";
import { guardOperator, type OperatorGuard } from "./guard-operator.ts";
import { limitSources, toRateLimit } from "./limit-sources.ts";
import { refuseUnknownRoutes } from "./unknown-route.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Determines the format of this route's errors. */
    interface?: Interface;
    /** Web pages of any origin may read this route's responses, including errors. */
    forAnyOrigin?: boolean;
  }
}

export interface ServerOptions {
  api: Pick<Api, "callText" | "authenticate">;
  log: Log;
  /** Until it returns true, every call is answered with 503. */
  isReady: () => boolean;
  /** One sentence for each part of this process that does not work; if absent, nothing is checked. */
  findTrouble?: (forReadiness: boolean) => Promise<string[]>;
  /** If absent, there are no operator routes. */
  operator?: OperatorGuard | undefined;
  /** Starts a backup of this instance, a gzipped tar archive; absent if the data is on a database server. */
  backUp?: (() => Promise<Readable>) | undefined;
  /** Checks everything that this instance needs, for its operator. */
  examine?: (() => Promise<unknown>) | undefined;
  /** What the operator's commands ask of the bot, by path; a task gives nothing where this process has no bot. */
  tasks?: ReadonlyMap<string, (body: unknown) => Promise<unknown>> | undefined;
  /** Calls that one source address can make in that many seconds; unlimited if absent. */
  sourceLimit?: SourceLimit;
  /** Addresses or networks of proxies whose X-Forwarded-For is trusted. */
  trustedProxies?: readonly string[] | undefined;
}

/** Maximum body size in bytes; files of the operator have limits of their own. */
const bodyLimit = 64 * 1024;
/** Milliseconds after which an incomplete request is dropped. */
const headersTimeout = 10_000;
const requestTimeout = 120_000;
/** Milliseconds that calls in flight have to finish after `close()`. */
const closingTimeout = 4_000;

/** Serves the contract's three interfaces and the operator's routes on one origin. Does not listen yet. */
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
  server.addHook("onRequest", allowOrigins);
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

/** Liveness, whether Castellan has to be restarted, and readiness, whether all its parts work. */
const healthRoutes = [
  ["/healthcheck", false],
  ["/readycheck", true],
] as const;

/** Adds every endpoint of the contract, the health checks, and the answers to OPTIONS. */
function addRoutes(server: FastifyInstance, options: ServerOptions): void {
  const endpoints = listEndpoints(contract);
  const takeTurn = createTurns("this address");
  for (const endpoint of endpoints) addNetworkEndpoint(server, endpoint, options, takeTurn);
  if (options.operator) addOperatorEndpoints(server, options, options.operator);
  for (const [path, forReadiness] of healthRoutes) {
    server.get(path, { config: { forAnyOrigin: true } }, async (_request, reply) => {
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
    onRequest: [],
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
  for (const [name, run] of options.tasks ?? []) {
    server.post(`/operator/${name}`, { onRequest: [admit], bodyLimit: taskBodyLimit }, async ({ body }) => {
      const answer = await run(body);
      if (answer === undefined) throw new AppError("not_found", noBot);
      return answer;
    });
  }
  for (const endpoint of listEndpoints(operatorContract)) {
    addEndpoint(server, endpoint, {
      onRequest: [admit],
      ...(endpoint === operatorContract.operator.importNetwork && { bodyLimit: networkFileLimit }),
      answer: async (readInput) => wrap(endpoint, await api.callText(endpoint, readInput())),
    });
  }
}

/**
 * `GET /operator/backup`: all of this instance's data except its keys, which never leave over HTTP. Not in the
 * contract, whose endpoints return JSON.
 */
function addBackup(
  server: FastifyInstance,
  admit: onRequestHookHandler,
  backUp: ServerOptions["backUp"],
): void {
  server.get("/operator/backup", { onRequest: [admit], exposeHeadRoute: false }, async (_request, reply) => {
    if (!backUp) {
      throw new AppError("not_found", "This instance stores its data on a database server: use pg_dump.");
    }
    const archive = await backUp();
    return reply.header("content-type", "application/gzip").send(archive);
  });
}

const noBot =
  "This process has no bot. Set HOST and PORT to those of a process that has one: castellan start, bot or worker.";

interface EndpointHandling {
  /** Maximum body size in bytes, if it differs from the server's. */
  bodyLimit?: number;
  /** Runs before the body is read. */
  onRequest: onRequestHookHandler[];
  /** Returns the response for the flat input and the caller. */
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
        forAnyOrigin: isForAnyOrigin(endpoint),
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

/** Sets the ETag, and returns whether the client already has this version. */
function isKnown(text: string, request: FastifyRequest, reply: FastifyReply): boolean {
  const tag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  reply.header("etag", tag).header("cache-control", "no-cache");
  const known = request.headers["if-none-match"]?.split(",").map((each) => each.trim().replace(/^W\//, ""));
  return known?.some((each) => each === tag || each === "*") ?? false;
}

/** One flat object of the query or body and the path's parameters, which win. */
function readInput(endpoint: Endpoint, request: FastifyRequest): unknown {
  const carried = endpoint.carrier === "query" ? readQuery(request.query) : readBody(request.body);
  return endpoint.path.includes("{") ? Object.assign({}, carried, request.params) : carried;
}

function readQuery(query: unknown): object {
  // Fastify's parser returns an object, with an array for a repeated parameter.
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

/** The response text: the payload in `result`, a page unchanged, registry and hub results without a frame. */
function wrap(endpoint: Endpoint, text: string): string {
  const isFlat = endpoint.paginated || endpoint.interface === "registry" || endpoint.interface === "hub";
  return isFlat ? text : `{"result":${text}}`;
}
