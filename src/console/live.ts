import { PassThrough } from "node:stream";
import { setInterval } from "node:timers";
import { sql } from "kysely";
import type { FastifyInstance } from "fastify";
import type { BotContext } from "../bot-context.ts";
import { AppError, asAppError } from "../errors.ts";
import { authorizeIn } from "../moderation/authorize-server.ts";
import type { ConsoleParts } from "./console-parts.ts";
import type { Visits } from "./session-context.ts";

/** Milliseconds between two checks, and checks without news until a keep-alive line is sent. */
const lookEvery = 2_000;
const quietLooks = 10;

/** Maximum pages open at once by one person, because each has its own checks. */
const maxOpen = 20;

/**
 * Tells a page that something in its server changed, so that it reads again. The person's permission is checked before
 * each message; `refused` is the last one after a refusal. Other processes make changes too, so the rows are polled,
 * once for all pages of a server.
 */
export function addLiveRoute(server: FastifyInstance, { context }: ConsoleParts, visits: Visits): void {
  const watched = new Map<string, Set<(news: string) => void>>();
  const timer = setInterval(() => {
    for (const [guildId, listeners] of watched) {
      readState(context, guildId).then(
        (state) => listeners.forEach((listen) => listen(state)),
        (error: unknown) => context.log.warn({ err: error }, "the console cannot check for changes"),
      );
    }
  }, lookEvery).unref();
  const streams = new Map<PassThrough, string>();
  server.addHook("preClose", async () => {
    clearInterval(timer);
    for (const stream of streams.keys()) stream.end();
  });
  server.get("/console/api/servers/:server/live", async (request, reply) => {
    const scope = await visits.enter(request);
    await authorizeIn(scope, scope.actor, "view");
    const { guildId, userId } = scope.actor;
    let before = await readState(context, guildId);
    if ([...streams.values()].filter((one) => one === userId).length >= maxOpen)
      throw new AppError(
        "rate_limited",
        `You have the console open in ${maxOpen} places. Close one of them.`,
      );
    const stream = new PassThrough();
    streams.set(stream, userId);
    let quiet = 0;
    let isAsking = false;
    const tell = async (state: string) => {
      // Without news only the session is checked. Discord is asked when there is something to send.
      if (state === before) await visits.requireSession(request);
      else {
        const now = await visits.enter(request);
        await authorizeIn(now, now.actor, "view");
      }
      stream.write(state === before ? ": alive\n\n" : "event: changed\ndata: {}\n\n");
      [before, quiet] = [state, 0];
    };
    const listen = (state: string) => {
      quiet += 1;
      if (isAsking || stream.writableEnded || (state === before && quiet < quietLooks)) return;
      isAsking = true;
      tell(state)
        .catch((error: unknown) => {
          const last = asAppError(error, "invalid_auth_token") ? "signed-out" : "refused";
          if (asAppError(error, ...over)) stream.end(`event: ${last}\ndata: {}\n\n`);
          // An update that could not be sent is sent at the next check.
          else
            context.log.warn(
              { err: error },
              "could not push an update to an open console; it is sent at the next check",
            );
        })
        .finally(() => (isAsking = false));
    };
    const listeners = watched.get(guildId) ?? new Set();
    watched.set(guildId, listeners.add(listen));
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

/** The reason why a person no longer receives updates. */
const over = ["invalid_auth_token", "not_allowed", "not_found", "not_linked"] as const;

/** Changes whenever a case, a review or the setup changes. */
async function readState({ database }: BotContext, guildId: string): Promise<string> {
  const { rows } = await sql`
    select
      (select sum(last_number) from castellan.case_numbers where guild_id = ${guildId}) as cases,
      (select count(*) from castellan.cases join castellan.links using (guild_id, channel_id)
        where guild_id = ${guildId} and state = 'requested') as unsettled,
      (select max(id) from castellan.setup_changes where guild_id = ${guildId}) as setup,
      (select count(*) from castellan.lockdowns where guild_id = ${guildId}) as lockdowns,
      (select count(*) from castellan.bulks where guild_id = ${guildId} and ended_at_ms is null) as bulks,
      -- What was held and decided between two looks leaves what is open as it was.
      (select max(decided_at_ms) from castellan.review_items where guild_id = ${guildId}) as decided,
      (select row(count(*), max(id), max(claimed_at_ms), count(claimed_by), max(escalated_at_ms), sum(round))::text
        from castellan.review_items where guild_id = ${guildId} and state = 'open') as reviews
  `.execute(database.query);
  return JSON.stringify(rows[0]);
}
