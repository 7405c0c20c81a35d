import type { FastifyInstance } from "fastify";
import { AppError } from "../../errors.ts";

/**
 * Rejects unknown routes. A path that exists for other methods also returns 404, as interface.md requires, but the
 * response names those methods, in its text and in `Allow`.
 */
export function refuseUnknownRoutes(server: FastifyInstance): void {
  const served = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  server.addHook("onRoute", ({ url, method }) => {
    const route = served.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const each of [method].flat()) route.methods.add(each);
    served.set(url, route);
  });
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const methods = [...served.values()].flatMap((route) =>
      route.pattern.test(path) ? [...route.methods].filter((method) => method !== "OPTIONS") : [],
    );
    if (methods.length === 0 || request.method === "OPTIONS") {
      throw new AppError("not_found", "There is no such route. GET /reference lists them all.");
    }
    reply.header("allow", methods.join(", "));
    throw new AppError("not_found", `${request.method} is not allowed: this path accepts ${list(methods)}.`);
  });
}

function patternOf(url: string): RegExp {
  const parts = url
    .split("/")
    .map((part) => (part.startsWith(":") ? "[^/]+" : part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  return new RegExp(`^${parts.join("/")}$`);
}

function list(names: readonly string[]): string {
  return names.length === 1 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
