import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { packageFolder } from "../package-folder.ts";
import { addLibraries, addPageFiles } from "../page-files.ts";

const modules = "/console/modules";
/** What the sandbox's page has, too: Discord's markdown, times, colours. */
const shared = {
  "": ["theme.css", "castle.svg"],
  "/chat": ["markdown.js", "parse-markdown.js", "media.js", "timestamp.js"],
};

/** The page itself, at each address that it shows, and its files. Nothing of it is secret. */
export async function addConsolePage(server: FastifyInstance): Promise<void> {
  const source = join(packageFolder(), "src");
  const folder = join(source, "console", "page");
  await addPageFiles(server, { folder, below: "/console/page", modules });
  for (const [part, only] of Object.entries(shared)) {
    const from = join(source, "sandbox", "page", part);
    await addPageFiles(server, { folder: from, below: `/console/page/shared${part}`, modules, only });
  }
  addLibraries(server, modules);
  const page = () => readFile(join(folder, "index.html"), "utf8");
  for (const path of ["/console", "/console/:server(^\\d+$)", "/console/:server(^\\d+$)/*"]) {
    server.get(path, async (_request, reply) => reply.type("text/html; charset=utf-8").send(await page()));
  }
  server.get("/", async (_request, reply) => reply.redirect("/console", 302));
}
