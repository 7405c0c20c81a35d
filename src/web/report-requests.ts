import type { FastifyInstance, FastifyRequest } from "fastify";
import { currentSpan, startSpan, type Span } from "../spans.ts";
import { report } from "../telemetry.ts";

/** Reports each request that a server has answered, by its route, and makes it a span. */
export function reportRequests(instance: FastifyInstance, server: string): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  const within = (request: FastifyRequest, work: () => void) => currentSpan.run(spans.get(request), work);
  instance.addHook("onRequest", (request, _reply, done) => {
    const span = startSpan({ name: request.method, kind: "server" });
    if (span) spans.set(request, span);
    within(request, done);
  });
  instance.addHook("onResponse", (request, { statusCode: code, elapsedTime }, done) => {
    const { url: route = "none" } = request.routeOptions;
    const method = route === "none" ? "any" : request.method;
    const seconds = elapsedTime / 1000;
    within(request, () => report("castellan:http.answered", { server, method, route, code, seconds }));
    spans.get(request)?.end();
    done();
  });
}
