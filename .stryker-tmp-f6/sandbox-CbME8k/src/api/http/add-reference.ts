// @ts-nocheck
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { describeApi } from "./openapi/describe-api.ts";
import { renderReference } from "./openapi/reference-page.ts";
import { pageFolder } from "./page-folder.ts";

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The interface's description: for programs at /openapi.json, for people at /reference. Made at the first request. */
export function addReference(server: FastifyInstance): void {
  let document: string | undefined;
  let page: string | undefined;
  server.get("/openapi.json", (_request, reply) => {
    document ??= JSON.stringify(describeApi());
    return reply
      .header("access-control-allow-origin", "*")
      .header("content-type", "application/json; charset=utf-8")
      .send(document);
  });
  server.get("/reference", (_request, reply) => {
    page ??= renderReference();
    return reply
      .header("content-security-policy", policy)
      .header("content-type", "text/html; charset=utf-8")
      .send(page);
  });
  server.get("/reference.css", async (_request, reply) => {
    reply.header("content-type", "text/css; charset=utf-8");
    return readFile(join(pageFolder("reference"), "reference.css"));
  });
}
