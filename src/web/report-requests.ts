import type { FastifyInstance } from "fastify";
import { report } from "../telemetry.ts";

/** Reports each request that a server has answered, by its route. */
export function reportRequests(instance: FastifyInstance, server: string): void {
  instance.addHook("onResponse", (request, { statusCode: code, elapsedTime }, done) => {
    const { url: route = "none" } = request.routeOptions;
    const method = route === "none" ? "any" : request.method;
    report("castellan:http.answered", { server, method, route, code, seconds: elapsedTime / 1000 });
    done();
  });
}
