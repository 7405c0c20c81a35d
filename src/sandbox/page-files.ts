import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The libraries of the page, as the browser asks for them. */
const libraries = new Map([
  ["/modules/preact.js", () => resolve("preact")],
  ["/modules/hooks.js", () => resolve("preact/hooks")],
  ["/modules/htm.js", () => join(dirname(resolve("htm")), "htm.module.js")],
]);

export interface PageFile {
  contentType: string;
  content: string | Buffer;
}

/** A file of the page or of its libraries; nothing above the page's folder is ever given. */
export async function readPageFile(path: string): Promise<PageFile | null> {
  const library = libraries.get(path);
  if (library) {
    const source = await readFile(library(), "utf8");
    // Browsers know no bare names, and an import map would have to be written inline.
    const content = source.replaceAll(/from\s*"preact"/g, 'from "/modules/preact.js"');
    return { contentType: "text/javascript; charset=utf-8", content };
  }
  const wanted = normalize(path === "/" ? "/index.html" : path.replace(/^\/page\//, "/"));
  const contentType = contentTypes[extname(wanted)];
  if (!contentType || wanted.includes("..") || (path !== "/" && !path.startsWith("/page/"))) return null;
  return readFile(join(pageFolder(), wanted)).then(
    (content) => ({ contentType, content }),
    () => null,
  );
}

function resolve(library: string): string {
  return createRequire(import.meta.url).resolve(library);
}

/** The page is served as it is written, so it lies in src also when this file runs compiled. */
function pageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return join(folder, "src", "sandbox", "page");
}
