import { createServer } from "node:http";
import { sql } from "kysely";
import { withTimeout } from "../async.ts";
import type { BotContext } from "../bot-context.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import { describeSharedToken, findSharedToken } from "../feed/shared-token.ts";
import { listen, originOf } from "../listening.ts";
import type { WorkerStatus } from "../queue/watch-workers.ts";
import { networkPlace } from "./network-settings.ts";
import type { Resource } from "./resources.ts";

/** A part's own word: what is wrong with it, undefined when nothing is. */
export type Check = () => string | undefined | Promise<string | undefined>;

/** What a process knows of its parts. */
export interface Health {
  /** Adds a part. What a restart would not mend, such as an outage of Discord, counts for readiness alone. */
  add: (part: string, check: Check, counts?: "always" | "readiness") => void;
  /** One sentence for each part that does not work, within three seconds. */
  findTrouble: (forReadiness: boolean) => Promise<string[]>;
}

/** Milliseconds that a part may take to answer. */
const patience = 2_000;

export function createHealth(): Health {
  const parts: { part: string; check: Check; counts: string }[] = [];
  const ask = async ({ part, check }: { part: string; check: Check }) => {
    const answer = Promise.resolve()
      .then(check)
      .catch(() => "does not answer");
    const wrong = await withTimeout(answer, patience, () => `has not answered for ${patience / 1000} s`);
    return wrong === undefined ? [] : [`${part} ${wrong}`];
  };
  return {
    add: (part, check, counts = "always") => void parts.push({ part, check, counts }),
    async findTrouble(forReadiness) {
      const asked = parts.filter(({ counts }) => forReadiness || counts === "always");
      return (await Promise.all(asked.map(ask))).flat();
    },
  };
}

/** Whether the database answers the least of all questions. */
export function checkDatabase({ query }: Pick<Database, "query">): Check {
  return () => sql`select 1`.execute(query).then(() => undefined);
}

/** Whether the database takes changes. */
export function checkWriting(database: Pick<Database, "trouble">): Check {
  return () => database.trouble();
}

/** Whether every worker of this process runs. */
export function checkWorkers(status: () => WorkerStatus[]): Check {
  return () => {
    const late = status().filter((worker) => worker.late);
    if (late.length === 0) return undefined;
    return `do not run: ${late.map(({ name, idle, running }) => `${name} (${Math.max(idle, running)} s)`).join(", ")}`;
  };
}

/** Whether nobody else acts with the bot's token. */
export function checkToken(context: Pick<BotContext, "database" | "clock">): Check {
  return async () => {
    const shared = await findSharedToken(context);
    return shared && describeSharedToken(shared, context.clock.now());
  };
}

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
