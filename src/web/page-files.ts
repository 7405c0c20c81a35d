import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import { packageFolder } from "../package-folder.ts";

/** Serves a folder of a page as it is written, and the libraries that its modules import, each below a path. */
export interface PageFiles {
  folder: string;
  /** Below which its files are: "/page". */
  below: string;
  /** Below which its libraries are: "/modules". */
  modules: string;
}

/** Each file that is there has a route of its own: no path leads out of the folder. An index.html is left to the caller. */
export async function addPageFiles(server: FastifyInstance, files: PageFiles): Promise<void> {
  const { folder, below, modules } = files;
  for (const name of await readdir(folder, { recursive: true })) {
    if (name !== "index.html") addPageFile(server, `${below}/${name}`, join(folder, name), modules);
  }
}

/** What all pages have, at /kit below their own files; and their libraries, by the names under which modules import them. */
export async function addKit(
  server: FastifyInstance,
  { below, modules }: Omit<PageFiles, "folder">,
): Promise<void> {
  await addPageFiles(server, {
    folder: join(packageFolder(), "src", "web", "kit"),
    below: `${below}/kit`,
    modules,
  });
  for (const [name, file] of Object.entries(findLibraries())) {
    addPageFile(server, `${modules}/${name}.js`, file, modules);
  }
}

/** One file, at a path of its own. A kind that browsers need not be given is left out. */
export function addPageFile(server: FastifyInstance, url: string, file: string, modules: string): void {
  // Libraries are modules whatever their own ending is.
  const kind = extname(url) || extname(file);
  const contentType = contentTypes[kind];
  if (contentType === undefined) return;
  server.get(url, async (_request, reply) => {
    reply.type(contentType);
    const content = await readFile(file, "utf8");
    return kind === ".js" ? nameModules(content, modules) : content;
  });
}

/** Browsers know no bare names, and an import map would have to be written inline, which the policy forbids. */
function nameModules(source: string, modules: string): string {
  return source.replaceAll(/(from|import)\s*"((?:preact|htm)(?:\/\w+)?)"/g, `$1 "${modules}/$2.js"`);
}

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

function findLibraries(): Record<string, string> {
  const { resolve } = createRequire(import.meta.url);
  return {
    preact: resolve("preact"),
    "preact/hooks": resolve("preact/hooks"),
    htm: join(dirname(resolve("htm")), "htm.module.js"),
    "htm/preact": join(dirname(resolve("htm/preact")), "index.module.js"),
  };
}
