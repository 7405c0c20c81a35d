import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { readNumber } from "../text/numbered.ts";
import { answerWithProgress } from "./answer-with-progress.ts";
import { Query, ServerPath, Written } from "./request-schemas.ts";
import type { Name } from "./resolve-names.ts";
import { exportCasesFor } from "./export-cases.ts";
import { press, read, run, suggest } from "./run-button.ts";
import { readBulksFor } from "./read-bulks.ts";
import { listCasesFor, readCaseFilters } from "./read-cases.ts";
import { readChannels } from "./read-channels.ts";
import { countFound, readFound } from "./read-found.ts";
import { readDecided, readQueue } from "./read-queue.ts";
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

/** The moderators' data and actions. Each request checks their identity and permissions again. */
export function addDeskRoutes(server: FastifyInstance, visits: Visits, named: Name): void {
  const base = ServerPath;
  server.get(`${base}/queue`, async (request) => {
    const context = await visits.enter(request);
    return named(context, await readQueue(context, Query.parse(request.query)));
  });
  server.get(`${base}/queue/decided`, async (request) => {
    const context = await visits.enter(request);
    return named(context, await readDecided(context, Query.parse(request.query)));
  });
  server.get(`${base}/cases`, async (request) => {
    const context = await visits.enter(request);
    return named(context, await listCasesFor(context, Query.parse(request.query)));
  });
  server.get(`${base}/case-filters`, async (request) => {
    const context = await visits.enter(request);
    return named(context, await readCaseFilters(context, Query.parse(request.query)));
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
  server.get(`${base}/channels`, async (request) => {
    const context = await visits.enter(request);
    return named(context, await readChannels(context));
  });
  server.get(`${base}/bulks`, async (request) => {
    const context = await visits.enter(request);
    return named(context, await readBulksFor(context, Query.parse(request.query)));
  });
  server.get(`${base}/found`, async (request) => {
    const context = await visits.enter(request);
    return named(context, await readFound(context, Query.parse(request.query)));
  });
  server.get(`${base}/found/count`, async (request) => {
    const context = await visits.enter(request);
    return countFound(context, Query.parse(request.query));
  });
  server.get<{ Params: { what: string } }>(`${base}/read/:what`, async (request) => {
    const context = await visits.enter(request);
    return named(context, await read(context, request.params.what, Query.parse(request.query)));
  });
  server.get(`${base}/suggest`, async (request) => {
    const context = await visits.enter(request);
    return { choices: await suggest(context, Suggested.parse(request.query)) };
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
