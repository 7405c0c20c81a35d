import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { packageFolder } from "../../package-folder.ts";
import { describeApi } from "./openapi/describe-api.ts";

/** Scalar writes its styles into the page. Scripts stay our own, for the approval page has the same origin. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; " +
  "img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** By their paths; build.js puts Scalar's file into dist. */
const files = {
  "/reference": ["src/api/http/reference-page/index.html", "text/html; charset=utf-8"],
  "/reference/reference.js": ["src/api/http/reference-page/reference.js", "text/javascript; charset=utf-8"],
  "/reference/scalar.js": ["dist/scalar.js", "text/javascript; charset=utf-8"],
  "/reference/castle.svg": ["src/api/http/approval-page/castle.svg", "image/svg+xml"],
} as const;

/** The interface's description: for programs at /openapi.json, for people at /reference. */
export function addReference(server: FastifyInstance): void {
  // Not by its full address: a proxy may serve all of this below a path.
  server.get("/", (_request, reply) => reply.redirect("reference"));
  let document: Promise<string> | undefined;
  server.get("/openapi.json", async (_request, reply) => {
    document ??= writeDocument();
    reply
      .header("access-control-allow-origin", "*")
      .header("content-type", "application/json; charset=utf-8");
    return document;
  });
  for (const [path, [file, type]] of Object.entries(files)) {
    server.get(path, async (_request, reply) => {
      reply.header("content-security-policy", policy).header("content-type", type);
      return readFile(join(packageFolder(), file));
    });
  }
}

async function writeDocument(): Promise<string> {
  const guide = await readFile(join(packageFolder(), "docs", "authentication.md"), "utf8");
  return JSON.stringify(describeApi(guide));
}
