import type { FastifyInstance, onRequestHookHandler } from "fastify";
import type { Endpoint } from "../../contract/endpoint.ts";
import { contract } from "../../contract/index.ts";

/** Public reads; and POST /transfers, because a claim carries its own proof and the live registry allows it, too. */
export function isForAnyOrigin(endpoint: Endpoint): boolean {
  return (endpoint.method === "GET" && endpoint.auth === "none") || endpoint === contract.transfers.create;
}

/**
 * Allows web pages of any origin to read the responses of these routes and no others. Runs before everything that may
 * refuse a request, so that a page learns when to try again.
 */
export const allowOrigins: onRequestHookHandler = ({ routeOptions }, reply, done) => {
  if (routeOptions.config.forAnyOrigin) {
    reply.header("access-control-allow-origin", "*");
    reply.header("access-control-expose-headers", "etag, retry-after");
  }
  done();
};

/** Answers OPTIONS for each path, for web pages and for people. */
export function answerOptions(server: FastifyInstance, endpoints: Endpoint[]): void {
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
