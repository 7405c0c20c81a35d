import type { FastifyInstance } from "fastify";
import { addPageFiles } from "../web/page-files.ts";

/** The page at each of its addresses, and its files. None of it is secret. */
export async function addConsolePage(server: FastifyInstance): Promise<void> {
  addPageFiles(server, {
    "/console": "console.html",
    "/console/:server(^\\d+$)": "console.html",
    "/console/:server(^\\d+$)/*": "console.html",
    "/console/page/console.js": "console.js",
    "/console/page/console.js.map": "console.js.map",
    "/console/page/console.css": "console.css",
    "/console/page/console.css.map": "console.css.map",
    "/console/page/castle.svg": "castle.svg",
  });
  server.get("/", async (_request, reply) => reply.redirect("/console", 302));
}
