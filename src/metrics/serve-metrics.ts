import { createServer } from "node:http";
import { listen, originOf, type ListeningPlace } from "../listening.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "./metrics.ts";

/** Serves only `GET /metrics`. Throws `invalid_configuration` if it cannot listen. */
export async function serveMetrics(
  metrics: Pick<Metrics, "scrape" | "contentType">,
  place: ListeningPlace,
  log: Log,
): Promise<{ address: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, body: string) =>
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
    if (request.method !== "GET" || request.url?.split("?", 1)[0] !== "/metrics") {
      return void answer(404, "text/plain", "There is only GET /metrics.\n");
    }
    metrics.scrape().then(
      (text) => answer(200, metrics.contentType, text),
      (err: unknown) => {
        log.error({ err }, "metrics could not be returned");
        answer(500, "text/plain", "The log has the cause.\n");
      },
    );
  });
  const bound = await listen(server, place);
  return {
    address: `${originOf(bound)}/metrics`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
