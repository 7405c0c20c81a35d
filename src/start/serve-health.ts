import { createServer } from "node:http";
import type { Config } from "../config.ts";
import { listen, originOf } from "../listening.ts";
import type { Health } from "./health.ts";
import { networkPlace } from "./network-settings.ts";
import type { Resource } from "./resources.ts";

/** Answers `/healthcheck` and `/readycheck` on HOST:PORT, in a process that serves no network there. */
export async function serveHealth(
  config: Config,
  health: Health,
  isReady: () => boolean,
): Promise<Resource & { origin: string }> {
  const server = createServer((request, response) => {
    const path = request.url?.split("?", 1)[0];
    const forReadiness = path === "/readycheck";
    const answer = (status: number, body: unknown) =>
      response
        .writeHead(status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" })
        .end(JSON.stringify(body));
    if (path !== "/healthcheck" && !forReadiness) {
      return void answer(404, { errors: [{ message: "There is no such route.", reason: "not_found" }] });
    }
    const trouble = isReady()
      ? health.findTrouble(forReadiness)
      : Promise.resolve(["Castellan is starting."]);
    void trouble.then((sentences) =>
      sentences.length === 0
        ? answer(200, { result: { status: "ok" } })
        : answer(503, { errors: sentences.map((message) => ({ message, reason: "not_ready" })) }),
    );
  });
  const bound = await listen(server, networkPlace(config));
  return {
    origin: originOf(bound),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
