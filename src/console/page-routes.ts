import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { packageFolder } from "../package-folder.ts";
import { addKit, addPageFiles } from "../web/page-files.ts";

const place = { below: "/console/page", modules: "/console/modules" };

/** The page itself, at each address that it shows, and its files. Nothing of it is secret. */
export async function addConsolePage(server: FastifyInstance): Promise<void> {
  const folder = join(packageFolder(), "src", "console", "page");
  await addPageFiles(server, { folder, ...place });
  await addKit(server, place);
  const page = () => readFile(join(folder, "index.html"), "utf8");
  for (const path of ["/console", "/console/:server(^\\d+$)", "/console/:server(^\\d+$)/*"]) {
    server.get(path, async (_request, reply) => reply.type("text/html; charset=utf-8").send(await page()));
  }
  server.get("/", async (_request, reply) => reply.redirect("/console", 302));
}
