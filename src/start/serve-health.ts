import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { guardOperator } from "../api/http/guard-operator.ts";
import type { Config } from "../config.ts";
import { taskBodyLimit } from "../contract/operator.ts";
import { AppError, asAppError, httpErrors } from "../errors.ts";
import { listen, originOf } from "../listening.ts";
import type { Log } from "../log.ts";
import { taskNames, type Health } from "./health.ts";
import { networkPlace } from "./network-settings.ts";
import type { Resource } from "./resources.ts";

/**
 * Answers `/healthcheck` and `/readycheck` on HOST:PORT, in a process that serves no network there. Also serves its
 * operator's commands.
 */
export async function serveHealth(
  config: Config,
  health: Health,
  { isReady, log }: { isReady: () => boolean; log: Log },
): Promise<Resource & { origin: string }> {
  const server = createServer((request, response) => {
    const path = request.url?.split("?", 1)[0];
    const forReadiness = path === "/readycheck";
    const answer = (status: number, body: unknown) =>
      response
        .writeHead(status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" })
        .end(JSON.stringify(body));
    const answerOperator = (run: () => Promise<unknown>) =>
      void askAsOperator({ health, log }, request, run).then(({ status, body }) => {
        if (body instanceof Readable) sendArchive(body, response);
        else answer(status, body);
      });
    if (path === "/operator/doctor") return answerOperator(() => examine(health));
    if (path === "/operator/backup") return answerOperator(() => backUp(health));
    if (path === "/signer") return answerOperator(async () => ({ signer: health.signer }));
    const name = taskNames.find((one) => path === `/operator/${one}`);
    if (name) {
      return answerOperator(async () => {
        const task = health.tasks[name];
        if (!task) throw new AppError("not_ready", "Castellan is starting.");
        return task(await readJson(request));
      });
    }
    if (path !== "/healthcheck" && !forReadiness) {
      return void answer(404, refusal(404, noNetwork, "not_found").body);
    }
    const trouble = isReady()
      ? health.findTrouble(forReadiness)
      : Promise.resolve(["Castellan is starting."]);
    void trouble.then((sentences) =>
      sentences.length === 0
        ? answer(200, { result: { status: "ok", ...(forReadiness && health.describe?.()) } })
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

const noNetwork =
  "This process serves no network. It answers only /healthcheck, /readycheck and its operator's commands.";

async function examine({ examination }: Health): Promise<unknown> {
  if (examination) return examination.run();
  throw new AppError("not_ready", "Castellan is starting.");
}

async function backUp({ backUp: send }: Health): Promise<Readable> {
  if (send) return send();
  throw new AppError("not_found", "This instance stores its data on a database server: use pg_dump.");
}

function sendArchive(archive: Readable, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/gzip", "cache-control": "no-store" });
  // A reader that leaves ends the archive, which logs it.
  pipeline(archive, response, () => {});
}

async function askAsOperator(
  { health: { operatorToken }, log }: { health: Health; log: Log },
  request: IncomingMessage,
  run: () => Promise<unknown>,
): Promise<{ status: number; body: unknown }> {
  try {
    if (operatorToken === undefined) return refusal(503, "Castellan is starting.", "not_ready");
    guardOperator({ token: operatorToken, hosts: [] })(request);
    return { status: 200, body: await run() };
  } catch (error) {
    const known = asAppError(error);
    if (!known) {
      log.error({ err: error, path: request.url }, "an operator's command failed");
      return refusal(500, "Something went wrong; the log has the cause.", "internal");
    }
    return refusal(httpErrors[known.code]?.status ?? 500, known.message, known.code);
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > taskBodyLimit) throw new AppError("too_large", "The body is too large.");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } catch (cause) {
    throw new AppError("invalid_request", "The body must be JSON.", { cause });
  }
}

function refusal(status: number, message: string, reason: string) {
  return { status, body: { errors: [{ message, reason }] } };
}
