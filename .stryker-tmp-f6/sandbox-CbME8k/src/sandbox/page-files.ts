// @ts-nocheck
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join, normalize } from "node:path";
import { packageFolder } from "../package-folder.ts";

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The libraries of the page, by the bare name that its modules import. */
const libraries = new Map([
  ["preact", () => resolve("preact")],
  ["preact/hooks", () => resolve("preact/hooks")],
  ["htm", () => join(dirname(resolve("htm")), "htm.module.js")],
  ["htm/preact", () => join(dirname(resolve("htm/preact")), "index.module.js")],
]);

const bareImport = /(from|import)\s*"((?:preact|htm)(?:\/\w+)?)"/g;

export interface PageFile {
  contentType: string;
  content: string;
}

/** A file of the page or of its libraries; nothing above the page's folder is ever given. */
export async function readPageFile(path: string): Promise<PageFile | null> {
  const library = libraries.get(/^\/modules\/(.+)\.js$/.exec(path)?.[1] ?? "");
  if (!library && path !== "/" && !path.startsWith("/page/")) return null;
  const wanted = normalize(path === "/" ? "/index.html" : path.replace(/^\/page\//, "/"));
  const contentType = contentTypes[extname(wanted)];
  if (!contentType || wanted.includes("..")) return null;
  const content = await readFile(library?.() ?? join(pageFolder(), wanted), "utf8").catch(() => null);
  if (content === null) return null;
  return { contentType, content: extname(wanted) === ".js" ? nameModules(content) : content };
}

/** Browsers know no bare names, and an import map would have to be written inline, which the policy forbids. */
function nameModules(source: string): string {
  return source.replaceAll(bareImport, '$1 "/modules/$2.js"');
}

function resolve(library: string): string {
  return createRequire(import.meta.url).resolve(library);
}

function pageFolder(): string {
  return join(packageFolder(), "src", "sandbox", "page");
}
