import { PassThrough } from "node:stream";
import { setInterval } from "node:timers";
import { sql } from "kysely";
import type { FastifyInstance } from "fastify";
import type { BotContext } from "../bot-context.ts";
import { asAppError } from "../errors.ts";
import { authorizeIn } from "../moderation/authorize-server.ts";
import type { ConsoleParts } from "./console-parts.ts";
import type { Visits } from "./visit.ts";

/** Milliseconds between two looks, and how many of them without news until a line shows that the stream lives. */
const lookEvery = 2_000;
const quietLooks = 10;

/**
 * Tells a page that something changed in its server, so that it asks anew: what, and whether it still may, is answered then.
 * Other processes change things too, so the rows are looked at; once for all who watch a server.
 */
export function addLiveRoute(server: FastifyInstance, { context }: ConsoleParts, visits: Visits): void {
  const watched = new Map<string, Set<(news: string) => void>>();
  const timer = setInterval(() => {
    for (const [guildId, listeners] of watched) {
      readState(context, guildId).then(
        (state) => listeners.forEach((listen) => listen(state)),
        (error: unknown) => context.log.warn({ err: error }, "the console cannot look for news"),
      );
    }
  }, lookEvery).unref();
  const streams = new Set<PassThrough>();
  server.addHook("preClose", async () => {
    clearInterval(timer);
    for (const stream of streams) stream.end();
  });
  server.get("/console/api/servers/:server/live", async (request, reply) => {
    const scope = await visits.enter(request);
    await authorizeIn(scope, scope.actor, "view");
    const { guildId } = scope.actor;
    const stream = new PassThrough();
    let before = await readState(context, guildId);
    let quiet = 0;
    const listen = (state: string) => {
      quiet += 1;
      if (state === before && quiet < quietLooks) return;
      const words = state === before ? ": alive\n\n" : "event: changed\ndata: {}\n\n";
      [before, quiet] = [state, 0];
      void visits.requireSession(request).then(
        () => stream.write(words),
        (error: unknown) => {
          if (asAppError(error, "invalid_auth_token")) stream.end("event: signed-out\ndata: {}\n\n");
          else context.log.warn({ err: error }, "a session of the console cannot be read");
        },
      );
    };
    const listeners = watched.get(guildId) ?? new Set();
    watched.set(guildId, listeners.add(listen));
    streams.add(stream);
    stream.once("close", () => {
      streams.delete(stream);
      listeners.delete(listen);
      if (listeners.size === 0) watched.delete(guildId);
    });
    reply.raw.once("close", () => stream.destroy());
    if (reply.raw.destroyed) stream.destroy();
    stream.write("retry: 3000\n\n");
    return reply.type("text/event-stream").header("x-accel-buffering", "no").send(stream);
  });
}

/** Changes whenever a case, a review or the setup does. */
async function readState({ database }: BotContext, guildId: string): Promise<string> {
  const { rows } = await sql`
    select
      (select sum(last_number) from castellan.case_numbers where guild_id = ${guildId}) as cases,
      (select count(*) from castellan.cases join castellan.links using (guild_id, channel_id)
        where guild_id = ${guildId} and state = 'requested') as unsettled,
      (select max(id) from castellan.setup_changes where guild_id = ${guildId}) as setup,
      (select count(*) from castellan.bulks where guild_id = ${guildId} and ended_at_ms is null) as bulks,
      -- What was held and decided between two looks leaves what is open as it was.
      (select max(decided_at_ms) from castellan.review_items where guild_id = ${guildId}) as decided,
      (select row(count(*), max(id), max(claimed_at_ms), count(claimed_by), max(escalated_at_ms), sum(round))::text
        from castellan.review_items where guild_id = ${guildId} and state = 'open') as reviews
  `.execute(database.query);
  return JSON.stringify(rows[0]);
}
