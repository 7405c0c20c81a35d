import { setTimeout as sleep } from "node:timers/promises";
import {
  Client,
  Events,
  GatewayIntentBits,
  RESTEvents,
  SimpleIdentifyThrottler,
  Status,
  type Interaction,
  type WebSocketOptions,
} from "discord.js";
import { withTimeout } from "../async.ts";
import type { Clock, ClockWatch } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { BotProcesses } from "./bot-processes.ts";
import type { Refusals } from "./count-refusals.ts";
import { deployCommands, watchCommands } from "./deploy-commands.ts";
import { createDispatch, type DispatchSettings } from "./dispatch.ts";
import { explainClosing, explainRefusal } from "./explain-refusal.ts";
import { forgetLimitsOnJump } from "./rooms.ts";
import { watchAnswers, type AnswerWatch } from "./watch-answers.ts";
import { watchServers, type ServerChanges } from "./watch-servers.ts";

interface DiscordSettings {
  token: string;
  /** Base address of Discord's REST API, without version: "https://discord.com/api". */
  api: string;
  /** Called when Discord no longer accepts the bot. The process should end, so that a supervisor restarts it. */
  onRefused: (error: AppError) => void;
  /** Follows servers, rooms and roles. */
  servers?: ServerChanges;
  clockWatch?: Pick<ClockWatch, "onJump">;
  /** Milliseconds between attempts to connect; gives up after the last one. */
  pauses?: readonly number[];
  /** Counts the calls that Discord refuses. */
  refusals?: Pick<Refusals, "watch">;
  /** Ends the attempts. */
  signal?: AbortSignal;
  /** Milliseconds between two comparisons of the commands with Discord's. */
  compareEvery?: number;
}

export interface DiscordConnection {
  client: Client<true>;
  /** Milliseconds since the gateway went away; 0 while it is connected. */
  downFor: () => number;
  close(): Promise<void>;
}

/** Milliseconds that the gateway may be silent before it accepts the login, and that deploying commands may take. */
const timeoutMs = 20_000;
const leavingTimeoutMs = 1_000;
const turnTimeoutMs = 5_000;

/**
 * Logs in, deploys the commands if they differ from Discord's, and then answers interactions. Throws
 * `invalid_configuration` if Discord refuses permanently, and `discord_unreachable` if several attempts failed.
 */
export async function connectDiscord(
  context: DispatchSettings,
  settings: DiscordSettings,
): Promise<DiscordConnection> {
  const { log, clock } = context;
  const { pauses, signal } = settings;
  const attempts = { log, pauses, signal };
  const running = new Set<Promise<void>>();
  const commandIds = new Map<string, string>();
  const { processes } = context;
  const deploys = () => processes === undefined || processes.shards().includes(0);
  const deployed = { ...context, commandIds, deploys };
  const answers = watchAnswers(context);
  const dispatch = createDispatch(deployed);
  const answer = (interaction: Interaction) => {
    const done = dispatch(interaction).finally(() => running.delete(done));
    running.add(done);
  };
  let servers: { close(): Promise<void> } | undefined;
  const prepare = (client: Client) => {
    servers = settings.servers && watchServers(client, settings.servers, log);
  };
  const client = await tryAgain(async () => {
    await servers?.close();
    return login({ ...settings, processes }, log, answer, prepare, answers);
  }, attempts).catch(async (error: unknown) => {
    await processes?.leave();
    await servers?.close();
    await answers.stop();
    throw error;
  });
  const stopForgetting = settings.clockWatch && forgetLimitsOnJump(client.rest, settings.clockWatch);
  const watch = watchGateway(client, { log, clock, onRefused: settings.onRefused });
  try {
    const hears = () => client.ws.shards.some(({ status }) => status === Status.Ready);
    await processes?.join(client.options.shardCount ?? 1, hears);
    await tryAgain(() => withLimit(deployCommands(log, client, deployed)), attempts);
  } catch (error) {
    await processes?.leave();
    watch.stop();
    await servers?.close();
    stopForgetting?.();
    await leave(client);
    await answers.stop();
    throw error;
  }
  const stopComparing = watchCommands(log, client, deployed, settings.compareEvery);
  processes?.onFirst(() => {
    const failed = (error: unknown) => log.warn({ err: error }, "the bot's commands could not be compared");
    deployCommands(log, client, deployed).catch(failed);
  });
  log.info({ user: client.user.tag, guilds: client.guilds.cache.size }, "connected to Discord");
  return {
    client,
    downFor: watch.downFor,
    async close() {
      await processes?.leave();
      client.off(Events.InteractionCreate, answer);
      stopComparing();
      watch.stop();
      await servers?.close();
      stopForgetting?.();
      await Promise.allSettled(running);
      await leave(client);
      await answers.stop();
    },
  };
}

