import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isLoopback } from "../../../listening.ts";
import { packageFolder } from "../../../package-folder.ts";
import { describeApi } from "../openapi/describe-api.ts";
import { renderAuthentication } from "./render-authentication.ts";
import { renderReference } from "./render-reference.ts";

/** Somebody whom anybody on this machine may be, with a bearer token that is good for minutes. */
export interface TrialPerson {
  fid: number;
  name: string;
  token: string;
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const html = "text/html; charset=utf-8";
const files: Readonly<Record<string, readonly [path: string, type: string]>> = {
  "reference.css": ["reference-page/files/reference.css", "text/css; charset=utf-8"],
  "reference.js": ["reference-page/files/reference.js", "text/javascript; charset=utf-8"],
  "try-it.js": ["reference-page/files/try-it.js", "text/javascript; charset=utf-8"],
  "castle.svg": ["approval-page/castle.svg", "image/svg+xml"],
};

/**
 * The interface's description: for programs at /openapi.json, for people at /reference. Made at the first request. `people`
 * are those as whom the page may try calls.
 */
export function addReference(server: FastifyInstance, people: () => Promise<TrialPerson[]>): void {
  // Not by its full address: a proxy may serve all of this below a path.
  server.get("/", (_request, reply) => reply.redirect("reference"));
  let document: string | undefined;
  server.get("/openapi.json", (_request, reply) => {
    document ??= JSON.stringify(describeApi());
    return reply
      .header("access-control-allow-origin", "*")
      .header("content-type", "application/json; charset=utf-8")
      .send(document);
  });
  let reference: string | undefined;
  server.get("/reference", (_request, reply) => {
    reference ??= renderReference();
    return reply.header("content-security-policy", policy).header("content-type", html).send(reference);
  });
  let authentication: Promise<string> | undefined;
  server.get("/reference/authentication", async (_request, reply) => {
    authentication ??= renderAuthentication();
    reply.header("content-security-policy", policy).header("content-type", html);
    return authentication;
  });
  for (const [name, [path, type]] of Object.entries(files)) {
    server.get(`/reference/files/${name}`, async (_request, reply) => {
      reply.header("content-type", type);
      return readFile(join(packageFolder(), "src", "api", "http", path));
    });
  }
  server.get("/reference/people", { exposeHeadRoute: false }, async (request, reply) => {
    reply.header("cache-control", "no-store");
    return isOwnPage(request) ? people() : [];
  });
}

/** Headers by which a proxy says that somebody else is asking. */
const forwarded = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/**
 * Whether the reference itself asks, in a browser of this machine. Another page's name in Host may lead here as well (DNS
 * rebinding), and a proxy's address is its own.
 */
function isOwnPage({ headers, socket }: FastifyRequest): boolean {
  const address = `http://${headers.host ?? ""}`;
  const host = URL.canParse(address) ? new URL(address).hostname : "";
  if (!isLoopback(host) || !isLoopback(socket.remoteAddress ?? "")) return false;
  if (forwarded.some((name) => headers[name] !== undefined)) return false;
  return (
    headers.origin === undefined && ["same-origin", undefined].includes(headers["sec-fetch-site"]?.toString())
  );
}
