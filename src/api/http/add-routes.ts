import type { FastifyInstance, onRequestHookHandler } from "fastify";
import type { Endpoint, EndpointGroups } from "../../contract/endpoint.ts";
import { contract, operatorContract } from "../../contract/index.ts";
import { networkFileLimit } from "../../contract/operator.ts";
import { AppError } from "../../errors.ts";
import { addBackup } from "./add-backup.ts";
import { addEndpoint, jsonType } from "./add-endpoint.ts";
import { guardOperator, type OperatorGuard } from "./guard-operator.ts";
import type { ServerOptions } from "./server-options.ts";

/** Whether Castellan should be started anew, and whether it does all that it is there for. */
const healthRoutes = [
  ["/healthcheck", false],
  ["/readycheck", true],
] as const;

/** Every endpoint of the contract, the health checks, and what OPTIONS answers about each path. */
export function addRoutes(server: FastifyInstance, options: ServerOptions): void {
  const endpoints = listEndpoints(contract);
  for (const endpoint of endpoints) addNetworkEndpoint(server, endpoint, options);
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

function addNetworkEndpoint(server: FastifyInstance, endpoint: Endpoint, options: ServerOptions): void {
  const { api, authenticate } = options;
  addEndpoint(server, endpoint, {
    onRequest: isForAnyOrigin(endpoint) ? [allowAnyOrigin] : [],
    answer: async (readInput, authorization) => {
      if (endpoint.path === "/_health") await requireHealth(options);
      if (endpoint.auth === "app_key") {
        const caller = await authenticate(authorization);
        return wrap(endpoint, await api.callText(endpoint, readInput(), caller));
      }
      const input = readInput();
      return (await api.callKept?.(endpoint, input)) ?? wrap(endpoint, await api.callText(endpoint, input));
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
  for (const endpoint of listEndpoints(operatorContract)) {
    addEndpoint(server, endpoint, {
      onRequest: [admit],
      ...(endpoint === operatorContract.operator.importNetwork && { bodyLimit: networkFileLimit }),
      answer: async (readInput) => wrap(endpoint, await api.callText(endpoint, readInput())),
    });
  }
}

/** The answer's text: the payload in `result`, a page as it is, registry and hub unwrapped. */
function wrap(endpoint: Endpoint, text: string): string {
  const isFlat = endpoint.paginated || endpoint.interface === "registry" || endpoint.interface === "hub";
  return isFlat ? text : `{"result":${text}}`;
}

/** What is public to read; and POST /transfers, for a claim carries its own proof, and the live registry takes it too. */
function isForAnyOrigin(endpoint: Endpoint): boolean {
  return (endpoint.method === "GET" && endpoint.auth === "none") || endpoint === contract.transfers.create;
}

/** Pages of any origin may ask that much; nothing else of ours is theirs. */
const allowAnyOrigin: onRequestHookHandler = (_request, reply, done) => {
  reply.header("access-control-allow-origin", "*");
  done();
};

function answerOptions(server: FastifyInstance, endpoints: Endpoint[]): void {
  const served = endpoints.flatMap((endpoint) =>
    [endpoint.path, ...endpoint.aliases].map((path) => ({ path, endpoint })),
  );
  for (const path of new Set(served.map((one) => one.path))) {
    const here = served.filter((one) => one.path === path).map((one) => one.endpoint);
    const methods = methodsOf(here);
    const forAnyOrigin = here.filter(isForAnyOrigin);
    server.options(path, (_request, reply) => {
      reply.code(204).header("allow", [...methods, "OPTIONS"].join(", "));
      if (forAnyOrigin.length > 0) {
        reply.header("access-control-allow-origin", "*");
        reply.header("access-control-allow-methods", methodsOf(forAnyOrigin).join(", "));
        reply.header("access-control-allow-headers", "content-type");
        reply.header("access-control-max-age", "86400");
      }
      reply.send();
    });
  }
}

function methodsOf(endpoints: readonly Endpoint[]): string[] {
  return endpoints.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}