/** One attempt with a new client, because a closed one cannot be used again. */
async function login(
  { token, api, refusals, processes }: DiscordSettings & Pick<DispatchSettings, "processes">,
  log: Log,
  answer: (interaction: Interaction) => void,
  prepare: (client: Client) => void,
  { makeRequest }: AnswerWatch,
): Promise<Client<true>> {
  const request = refusals ? refusals.watch(makeRequest) : makeRequest;
  const client = new Client({
    intents: [GatewayIntentBits.Guilds],
    allowedMentions: { parse: [] },
    // As many as Discord recommends: from 2,500 servers on it refuses a single one.
    shards: "auto",
    // Otherwise one server with an outage would delay all others for 15 s.
    waitGuildTimeout: 1_000,
    rest: {
      api,
      version: "10",
      makeRequest: request,
      // This client sends little but answers, which Discord does not count among the 50 calls a second of a bot. discord.js
      // would, so at 50 commands a second the answers would wait longer and longer.
      globalRequestsPerSecond: Infinity,
    },
    ...(processes && { ws: { buildIdentifyThrottler: takeTurns(processes, () => silence.restart()) } }),
  });
  client.on(Events.Error, (error) => log.error({ err: error }, "the gateway reported an error"));
  client.on(Events.InteractionCreate, answer);
  prepare(client);
  let closing: AppError | undefined;
  client.once(Events.ShardDisconnect, ({ code }) => (closing = explainClosing(code)));
  const silence = watchSilence(client);
  try {
    const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
    return await Promise.race([client.login(token).then(() => ready), silence.broken]);
  } catch (error) {
    await leave(client);
    throw closing ?? error;
  } finally {
    silence.stop();
  }
}

/** Leaving a gateway that does not answer can take half a minute. */
async function leave(client: Client): Promise<void> {
  await withTimeout(client.destroy(), leavingTimeoutMs, () => {});
}

/** Rejects if the gateway is silent for too long. Many shards take minutes, but are never silent. */
function watchSilence(client: Client): { broken: Promise<never>; restart: () => void; stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    client.off(Events.Raw, restartTimer);
  };
  let restartTimer = () => {};
  const broken = new Promise<never>((_, reject) => {
    const giveUp = () =>
      reject(new AppError("discord_unreachable", `Discord's gateway was silent for ${timeoutMs / 1000} s.`));
    timer = setTimeout(giveUp, timeoutMs);
    restartTimer = () => timer?.refresh();
  });
  client.on(Events.Raw, restartTimer);
  return { broken, restart: () => restartTimer(), stop };
}

/** Discord lets in one shard of a bucket in five seconds, over all processes with the bot's token. */
function takeTurns(
  processes: BotProcesses,
  onWait: () => void,
): NonNullable<WebSocketOptions["buildIdentifyThrottler"]> {
  return async (manager) => {
    const { max_concurrency: buckets } = (await manager.fetchGatewayInformation()).session_start_limit;
    const own = new SimpleIdentifyThrottler(buckets);
    return {
      async waitForIdentify(shard, signal) {
        await own.waitForIdentify(shard, signal);
        // While the database is away, Discord says itself when it is too early.
        const asked = processes.takeTurn(shard % buckets).catch(() => 0);
        const turn = await withTimeout(asked, turnTimeoutMs, () => 0);
        for (let left = turn; left > 0; left -= turnTimeoutMs) {
          onWait();
          await sleep(Math.min(left, turnTimeoutMs), undefined, { signal });
        }
      },
    };
  };
}

