import { Events, RESTEvents, Status, type Client } from "discord.js";
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import { explainClosing } from "./explain-refusal.ts";

/** How long the gateway may be away before the process ends, to be restarted, and how often the log says so meanwhile. Milliseconds. */
const longestAbsence = 15 * 60_000;
const remindEvery = 60_000;

export interface GatewayWatch {
  /** Milliseconds since the last shard went away; 0 while all are connected. */
  downFor: () => number;
  stop: () => void;
}

export interface WatchOptions {
  log: Log;
  clock: Clock;
  /** Called at most once, for what discord.js does not recover from by itself. */
  onRefused: (error: AppError) => void;
}

/** Logs what the gateway does while the bot runs, and reports when it is closed for good: the bot would only be silent. */
export function watchGateway(client: Client<true>, { log, clock, onRefused }: WatchOptions): GatewayWatch {
  let refused = false;
  const refuse = (error: AppError) => {
    if (refused) return;
    refused = true;
    onRefused(error);
  };
  client.rest.on(RESTEvents.Response, ({ path }, { status }) => {
    // Interaction and webhook routes carry tokens of their own.
    if (status !== 401 || /^\/(interactions|webhooks)\//.test(path)) return;
    refuse(
      new AppError(
        "invalid_configuration",
        "Discord no longer accepts the bot's token. Put the new one into DISCORD_TOKEN.",
      ),
    );
  });
  client.on(Events.ShardDisconnect, ({ code }, shard) => {
    log.error({ code, shard }, "the gateway closed for good");
    refuse(
      explainClosing(code) ??
        new AppError(
          "discord_unreachable",
          `Discord's gateway closed for good (${code}). Start Castellan again.`,
        ),
    );
  });
  // Discord asks for it now and then; what lasts is reported below.
  client.on(Events.ShardReconnecting, (shard) => log.info({ shard }, "the gateway is away; reconnecting"));
  client.on(Events.ShardResume, (shard, replayed) => log.info({ shard, replayed }, "the gateway goes on"));
  client.on(Events.ShardReady, (shard) => log.info({ shard }, "the gateway has begun a new session"));
  client.on(Events.ShardError, (err, shard) => log.warn({ err, shard }, "the gateway reported an error"));

  let upAt = clock.monotonic();
  let remindedAt = upAt;
  const downFor = () => {
    const now = clock.monotonic();
    if (client.ws.shards.every(({ status }) => status === Status.Ready)) upAt = now;
    return now - upAt;
  };
  const timer = setInterval(() => {
    const down = downFor();
    if (down === 0) return;
    const seconds = Math.round(down / 1000);
    if (down > longestAbsence) {
      refuse(
        new AppError(
          "discord_unreachable",
          `Discord's gateway could not be reached for ${seconds} s. Castellan is shutting down so that it can be restarted.`,
        ),
      );
    } else if (clock.monotonic() - remindedAt >= remindEvery) {
      remindedAt = clock.monotonic();
      log.warn({ seconds }, "the gateway is still away: no command is answered");
    }
  }, 5_000).unref();
  return { downFor, stop: () => clearInterval(timer) };
}
