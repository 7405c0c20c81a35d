import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import { packageFolder } from "../package-folder.ts";

/** Serves the files that build-pages.js puts into dist/pages, each at its path. */
export function addPageFiles(
  server: FastifyInstance,
  files: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): void {
  for (const [url, name] of Object.entries(files)) {
    const type = contentTypes[extname(name)];
    const file = join(packageFolder(), "dist", "pages", name);
    server.get(url, async (_request, reply) =>
      reply.headers({ ...headers, "content-type": type }).send(await readFile(file)),
    );
  }
}

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".map": "application/json",
};
