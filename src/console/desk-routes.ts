import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { filterOptions } from "../../commands/case/filter-options.ts";
import type { CommandContext } from "../discord/command-context.ts";
import { readNumber } from "../text/numbered.ts";
import type { ConsoleParts } from "./console-parts.ts";
import { press, read, run, suggest } from "./press.ts";
import { listCasesFor } from "./read-cases.ts";
import { readQueue } from "./read-queue.ts";
import { viewCase } from "./view-case.ts";
import type { Visits } from "./visit.ts";

const Pressed = z.object({ customId: z.string().max(200), value: z.string().max(100).optional() });
const Typed = z.object({
  path: z.string().max(40),
  options: z.record(z.string().max(32), z.string().max(1000)),
});
/** A query may name something twice: then the first counts. */
const Query = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string()).transform(([first = ""]) => first)]),
);
const Suggested = z.object({
  path: z.string().max(40),
  option: z.string().max(32),
  typed: z.string().max(200).default(""),
});

/** What moderators see and do: each request asks anew who they are and what they may. */
export function addDeskRoutes(server: FastifyInstance, { members }: ConsoleParts, visits: Visits): void {
  const base = "/console/api/servers/:server";
  /** With it goes what people, roles and rooms are called that it mentions. */
  const named = async <T extends object>({ actor }: CommandContext, answer: T) => ({
    ...answer,
    names: await members.namesIn(actor.guildId, JSON.stringify(answer)),
  });

  server.get(`${base}/queue`, async (request) => {
    const context = await visits.enter(request);
    return named(context, await readQueue(context, Query.parse(request.query)));
  });
  server.get(`${base}/cases`, async (request) => {
    const context = await visits.enter(request);
    return named(context, await listCasesFor(context, Query.parse(request.query)));
  });
  server.get(`${base}/case-filters`, async (request) => {
    await visits.enter(request);
    const fixed = (name: "action" | "state") =>
      filterOptions[name].choices?.map(({ value }) => String(value));
    return { action: fixed("action"), state: fixed("state") };
  });
  server.get<{ Params: { channel: string; number: string } }>(
    `${base}/cases/:channel/:number`,
    async (request) => {
      const context = await visits.enter(request);
      const { channel, number } = request.params;
      return named(context, await viewCase(context, channel, readNumber("case", number)));
    },
  );
  server.get<{ Params: { what: string } }>(`${base}/read/:what`, async (request) => {
    const context = await visits.enter(request);
    return named(context, await read(context, request.params.what, Query.parse(request.query)));
  });
  server.get(`${base}/suggest`, async (request) => {
    const context = await visits.enter(request);
    return { choices: await suggest(context, Suggested.parse(request.query)) };
  });
  server.post(`${base}/run`, async (request) => {
    const { path, options } = Typed.parse(request.body);
    const context = await visits.enter(request);
    return named(context, { view: await run(context, path, options) });
  });
  server.post(`${base}/press`, async (request) => {
    const { customId, value } = Pressed.parse(request.body);
    const context = await visits.enter(request);
    return named(context, await press(context, customId, value));
  });
}
