import Fastify, { type FastifyInstance } from "fastify";
import { AppError } from "../../errors.ts";
import { addApprovalPage, addReference } from "./add-pages.ts";
import { addRoutes, type ServerOptions } from "./add-routes.ts";
import { answerError, refuseBrokenRequest } from "./errors.ts";
import { limitSources } from "./limit-sources.ts";

/** Largest body in bytes; the network file has its own. */
const bodyLimit = 64 * 1024;
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
  server.setNotFoundHandler(() => {
    throw new AppError("not_found", "There is no such route.");
  });
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

/** JSON is the only kind of body; an empty one is none. Keys that would poison prototypes are ignored. */
function acceptJsonOnly(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser("remove", "remove");
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "string" }, (request, body: string, done) => {
    if (body === "") done(null, undefined);
    else void parse(request, body, done);
  });
}
