import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { CommandContext } from "../../discord/command-context.ts";
import { mentionCommands } from "../../discord/mention-commands.ts";
import type { View } from "../../discord/view.ts";
import { AppError, asAppError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { actOnce } from "../../moderation/api-requests.ts";
import type { PageError } from "../../web/page-errors.ts";
import { addReferencePage } from "../../web/reference-page.ts";
import { createTurns } from "../../web/turns.ts";
import type { ConsoleParts } from "../console-parts.ts";
import type { Limits } from "../limits.ts";
import { explain } from "../refusals.ts";
import { authenticate } from "./authenticate.ts";
import { describeApi, operations } from "./describe-api.ts";
import { limitTokens } from "./limit-tokens.ts";
import type { ActOperation, Operation } from "./operation.ts";
import { toCaseRecord } from "../../integrations/records.ts";
import { runAtOnce } from "./run-at-once.ts";
import type { Acted, Problem } from "../../integrations/schemas.ts";

const prefix = "/api/v1";
const jsonType = "application/json; charset=utf-8";
const keyForm = /^[\x21-\x7e]{1,200}$/;

/** Castellan's API for programs: the console's readers and commands, with a token instead of a session. */
export function addApi(server: FastifyInstance, parts: ConsoleParts, limits: Limits, log: Log): void {
  server.register(
    async (api) => {
      const inTurnOfServer = createTurns("this server");
      const inTurnOfAddress = createTurns("this address");
      const limit = limitTokens(api);
      api.setErrorHandler(async (error, request, reply) => answerProblem(error, request, reply, log));
      api.setNotFoundHandler(async () => {
        throw new AppError("not_found", `There is no such operation. ${prefix}/reference lists them all.`);
      });
      const document = JSON.stringify(describeApi());
      api.get("/openapi.json", { exposeHeadRoute: true }, async (_request, reply) =>
        reply.type(jsonType).send(document),
      );
      addReferencePage(api);
      for (const operation of operations) {
        api.route({
          method: operation.method,
          exposeHeadRoute: true,
          url: operation.path.replaceAll(/\{(\w+)\}/g, ":$1"),
          async handler(request, reply) {
            const { token, enter } = await inTurnOfAddress(request.ip, () =>
              authenticate(parts, limits, request),
            );
            await limit(request, reply, token);
            return inTurnOfServer(token.guildId, async () => {
              const context = await enter();
              const answer = await runOperation(operation, context, token.id, request, reply);
              return reply.type(jsonType).send(answer);
            });
          },
        });
      }
    },
    { prefix },
  );
}

/** Gives the answer as JSON. */
async function runOperation(
  operation: Operation,
  context: CommandContext,
  tokenId: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  // The query contains text; the body is an object or empty.
  const params = request.params as Record<string, string>;
  if (operation.method === "GET")
    return JSON.stringify(await operation.run(context, { ...readQuery(request.query), ...params }));
  const options = operation.options({ ...readBody(request.body), ...params });
  const { answer, isRepeated } = await actOnce(
    context,
    {
      tokenId,
      key: readKey(request) ?? randomUUID(),
      content: JSON.stringify([operation.id, options]),
    },
    async (requestId) => textOf(await runNamed(context, operation, options, requestId)),
    ({ cases, message }) => {
      const shown = mentionCommands(message, undefined);
      const acted: z.input<typeof Acted> = { cases: cases.map(toCaseRecord), message: shown };
      return JSON.stringify(acted);
    },
  );
  if (isRepeated) reply.header("idempotency-replayed", "true");
  return answer;
}

/** Its cases refer to the request. */
function runNamed(
  context: CommandContext,
  { command }: ActOperation,
  options: ReturnType<ActOperation["options"]>,
  requestId: number,
): Promise<View> {
  const { actor } = context;
  const token = actor.token && { ...actor.token, requestId };
  return runAtOnce({ ...context, actor: { ...actor, token } }, command, options);
}

function readQuery(query: unknown): object {
  // Fastify's parser gives an object, in which a repeated parameter is an array.
  const parameters = query as Record<string, string | string[]>;
  const repeated = Object.keys(parameters).find((name) => Array.isArray(parameters[name]));
  if (repeated === undefined) return parameters;
  throw new AppError("invalid_input", `${repeated}: is given more than once`);
}

function readBody(body: unknown): object {
  if (body === undefined || body === null) return {};
  if (typeof body === "object" && !Array.isArray(body)) return body;
  throw new AppError("invalid_input", "The body must be a JSON object.");
}

function readKey({ headers }: FastifyRequest): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && keyForm.test(key)) return key;
  throw new AppError("invalid_input", "Idempotency-Key: has 1 to 200 characters of ASCII, without spaces.");
}

/** The text that Discord would show. */
function textOf({ content = "", embeds = [] }: View): string {
  const parts = embeds.flatMap(({ title, description }) => [title, description]);
  return [content, ...parts].filter((part) => part !== undefined && part !== "").join("\n");
}

function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const { status, code, message: detail, id } = explain(error, refused);
  if (status >= 500)
    log.error(
      { err: error, route: request.routeOptions.url, interaction: id },
      "a request to the API failed",
    );
  if (status === 401) reply.header("www-authenticate", "Bearer");
  if (status === 429) reply.header("retry-after", asAppError(error)?.retryAfter ?? 60);
  const title = STATUS_CODES[status] ?? "Error";
  const problem: z.input<typeof Problem> = { type: "about:blank", title, status, code, detail };
  return reply.code(status).type("application/problem+json; charset=utf-8").send(JSON.stringify(problem));
}

const refused = (status: number): PageError => ({
  status,
  code: "invalid_input",
  message:
    status === 413
      ? "The body is too long."
      : "The body must be valid JSON, with Content-Type: application/json.",
});
