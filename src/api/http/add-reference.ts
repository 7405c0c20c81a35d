import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { packageFolder } from "../../package-folder.ts";
import { addReferencePage } from "../../web/reference-page.ts";
import { describeApi } from "./openapi/describe-api.ts";

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
  addReferencePage(server);
}

async function writeDocument(): Promise<string> {
  const guide = await readFile(join(packageFolder(), "docs", "reference", "authentication.md"), "utf8");
  return JSON.stringify(describeApi(guide));
}
