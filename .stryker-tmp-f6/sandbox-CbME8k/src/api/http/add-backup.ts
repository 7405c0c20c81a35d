// @ts-nocheck
import type { FastifyInstance, onRequestHookHandler } from "fastify";
import { AppError } from "../../errors.ts";
import type { ServerOptions } from "./server-options.ts";

/**
 * `GET /operator/backup`: everything that this instance keeps but its keys, which never leave by HTTP. Not in the
 * contract, whose endpoints answer JSON.
 */
export function addBackup(
  server: FastifyInstance,
  admit: onRequestHookHandler,
  backUp: ServerOptions["backUp"],
): void {
  server.get("/operator/backup", { onRequest: [admit], exposeHeadRoute: false }, async (_request, reply) => {
    if (!backUp) {
      throw new AppError("not_found", "This instance keeps its data on a database server: use pg_dump.");
    }
    const archive = await backUp();
    return reply.header("content-type", "application/gzip").send(archive);
  });
}