function withLimit<T>(work: Promise<T>): Promise<T> {
  return withTimeout(work, timeoutMs, () => {
    throw new AppError("discord_unreachable", `Discord did not answer for ${timeoutMs / 1000} s.`);
  });
}

/** Milliseconds between attempts to reach Discord at the start. */
const usualPauses: readonly number[] = [1_000, 2_000, 4_000, 8_000];

interface Attempts {
  log: Log;
  /** Milliseconds to wait after the first, second … failed attempt; gives up after the last one. */
  pauses?: readonly number[] | undefined;
  /** Stops when the process is asked to end. */
  signal?: AbortSignal | undefined;
}

/**
 * Retries temporary failures after a pause, and logs each one. Permanent refusals are thrown at once. Every thrown
 * error is an AppError with the reason.
 */
async function tryAgain<T>(
  attempt: () => Promise<T>,
  { log, pauses = usualPauses, signal }: Attempts,
): Promise<T> {
  for (let count = 1; ; count += 1) {
    const failure = await attempt().then((value) => ({ value }), explainRefusal);
    if ("value" in failure) return failure.value;
    const pause = pauses[count - 1];
    if (failure.code !== "discord_unreachable" || pause === undefined) throw failure;
    log.warn({ err: failure.cause }, describeWait(failure, pause, count + 1, pauses.length + 1));
    await sleep(pause, undefined, signal ? { signal } : {});
  }
}

function describeWait({ message }: AppError, pause: number, next: number, all: number): string {
  return `${message.replace(/\.$/, "")}; trying again in ${pause / 1000} s (${next} of ${all})`;
}

/** Milliseconds that the gateway may be away before the process ends to be restarted, and between log lines meanwhile. */
const longestAbsence = 15 * 60_000;
const remindEvery = 60_000;

interface GatewayWatch {
  /** Milliseconds since the last shard went away; 0 while all are connected. */
  downFor: () => number;
  stop: () => void;
}

interface GatewayWatchOptions {
  log: Log;
  clock: Clock;
  /** Called at most once, for failures that discord.js does not recover from. */
  onRefused: (error: AppError) => void;
}

/** Logs the gateway's state while the bot runs, and reports a permanent close, after which the bot would only be silent. */
function watchGateway(client: Client<true>, { log, clock, onRefused }: GatewayWatchOptions): GatewayWatch {
  let refused = false;
  const refuse = (error: AppError) => {
    if (refused) return;
    refused = true;
    onRefused(error);
  };
  client.rest.on(RESTEvents.Response, ({ path }, { status }) => {
    // Interaction and webhook routes contain their own tokens.
    if (status !== 401 || /^\/(interactions|webhooks)\//.test(path)) return;
    refuse(
      new AppError(
        "invalid_configuration",
        "Discord no longer accepts the bot's token. Put the new one into DISCORD_TOKEN.",
      ),
    );
  });
  client.on(Events.ShardDisconnect, ({ code }, shard) => {
    log.error({ code, shard }, "the gateway closed permanently");
    refuse(
      explainClosing(code) ??
        new AppError(
          "discord_unreachable",
          `Discord's gateway closed permanently (${code}). Start Castellan again.`,
        ),
    );
  });
  // Discord requests this now and then. Lasting outages are reported below.
  client.on(Events.ShardReconnecting, (shard) => log.info({ shard }, "the gateway is away; reconnecting"));
  client.on(Events.ShardResume, (shard, replayed) => log.info({ shard, replayed }, "gateway resumed"));
  client.on(Events.ShardReady, (shard) => log.info({ shard }, "new gateway session"));
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
