import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { packageFolder } from "../../package-folder.ts";
import { addPageFiles } from "../../web/page-files.ts";
import { describeApi } from "./openapi/describe-api.ts";

/** Scalar needs inline styles. Scripts are restricted to our own, because the approval page has the same origin. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; " +
  "img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const files = {
  "/reference": "reference.html",
  "/reference/reference.js": "reference.js",
  "/reference/reference.js.map": "reference.js.map",
  "/reference/scalar.js": "scalar.js",
  "/reference/castle.svg": "castle.svg",
};

/** Serves the interface's description: for programs at /openapi.json, for people at /reference. */
export function addReference(server: FastifyInstance): void {
  // A relative address, because a proxy may serve all of this below a path.
  server.get("/", (_request, reply) => reply.redirect("reference"));
  let document: Promise<string> | undefined;
  server.get("/openapi.json", async (_request, reply) => {
    document ??= writeDocument();
    reply
      .header("access-control-allow-origin", "*")
      .header("content-type", "application/json; charset=utf-8");
    return document;
  });
  addPageFiles(server, files, { "content-security-policy": policy });
}

async function writeDocument(): Promise<string> {
  const guide = await readFile(join(packageFolder(), "docs", "authentication.md"), "utf8");
  return JSON.stringify(describeApi(guide));
}
