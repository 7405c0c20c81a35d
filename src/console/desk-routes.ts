import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { CommandContext } from "../discord/command-context.ts";
import { readNumber } from "../text/numbered.ts";
import { answerWithProgress } from "./answer-with-progress.ts";
import { Query, ServerPath, Written, type Requested } from "./request-schemas.ts";
import type { Name } from "./resolve-names.ts";
import { exportCasesFor } from "./export-cases.ts";
import { press, read, run, suggest } from "./run-button.ts";
import { readBulksFor } from "./read-bulks.ts";
import { listCasesFor, readCaseFilters } from "./read-cases.ts";
import { readChannels } from "./read-channels.ts";
import { countFound, readFound } from "./read-found.ts";
import { readDecided, readQueue } from "./read-queue.ts";
import { readRules, readSource, readVersions } from "./read-rules.ts";
import { viewCase } from "./view-case.ts";
import type { Visits } from "./session-context.ts";

const Pressed = z.object({
  customId: Written.max(200),
  value: Written.max(100).optional(),
  typed: z.record(z.string().max(100), Written.max(4000)).optional(),
});
export type Pressed = z.infer<typeof Pressed>;
const Typed = z.object({
  path: Written.max(40),
  options: z.record(z.string().max(32), Written.max(4000)),
});
export type Typed = z.infer<typeof Typed>;
const Suggested = z.object({
  path: z.string().max(40),
  option: z.string().max(32),
  typed: Written.max(200).default(""),
});

/** What the pages read about a server, by the path below it. */
export const readers = {
  "/queue": readQueue,
  "/queue/decided": readDecided,
  "/cases": listCasesFor,
  "/case-filters": readCaseFilters,
  "/channels": readChannels,
  "/bulks": readBulksFor,
  "/found": readFound,
  "/found/count": countFound,
  "/rules": readRules,
  "/rules/source": readSource,
  "/rules/versions": readVersions,
  "/suggest": async (context: CommandContext, query: Requested) => ({
    choices: await suggest(context, Suggested.parse(query)),
  }),
};

/** The moderators' data and actions. Each request checks their identity and permissions again. */
export function addDeskRoutes(server: FastifyInstance, visits: Visits, named: Name): void {
  const base = ServerPath;
  for (const [path, reader] of Object.entries(readers))
    server.get(`${base}${path}`, async (request) => {
      const context = await visits.enter(request);
      return named<object>(context, await reader(context, Query.parse(request.query)));
    });
  server.get<{ Params: { channel: string; number: string } }>(
    `${base}/cases/:channel/:number`,
    async (request) => {
      const context = await visits.enter(request);
      const { channel, number } = request.params;
      return named(context, await viewCase(context, channel, readNumber("case", number)));
    },
  );
  server.get<{ Params: { format: string } }>(`${base}/export/:format`, async (request, reply) => {
    const context = await visits.enter(request);
    const asked = Query.parse(request.query);
    const { name, text, contentType } = await exportCasesFor(context, request.params.format, asked);
    return reply.type(contentType).header("content-disposition", `attachment; filename="${name}"`).send(text);
  });
  server.get<{ Params: { what: string } }>(`${base}/read/:what`, async (request) => {
    const context = await visits.enter(request);
    return named(context, await read(context, request.params.what, Query.parse(request.query)));
  });
  server.post(`${base}/run`, async (request, reply) => {
    const { path, options } = Typed.parse(request.body);
    const context = await visits.enter(request);
    return answerWithProgress(reply, context, named, async (watched) => ({
      view: await run(watched, path, options),
    }));
  });
  server.post(`${base}/press`, async (request, reply) => {
    const { customId, ...filled } = Pressed.parse(request.body);
    const context = await visits.enter(request);
    return answerWithProgress(reply, context, named, (watched) => press(watched, customId, filled));
  });
}
